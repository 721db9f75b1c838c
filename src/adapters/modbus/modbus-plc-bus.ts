import type { BusCall, PlcBus } from '../../app/ports/plc-bus.ts';
import type { RegisterSpan } from '../../domain/plc/modbus-request.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { Health, HealthStatus, Service } from '../../runtime/service.ts';
import type { Endpoint } from './connect-socket.ts';
import type { ModbusDependencies } from './link-keeper.ts';
import { ModbusConnection } from './modbus-connection.ts';

export interface ModbusPlcBusOptions {
  readonly plant: PlantModel;
  /** Where a connection really is, asked at each attempt to connect; the plant file says it unless this does. */
  readonly endpointOf?: (connection: string) => Endpoint | undefined;
}

/** The devices of a plant, each behind its connection. */
export class ModbusPlcBus implements Pick<PlcBus, 'read'>, Service {
  readonly name = 'modbus';
  readonly #plant: PlantModel;
  readonly #connections: ReadonlyMap<string, ModbusConnection>;

  constructor({ plant, endpointOf }: ModbusPlcBusOptions, dependencies: ModbusDependencies) {
    this.#plant = plant;
    const connections = new Map<string, ModbusConnection>();
    for (const [id, settings] of plant.connections) {
      if (settings.transport !== 'tcp') continue;
      const { host, port, timeout_ms, pause_after_connect_ms } = settings;
      const options = {
        id,
        endpoint: () => endpointOf?.(id) ?? { host, port },
        timeoutMs: timeout_ms,
        pauseAfterConnectMs: pause_after_connect_ms,
      };
      connections.set(id, new ModbusConnection(options, dependencies));
    }
    this.#connections = connections;
  }

  async start(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.start(signal)));
  }

  async stop(deadlineMs: number): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.stop(deadlineMs)));
  }

  async read(device: string, span: RegisterSpan, { deadlineMs }: BusCall): Promise<readonly number[]> {
    const found = this.#plant.device(device);
    const connection = this.#connections.get(found?.connection ?? '');
    if (found === undefined || connection === undefined)
      throw new EdgeError('MODBUS_INVALID_REQUEST', `no device ${device} in the plant`);
    return connection.read({ unitId: found.unitId, ...span }, deadlineMs);
  }

  health(): Health {
    const parts = [...this.#connections].map(([id, connection]) => ({ id, ...connection.health() }));
    const figures: Record<string, number> = {};
    for (const part of parts)
      for (const [name, value] of Object.entries(part.figures ?? {}))
        figures[name] = (figures[name] ?? 0) + value;
    const troubled = parts.filter(({ status }) => status !== 'ok');
    const shown = troubled.length > 0 ? troubled : parts;
    return { status: overallStatus(parts), detail: shown.map(({ detail }) => detail).join('; '), figures };
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
