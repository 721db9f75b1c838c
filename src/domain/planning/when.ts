import { isEdgeError } from '../../runtime/edge-error.ts';
import { MIN_CONFIDENCE } from '../history/parse-period.ts';
import type { Period, PeriodSetting } from '../history/period.ts';
import { hearPeriod, type PeriodReading } from '../history/spoken-period.ts';

/** What words for a time come to. */
export type When =
  | { readonly kind: 'one'; readonly period: Period; readonly confidence: number }
  /** None is sure enough: the likeliest first. */
  | { readonly kind: 'which'; readonly readings: readonly PeriodReading[] }
  | { readonly kind: 'future' | 'no_shift' | 'unknown' };

/** Finds the time that was meant, or those that have to be asked about. `setting` is the site's clock and shifts. */
export function when(words: string, setting: PeriodSetting): When {
  try {
    const heard = hearPeriod(words, setting);
    if (heard.kind !== 'heard')
      return { kind: heard.kind === 'future' || heard.kind === 'no_shift' ? heard.kind : 'unknown' };
    const [best] = heard.readings;
    if (best === undefined) return { kind: 'unknown' };
    return best.confidence < MIN_CONFIDENCE
      ? { kind: 'which', readings: heard.readings }
      : { kind: 'one', ...best };
  } catch (error) {
    if (isEdgeError(error, 'PERIOD_UNKNOWN')) return { kind: 'no_shift' };
    throw error;
  }
}

/** As ISO 8601 writes an interval; every tool that takes a period takes it. */
export function isoInterval({ fromMs, toMs }: Period): string {
  return `${new Date(fromMs).toISOString()}/${new Date(toMs).toISOString()}`;
}
