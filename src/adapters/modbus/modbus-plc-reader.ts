import type { PlcReader } from '../../app/ports/plc-reader.ts';
import { decodeRegisters } from '../../domain/plc/decode.ts';
import type { PlantMachine, PlantModel, PlantPoint } from '../../domain/plc/plant-model.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';
import type { BadReason, PointReading } from '../../domain/plc/reading.ts';
import { isEdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Health, HealthStatus, Service } from '../../runtime/service.ts';
import type { Endpoint } from './connect-socket.ts';
import type { ModbusDependencies } from './link-keeper.ts';
import { ModbusConnection } from './modbus-connection.ts';
import { GATEWAY_PATH_UNAVAILABLE, GATEWAY_TARGET_SILENT, ModbusRefusal } from './modbus-error.ts';
import type { ReadAnswer } from './modbus-request.ts';
import { type PlannedRead, planReads } from './read-plan.ts';

export interface ModbusPlcReaderOptions {
  readonly plant: PlantModel;
  /** Where a connection really is, asked at each attempt to connect; the plant file says it unless this does. */
  readonly endpointOf?: (connection: string) => Endpoint | undefined;
}

/** Refs come in, requests go out over the connections of the plant, readings come back in the order of the refs. */
export class ModbusPlcReader implements PlcReader, Service {
  readonly name = 'modbus';
  readonly #plant: PlantModel;
  readonly #dependencies: ModbusDependencies;
  readonly #connections: ReadonlyMap<string, ModbusConnection>;

  constructor({ plant, endpointOf }: ModbusPlcReaderOptions, dependencies: ModbusDependencies) {
    this.#plant = plant;
    this.#dependencies = dependencies;
    const connections = new Map<string, ModbusConnection>();
    for (const [id, { host, port, timeout_ms, pause_after_connect_ms }] of plant.connections) {
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

  async read(refs: readonly PointRef[], deadlineMs: number): Promise<readonly PointReading[]> {
    const untilMs = this.#dependencies.clocks.monotonicMs() + deadlineMs;
    const readings = new Map<PlantPoint, PointReading>();
    const wanted = new Map<PlantMachine, Set<PlantPoint>>();
    for (const ref of refs) {
      const machine = this.#plant.machine(ref.machine);
      const point = machine?.points.get(ref.point);
      if (machine === undefined || point === undefined) continue;
      wanted.set(machine, (wanted.get(machine) ?? new Set()).add(point));
    }
    await Promise.all(
      [...wanted].flatMap(([machine, points]) =>
        planReads(machine, [...points]).map(async (plan) => {
          for (const [point, reading] of await this.#fetch(machine, plan, untilMs))
            readings.set(point, reading);
        }),
      ),
    );
    return refs.map((ref) => {
      const point = this.#plant.point(ref);
      return (
        (point && readings.get(point)) ??
        this.#bad(ref, 'unknown_point', `no point ${ref.point} of ${ref.machine} in the plant`)
      );
    });
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

  async #fetch(
    machine: PlantMachine,
    plan: PlannedRead,
    untilMs: number,
  ): Promise<[PlantPoint, PointReading][]> {
    const { monotonicMs } = this.#dependencies.clocks;
    const connection = this.#connections.get(machine.connection);
    if (connection === undefined)
      return plan.points.map((point) => [
        point,
        this.#bad(point.ref, 'unknown_point', `no connection ${machine.connection}`),
      ]);
    try {
      const answer = await connection.read(plan.request, untilMs - monotonicMs());
      return plan.points.map((point) => [point, this.#decode(point, plan, answer)]);
    } catch (error) {
      if (error instanceof ModbusRefusal && plan.points.length > 1)
        return this.#fetchApart(machine, plan, untilMs);
      const reason = reasonOf(error);
      return plan.points.map((point) => [point, this.#bad(point.ref, reason, messageOf(error))]);
    }
  }

  /** A device refuses a whole request for the sake of one address: its neighbours are asked for again alone. */
  async #fetchApart(
    machine: PlantMachine,
    plan: PlannedRead,
    untilMs: number,
  ): Promise<[PlantPoint, PointReading][]> {
    const single = plan.points.flatMap((point) => planReads(machine, [point]));
    return (await Promise.all(single.map((alone) => this.#fetch(machine, alone, untilMs)))).flat();
  }

  #decode(point: PlantPoint, { request }: PlannedRead, answer: ReadAnswer): PointReading {
    const from = point.address - request.address;
    const words = answer.slice(from, from + point.count);
    const isBit = point.table === 'coil' || point.table === 'discrete_input';
    const decoded = isBit
      ? ({ quality: 'good', value: words[0] === 1 } as const)
      : decodeRegisters(words, point.encoding);
    return { ref: point.ref, atMs: this.#dependencies.clocks.monotonicMs(), ...decoded };
  }

  #bad(ref: PointRef, reason: BadReason, detail: string): PointReading {
    return { ref, atMs: this.#dependencies.clocks.monotonicMs(), quality: 'bad', reason, detail };
  }
}

/** A gateway's word about the device behind it is not the device's own: it says that the device was not heard. */
function reasonOf(error: unknown): BadReason {
  if (error instanceof ModbusRefusal) {
    if (error.exception === GATEWAY_PATH_UNAVAILABLE) return 'unreachable';
    return error.exception === GATEWAY_TARGET_SILENT ? 'timeout' : 'refused';
  }
  if (!isEdgeError(error)) throw error;
  return error.code === 'MODBUS_TIMEOUT' || error.code === 'MODBUS_BUSY' ? 'timeout' : 'unreachable';
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
