import type { ClockState } from '../../domain/envelope.ts';
import { parsePeriod } from '../../domain/history/parse-period.ts';
import type { ShiftCalendar } from '../../domain/history/shift-calendar.ts';
import { findByName } from '../../domain/plc/find-by-name.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';
import type { PointValue } from '../../domain/plc/reading.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { HistoryStore, HistoryValue } from '../ports/history-store.ts';

interface Parts {
  readonly plant: PlantModel;
  readonly store: HistoryStore;
  readonly clocks: Clocks;
  readonly timeZone: string;
  readonly shifts: ShiftCalendar;
  readonly clockState: () => ClockState;
}

export interface TimedValue {
  readonly value: PointValue;
  /** What the value is called, in English, where the device map names it. */
  readonly meaning?: string;
  readonly at: string;
}

/** What was recorded of one point over one period; a figure that nothing is known of is left out. */
export interface HistoryReport {
  readonly machine: string;
  readonly point: string;
  readonly unit?: string;
  /** To how many decimals a person wants it, where the device map says; no figure is rounded. */
  readonly decimals?: number;
  /** IANA name of the zone whose days and shifts count. */
  readonly time_zone: string;
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

  /**
   * Machine and point are keys or names in any language.
   * Throws EdgeError INPUT_INVALID for a machine or point that there is not, PERIOD_UNKNOWN for words that name none.
   */
  async over(machine: string, point: string | undefined, period: string): Promise<readonly HistoryReport[]> {
    const { plant, clocks, clockState, timeZone, shifts, store } = this.#parts;
    const refs = this.#refs(machine, point);
    const range = parsePeriod(period, {
      nowMs: clocks.wall().getTime(),
      timeZone,
      shifts,
    });
    const clock = clockState();
    const reports: HistoryReport[] = [];
    for (const ref of refs) {
      const found = await store.aggregate(ref, range, {
        undated: clock === 'synced' ? 'leave_out' : 'include',
      });
      const unit = plant.unit(ref)?.en;
      const decimals = plant.decimals(ref);
      const timed = ({ value, atMs }: HistoryValue): TimedValue => {
        const meaning = plant.enumText(ref, value)?.en;
        return { value, ...(meaning === undefined ? {} : { meaning }), at: isoOf(atMs) };
      };
      reports.push({
        ...ref,
        ...(unit === undefined ? {} : { unit }),
        ...(decimals === undefined ? {} : { decimals }),
        time_zone: timeZone,
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

  /**
   * The values of one point over a period, oldest first, at most `limit`; `next` is the place to go on at, milliseconds
   * since 1970. Good ones only, and only those whose time is known. Throws as `over` does.
   */
  async samplesOver(
    machine: string,
    point: string,
    period: string,
    limit: number,
    afterMs: number = Number.NEGATIVE_INFINITY,
  ): Promise<{ readonly samples: readonly TimedValue[]; readonly next: number | undefined }> {
    const { plant, clocks, timeZone, shifts, store } = this.#parts;
    const [ref] = this.#refs(machine, point);
    if (ref === undefined) return { samples: [], next: undefined };
    const range = parsePeriod(period, { nowMs: clocks.wall().getTime(), timeZone, shifts });
    const fromMs = Math.max(range.fromMs, afterMs + 1);
    if (fromMs >= range.toMs) return { samples: [], next: undefined };
    const found = await store.samples(ref, { fromMs, toMs: range.toMs }, limit);
    const last = found.at(-1);
    const samples = found.flatMap(({ quality, value, atMs }): TimedValue[] => {
      if (quality !== 'good' || value === undefined) return [];
      const meaning = plant.enumText(ref, value)?.en;
      return [{ value, ...(meaning === undefined ? {} : { meaning }), at: isoOf(atMs) }];
    });
    return { samples, next: found.length < limit ? undefined : last?.atMs };
  }

  #refs(machine: string, point: string | undefined): readonly PointRef[] {
    const { plant } = this.#parts;
    const id = findByName(machine, plant.machineList(), 'machine');
    if (point === undefined) return [...(plant.machine(id)?.points.values() ?? [])].map(({ ref }) => ref);
    return [{ machine: id, point: findByName(point, plant.pointList(id), `point of ${id}`) }];
  }
}

function isoOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
