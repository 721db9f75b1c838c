import type { PlantModel, PlantPoint } from '../../domain/plc/plant-model.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';
import { badReading, type ReadingStamp } from '../../domain/plc/polling/answer-readings.ts';
import type {
  BadReason,
  GoodReading,
  KnownReading,
  PointReading,
  StaleReading,
} from '../../domain/plc/reading.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { Unsubscribe } from '../../runtime/service.ts';

interface Trouble {
  readonly reason: BadReason;
  readonly detail: string;
}

interface Cell {
  readonly staleAfterMs: number;
  reading: PointReading | undefined;
  lastGood: GoodReading | undefined;
  /** Why there is nothing newer. */
  trouble: Trouble | undefined;
  /** Whether the listeners have been told that the reading has grown stale, or that there is none. */
  isTold: boolean;
}

type Listener = (readings: readonly KnownReading[]) => void;

/** The last reading of every point, and how far it can still be trusted. */
export class PointImage {
  readonly #plant: PlantModel;
  readonly #clocks: Clocks;
  readonly #cells = new Map<PlantPoint, Cell>();
  readonly #listeners = new Set<Listener>();

  constructor(plant: PlantModel, clocks: Clocks) {
    this.#plant = plant;
    this.#clocks = clocks;
    for (const point of plant.points()) {
      const staleAfterMs = plant.device(point.device)?.staleAfterMs ?? 0;
      this.#cells.set(point, {
        staleAfterMs,
        reading: undefined,
        lastGood: undefined,
        trouble: undefined,
        isTold: false,
      });
    }
  }

  /** The last good reading, however old. */
  lastGood(ref: PointRef): GoodReading | undefined {
    const point = this.#plant.point(ref);
    return point && this.#cells.get(point)?.lastGood;
  }

  /** Called with each batch of new readings, and once with each that has grown stale. */
  onReadings(listener: Listener): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  known(ref: PointRef): KnownReading {
    const point = this.#plant.point(ref);
    const cell = point && this.#cells.get(point);
    if (cell === undefined)
      return badReading(
        { ref },
        'unknown_point',
        `no point ${ref.point} of ${ref.machine} in the plant`,
        this.stamp(),
      );
    return this.#judge(ref, cell, this.#clocks.monotonicMs());
  }

  all(): KnownReading[] {
    const nowMs = this.#clocks.monotonicMs();
    return [...this.#cells].map(([{ ref }, cell]) => this.#judge(ref, cell, nowMs));
  }

  /** Takes the readings of one answer: `points` and `readings` in the same order. */
  record(points: readonly PlantPoint[], readings: readonly PointReading[]): void {
    for (const [index, point] of points.entries()) {
      const cell = this.#cells.get(point);
      if (cell === undefined) continue;
      const reading = readings[index];
      cell.reading = reading;
      if (reading?.quality === 'good') cell.lastGood = reading;
      cell.trouble = undefined;
      cell.isTold = false;
    }
    this.#tell(readings);
  }

  /** Points that got no answer keep their last reading until it is stale; those that never had one are bad. */
  noteTrouble(points: readonly PlantPoint[], reason: BadReason, detail: string): void {
    const trouble = { reason, detail };
    for (const point of points) {
      const cell = this.#cells.get(point);
      if (cell !== undefined) cell.trouble = trouble;
    }
    this.tellStale(points);
  }

  /** Tells the listeners of those among the points whose reading has grown stale since. */
  tellStale(points: readonly PlantPoint[]): void {
    const nowMs = this.#clocks.monotonicMs();
    const news: KnownReading[] = [];
    for (const point of points) {
      const cell = this.#cells.get(point);
      if (cell === undefined || cell.isTold) continue;
      const isMissing = cell.reading === undefined && cell.trouble !== undefined;
      if (!isMissing && !isStale(cell, nowMs)) continue;
      cell.isTold = true;
      news.push(this.#judge(point.ref, cell, nowMs));
    }
    if (news.length > 0) this.#tell(news);
  }

  stamp(): ReadingStamp {
    return {
      atMs: this.#clocks.monotonicMs(),
      bootId: this.#clocks.bootId,
      seq: this.#clocks.nextSeq(),
    };
  }

  #judge(ref: PointRef, cell: Cell, nowMs: number): KnownReading {
    const { reading, trouble } = cell;
    if (reading === undefined)
      return badReading(
        { ref },
        trouble?.reason ?? 'not_read',
        trouble?.detail ?? 'not read yet',
        this.stamp(),
      );
    if (reading.quality === 'good' && isStale(cell, nowMs)) return this.#stale(reading, trouble);
    return reading;
  }

  #stale(last: GoodReading, trouble: Trouble | undefined): StaleReading {
    return {
      ref: last.ref,
      ...this.stamp(),
      quality: 'stale',
      reason: trouble?.reason ?? 'not_read',
      detail: trouble?.detail ?? 'not read since',
      last,
    };
  }

  #tell(readings: readonly KnownReading[]): void {
    for (const listener of this.#listeners) listener(readings);
  }
}

function isStale({ reading, staleAfterMs }: Cell, nowMs: number): boolean {
  return reading?.quality === 'good' && nowMs - reading.atMs > staleAfterMs;
}
