import { isNoise, ModbusRefusal } from '../../domain/plc/modbus-error.ts';
import type { PlantDevice, PlantModel, PlantPoint } from '../../domain/plc/plant-model.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';
import { answerReadings, badReading, type ReadingStamp } from '../../domain/plc/polling/answer-readings.ts';
import { badReasonOf } from '../../domain/plc/polling/bad-reason.ts';
import { type PlannedRead, planReads } from '../../domain/plc/polling/read-plan.ts';
import type { PointReading } from '../../domain/plc/reading.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { BusPriority, PlcBus } from '../ports/plc-bus.ts';
import type { PlcReader } from '../ports/plc-reader.ts';

interface Parts {
  readonly plant: PlantModel;
  readonly bus: Pick<PlcBus, 'read'>;
  readonly clocks: Clocks;
}

interface Call {
  readonly untilMs: number;
  readonly priority: BusPriority;
}

type Found = readonly (readonly [PlantPoint, PointReading])[];

/** Refs come in, requests go out over the bus, readings come back in the order of the refs. */
export class PointReader implements PlcReader {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async read(
    refs: readonly PointRef[],
    deadlineMs: number,
    priority: BusPriority = 'answer',
  ): Promise<readonly PointReading[]> {
    const { plant, clocks } = this.#parts;
    const call = { untilMs: clocks.monotonicMs() + deadlineMs, priority };
    const wanted = new Map<PlantDevice, Set<PlantPoint>>();
    for (const ref of refs) {
      const point = plant.point(ref);
      const device = plant.device(point?.device ?? '');
      if (point !== undefined && device !== undefined)
        wanted.set(device, (wanted.get(device) ?? new Set()).add(point));
    }
    const found = await Promise.all(
      [...wanted].map(([device, points]) => this.#fetchAll(device, planReads(device, [...points]), call)),
    );
    const readings = new Map<PlantPoint | undefined, PointReading>(found.flat());
    return refs.map((ref) => {
      const point = plant.point(ref);
      return (
        readings.get(point) ??
        badReading(
          { ref },
          'unknown_point',
          `no point ${ref.point} of ${ref.machine} in the plant`,
          this.#stamp(),
        )
      );
    });
  }

  /** One read after another: a device that has given no answer is not asked again for the rest. */
  async #fetchAll(device: PlantDevice, plans: readonly PlannedRead[], call: Call): Promise<Found> {
    const found: (readonly [PlantPoint, PointReading])[] = [];
    for (const [index, plan] of plans.entries()) {
      try {
        found.push(...(await this.#fetch(device, plan, call)));
      } catch (error) {
        if (!isNoise(error)) return [...found, ...this.#failed(plans.slice(index), error)];
        found.push(...this.#failed([plan], error));
      }
    }
    return found;
  }

  #failed(plans: readonly PlannedRead[], error: unknown): Found {
    const reason = badReasonOf(error);
    const stamp = this.#stamp();
    return plans.flatMap(({ points }) =>
      points.map((point) => [point, badReading(point, reason, messageOf(error), stamp)] as const),
    );
  }

  /** Rejects when the device gives no answer, or one that cannot be used. */
  async #fetch(device: PlantDevice, plan: PlannedRead, call: Call): Promise<Found> {
    const deadlineMs = call.untilMs - this.#parts.clocks.monotonicMs();
    try {
      const words = await this.#parts.bus.read(device.id, plan.span, { deadlineMs, priority: call.priority });
      const readings = answerReadings(plan, words, this.#stamp());
      return plan.points.flatMap((point, index) => {
        const reading = readings[index];
        return reading === undefined ? [] : [[point, reading] as const];
      });
    } catch (error) {
      const reason = badReasonOf(error);
      if (!(error instanceof ModbusRefusal) || reason !== 'refused') throw error;
      if (plan.points.length > 1) return this.#fetchApart(device, plan, call);
      return plan.points.map((point) => [point, badReading(point, reason, messageOf(error), this.#stamp())]);
    }
  }

  /** A device refuses a whole request for the sake of one address: its neighbours are asked for again alone. */
  async #fetchApart(device: PlantDevice, plan: PlannedRead, call: Call): Promise<Found> {
    const single = plan.points.flatMap((point) => planReads(device, [point]));
    const found: (readonly [PlantPoint, PointReading])[] = [];
    for (const alone of single) found.push(...(await this.#fetch(device, alone, call)));
    return found;
  }

  #stamp(): ReadingStamp {
    const { clocks } = this.#parts;
    return { atMs: clocks.monotonicMs(), bootId: clocks.bootId, seq: clocks.nextSeq() };
  }
}
