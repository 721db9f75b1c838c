import { encodeRegisters, valueRange } from '../../domain/plc/encode.ts';
import type { PlantMachine, PlantModel, PlantPoint } from '../../domain/plc/plant-model.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';
import type { PointValue } from '../../domain/plc/reading.ts';
import type { RegisterTable } from '../../domain/plc/register-address.ts';
import {
  type Behaviours,
  type SimulatedMachine,
  type SimulatedValue,
  startMachine,
  stepMachine,
} from '../../domain/plc/simulation.ts';

interface Running {
  readonly machine: PlantMachine;
  readonly points: readonly PlantPoint[];
  readonly behaviours: Behaviours;
  state: SimulatedMachine;
}

/** The registers and bits of all simulated machines of one connection, as they are now. */
export class SimulatedImage {
  readonly #machines: Running[] = [];
  readonly #held = new Map<PlantPoint, PointValue>();
  #cells = new Map<string, number>();
  #atMs: number;

  readonly #plant: PlantModel;

  /** Simulates those points of the machines that are behind `connection`. */
  constructor(plant: PlantModel, connection: string, seed: number, nowMs: number) {
    this.#plant = plant;
    const machines = [...plant.machines.values()].filter((machine) =>
      [...machine.points.values()].some((point) => isServed(plant, connection, point)),
    );
    this.#atMs = nowMs;
    for (const [index, machine] of machines.entries()) {
      const points = [...machine.points.values()].filter((point) => isServed(plant, connection, point));
      const behaviours: Record<string, NonNullable<PlantPoint['simulated']>> = {};
      for (const { ref, simulated } of points) if (simulated !== undefined) behaviours[ref.point] = simulated;
      this.#machines.push({ machine, points, behaviours, state: startMachine(behaviours, seed + index) });
    }
    this.#render();
  }

  /** Lets the time pass until `nowMs`; values change here and nowhere else, so one answer is of one moment. */
  advance(nowMs: number): void {
    const dtS = Math.max(0, nowMs - this.#atMs) / 1000;
    this.#atMs = nowMs;
    for (const running of this.#machines) running.state = stepMachine(running.state, running.behaviours, dtS);
    this.#render();
  }

  /** Pins a point to a value, or lets it go with undefined. Returns false when the point is not simulated. */
  hold(ref: PointRef, value: PointValue | undefined): boolean {
    const point = this.#machines
      .find(({ machine }) => machine.id === ref.machine)
      ?.points.find((candidate) => candidate.ref.point === ref.point);
    if (point === undefined) return false;
    if (value === undefined) this.#held.delete(point);
    else this.#held.set(point, value);
    this.#render();
    return true;
  }

  /** The register or bit, or undefined where nothing is mapped. */
  cell(unitId: number, table: RegisterTable, address: number): number | undefined {
    return this.#cells.get(cellKey(unitId, table, address));
  }

  get machines(): number {
    return this.#machines.length;
  }

  #unitOf(point: PlantPoint): number {
    return this.#plant.device(point.device)?.unitId ?? 0;
  }

  #render(): void {
    const cells = new Map<string, number>();
    for (const { points, state } of this.#machines) {
      for (const point of points) {
        const value = this.#held.get(point) ?? state.values[point.ref.point];
        if (value === undefined) continue;
        for (const [index, word] of wordsFor(point, value).entries()) {
          const key = cellKey(this.#unitOf(point), point.table, point.address + index);
          // Points that are bits of one register add up in it.
          cells.set(key, (cells.get(key) ?? 0) | word);
        }
      }
    }
    this.#cells = cells;
  }
}

function isServed(plant: PlantModel, connection: string, point: PlantPoint): boolean {
  return point.simulated !== undefined && plant.device(point.device)?.connection === connection;
}

function wordsFor(point: PlantPoint, value: SimulatedValue): readonly number[] {
  if (point.table === 'coil' || point.table === 'discrete_input') return [value ? 1 : 0];
  const encoded = encodeRegisters(fitted(point, value), point.encoding);
  return encoded.ok ? encoded.words : new Array<number>(point.count).fill(0);
}

/** What a sensor shows ends where its registers do, and a running machine may be a number. */
function fitted(point: PlantPoint, value: SimulatedValue): SimulatedValue {
  const { simulated, encoding } = point;
  if (typeof value === 'boolean' && encoding.type !== 'bool')
    return simulated?.behaviour === 'running' && !value ? simulated.stopped_value : runningValue(point);
  if (typeof value !== 'number') return value;
  const { min, max } = valueRange(encoding);
  return Math.min(max, Math.max(min, value));
}

function runningValue({ simulated }: PlantPoint): number {
  return simulated?.behaviour === 'running' ? simulated.running_value : 1;
}

function cellKey(unitId: number, table: RegisterTable, address: number): string {
  return `${unitId}/${table}/${address}`;
}
