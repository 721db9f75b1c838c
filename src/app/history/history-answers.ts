import type { ClockState } from '../../domain/envelope.ts';
import { parsePeriod } from '../../domain/history/period.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';
import type { PointValue } from '../../domain/plc/reading.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import type { HistoryStore, HistoryValue } from '../ports/history-store.ts';

interface Parts {
  readonly plant: PlantModel;
  readonly store: HistoryStore;
  readonly clocks: Clocks;
  readonly timeZone: string;
  readonly shifts: readonly string[];
  readonly clockState: () => ClockState;
}

interface TimedValue {
  readonly value: PointValue;
  readonly at: string;
}

/** What was recorded of one point over one period; a figure that nothing is known of is left out. */
export interface HistoryReport {
  readonly machine: string;
  readonly point: string;
  readonly unit?: string;
  readonly from: string;
  readonly to: string;
  /** While the clock of the box is not known to be right, times are as it shows them. */
  readonly clock: ClockState;
  readonly samples: number;
  /** Share of the period for which a good value is known, 0 to 1. */
  readonly coverage: number;
  readonly changes?: number;
  readonly min?: TimedValue;
  readonly max?: TimedValue;
  readonly mean?: number;
  readonly last?: TimedValue;
  /** Seconds for which it was true; bool points only. */
  readonly true_s?: number;
  /** Recorded before the clock was set and not dated since: they may belong to any period and are in no figure. */
  readonly undated_samples?: number;
}

/** Answers what happened to a point, or to all points of a machine, over a period that is named in words. */
export class HistoryAnswers {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Throws EdgeError INPUT_INVALID for a machine or point that there is not, PERIOD_UNKNOWN for words that name none. */
  async over(machine: string, point: string | undefined, period: string): Promise<readonly HistoryReport[]> {
    const { clocks, clockState, timeZone, shifts, store } = this.#parts;
    const refs = this.#refs(machine, point);
    const range = parsePeriod(period, {
      nowMs: clocks.wall().getTime(),
      timeZone,
      shiftStarts: shifts,
    });
    const clock = clockState();
    const reports: HistoryReport[] = [];
    for (const ref of refs) {
      const found = await store.aggregate(ref, range, {
        undated: clock === 'synced' ? 'leave_out' : 'include',
      });
      const unit = this.#parts.plant.unit(ref)?.en;
      reports.push({
        ...ref,
        ...(unit === undefined ? {} : { unit }),
        from: isoOf(range.fromMs),
        to: isoOf(range.toMs),
        clock,
        samples: found?.samples ?? 0,
        coverage: found?.coverage ?? 0,
        ...(found === undefined || found.samples === 0
          ? {}
          : {
              changes: found.changes,
              ...(found.min === undefined ? {} : { min: timed(found.min) }),
              ...(found.max === undefined ? {} : { max: timed(found.max) }),
              ...(found.mean === undefined ? {} : { mean: found.mean }),
              ...(found.last === undefined ? {} : { last: timed(found.last) }),
              ...(found.trueS === undefined ? {} : { true_s: found.trueS }),
            }),
        ...(found === undefined || found.undatedSamples === 0 || clock === 'unsynced'
          ? {}
          : { undated_samples: found.undatedSamples }),
      });
    }
    return reports;
  }

  #refs(machine: string, point: string | undefined): readonly PointRef[] {
    const { plant } = this.#parts;
    const found = plant.machine(machine);
    if (found === undefined)
      throw new EdgeError(
        'INPUT_INVALID',
        `there is no machine "${machine}".${didYouMean(machine, plant.machines.keys())}`,
      );
    if (point === undefined) return [...found.points.values()].map(({ ref }) => ref);
    if (!found.points.has(point))
      throw new EdgeError(
        'INPUT_INVALID',
        `${machine} has no point "${point}".${didYouMean(point, found.points.keys())}`,
      );
    return [{ machine, point }];
  }
}

function timed({ value, atMs }: HistoryValue): TimedValue {
  return { value, at: isoOf(atMs) };
}

function isoOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
