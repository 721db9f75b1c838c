import type { BusCall, PlcBus } from '../../app/ports/plc-bus.ts';
import type { FileSpan, RegisterSpan, RegisterWrite } from '../../domain/plc/modbus-request.ts';
import type { PlantDevice, PlantModel } from '../../domain/plc/plant-model.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import type { Health, HealthStatus, Service } from '../../runtime/service.ts';
import type { Endpoint } from './connect-socket.ts';
import type { ModbusDependencies } from './link-keeper.ts';
import { ModbusConnection } from './modbus-connection.ts';
import { connectionOptions } from './transports.ts';

export interface ModbusPlcBusOptions {
  readonly plant: PlantModel;
  /**
   * Where a connection over TCP really is, asked at each attempt to connect; the plant file says it unless this does. A
   * serial port is where the plant file says.
   */
  readonly endpointOf?: (connection: string) => Endpoint | undefined;
}

/**
 * The devices of a plant, each behind its connection. Calls for a device come in, go to the bus it is on, and leave with
 * what the device answered. Called through the port PlcBus by the reader, the poller and the writer.
 */
export class ModbusPlcBus implements PlcBus, Service {
  readonly name = 'modbus';
  readonly #plant: PlantModel;
  readonly #connections: ReadonlyMap<string, ModbusConnection>;

  constructor({ plant, endpointOf }: ModbusPlcBusOptions, dependencies: ModbusDependencies) {
    this.#plant = plant;
    this.#connections = new Map(
      [...plant.connections].map(([id, settings]) => [
        id,
        new ModbusConnection(
          connectionOptions(id, settings, () => endpointOf?.(id), dependencies),
          dependencies,
        ),
      ]),
    );
  }

  async start(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.start(signal)));
  }

  async stop(deadlineMs: number): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.stop(deadlineMs)));
  }

  async read(device: string, span: RegisterSpan, call: BusCall): Promise<readonly number[]> {
    const { unitId, connection } = this.#answering(device);
    return connection.ask({ kind: 'read', unitId, span }, call);
  }

  async readFile(device: string, span: FileSpan, call: BusCall): Promise<readonly number[]> {
    const { unitId, connection } = this.#answering(device);
    return connection.ask({ kind: 'file', unitId, span }, call);
  }

  async write(device: string, write: RegisterWrite, call: BusCall): Promise<void> {
    const { found, connection } = this.#find(device);
    const { unitId, alwaysWriteMany, isBroadcast } = found;
    await connection.ask({ kind: 'write', unitId, write, alwaysMany: alwaysWriteMany, isBroadcast }, call);
  }

  endCycle(connection: string): void {
    this.#connections.get(connection)?.endCycle();
  }

  health(): Health {
    const parts = [...this.connectionHealth().values()];
    const figures: Record<string, number> = {};
    for (const part of parts)
      for (const [name, value] of Object.entries(part.figures ?? {})) {
        const known = figures[name] ?? 0;
        // Of times the longest, of counts the sum.
        figures[name] = name.endsWith('_ms') ? Math.max(known, value) : known + value;
      }
    const troubled = parts.filter(({ status }) => status !== 'ok');
    const shown = troubled.length > 0 ? troubled : parts;
    return { status: overallStatus(parts), detail: shown.map(({ detail }) => detail).join('; '), figures };
  }

  /** The health of each connection by its id. */
  connectionHealth(): ReadonlyMap<string, Health> {
    return new Map([...this.#connections].map(([id, connection]) => [id, connection.health()]));
  }

  #answering(device: string): { readonly unitId: number; readonly connection: ModbusConnection } {
    const { found, connection } = this.#find(device);
    if (found.isBroadcast)
      throw new EdgeError(
        'MODBUS_INVALID_REQUEST',
        `device ${device} is a broadcast: nobody answers what is read`,
      );
    return { unitId: found.unitId, connection };
  }

  #find(device: string): { readonly found: PlantDevice; readonly connection: ModbusConnection } {
    const found = this.#plant.device(device);
    const connection = this.#connections.get(found?.connection ?? '');
    if (found === undefined || connection === undefined)
      throw new EdgeError(
        'MODBUS_INVALID_REQUEST',
        `no device ${device} in the plant.${didYouMean(device, this.#plant.devices.keys())}`,
      );
    return { found, connection };
  }
}

function overallStatus(parts: readonly Health[]): HealthStatus {
  const statuses = new Set(parts.map(({ status }) => status));
  const [only] = statuses;
  if (only === undefined) return 'off';
  if (statuses.size === 1) return only;
  return statuses.has('starting') && !statuses.has('down') && !statuses.has('degraded')
    ? 'starting'
    : 'degraded';
}
