import type { Sample } from '../../domain/history/sample.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';
import type { PointValue } from '../../domain/plc/reading.ts';
import type { Service } from '../../runtime/service.ts';

/** Wall times in milliseconds since 1970; `toMs` is not included. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface HistoryValue<T extends PointValue = PointValue> {
  readonly value: T;
  /** When it was first so within the period. */
  readonly atMs: number;
}

/** What was recorded of a point over a period. Only good samples count. */
export interface HistoryAggregate {
  /** Good samples taken within the period. */
  readonly samples: number;
  /** Seconds of the period for which a good value is known; the rest is a gap. */
  readonly coveredS: number;
  /** `coveredS` of the seconds of the period, 0 to 1. */
  readonly coverage: number;
  /** How often the value became another one. */
  readonly changes: number;
  /** The value at the end of the period, or the last one known in it; `atMs` is when it was last seen. */
  readonly last?: HistoryValue;
  /** Numbers only. */
  readonly min?: HistoryValue<number>;
  readonly max?: HistoryValue<number>;
  /** Weighted by the time each value held. */
  readonly mean?: number;
  /** Seconds true; bool points only. */
  readonly trueS?: number;
  /**
   * Samples of this point whose time is not known, because the clock was not set before the box was switched off again:
   * they may belong to any period. Not in the figures above unless `undated` was `include`.
   */
  readonly undatedSamples: number;
}

export interface HistoryOptions {
  /** `include` takes samples without a sure time by the clock as it was. `leave_out` when not given. */
  readonly undated?: 'leave_out' | 'include';
}

export interface HistoryPoint {
  readonly ref: PointRef;
  readonly latest: Sample | undefined;
}

/** Every recorded value of every point, and what they add up to. */
export interface HistoryStore extends Service {
  /**
   * Takes samples in the order they were taken. Never throws and never waits: what there is no room for is dropped and
   * counted in `health`. They can be asked for at once and are on disk within the flush interval.
   */
  append(samples: readonly Sample[]): void;
  /** Undefined for a point that was never recorded. Rejects with EdgeError STATE_DB_FAILED when the file cannot be read. */
  aggregate(ref: PointRef, range: TimeRange, options?: HistoryOptions): Promise<HistoryAggregate | undefined>;
  /** The samples whose time is known, oldest first, at most `limit` from the start of the range on. */
  samples(ref: PointRef, range: TimeRange, limit: number): Promise<readonly Sample[]>;
  /** The samples without a sure time, in the order they were taken. */
  undatedSamples(ref: PointRef, limit: number): Promise<readonly Sample[]>;
  /** The sample appended last, of whatever quality. */
  latest(ref: PointRef): Sample | undefined;
  points(): readonly HistoryPoint[];
  /** Resolves when all that was appended before is on disk; rejects when it could not be written. */
  flush(): Promise<void>;
  /** Checks the whole file, to be called once after READY: a damaged one is set aside and a new one begun. False then. */
  check(): Promise<boolean>;
}
