import { momentOf } from '../domain/history/local-time.ts';
import { parsePeriod } from '../domain/history/parse-period.ts';
import type { PeriodSetting } from '../domain/history/period.ts';
import { EdgeError, isEdgeError } from '../runtime/edge-error.ts';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const LOCAL = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):([0-5]\d)$/u;

/**
 * A time, how long ago, or the start of a period: `2026-03-01T12:00`, `90m`, `yesterday`; in milliseconds since 1970. Throws EdgeError USAGE
 * that names the option.
 */
export function parseMoment(text: string, option: string, setting: PeriodSetting): number {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/u.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (amount !== undefined && unitMs !== undefined) return setting.nowMs - Number(amount) * unitMs;
  const [, year, month, day, hour, minute] = LOCAL.exec(text)?.map(Number) ?? [];
  if (
    year !== undefined &&
    month !== undefined &&
    day !== undefined &&
    hour !== undefined &&
    minute !== undefined
  )
    return momentOf({ year, month, day, hour, minute }, setting.timeZone);
  // With a zone of its own, or seconds, it is a moment for machines; all else is as the clocks of the site show it.
  const at = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d|:\d\d:\d\d.*)$/u.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isFinite(at)) return at;
  try {
    return parsePeriod(text, setting).fromMs;
  } catch (error) {
    if (!isEdgeError(error, 'PERIOD_UNKNOWN')) throw error;
    throw new EdgeError(
      'USAGE',
      `${option} takes a time such as 2026-03-01T12:00, 90m, 2h, 7d, yesterday or "last shift": ${error.message}`,
      { cause: error },
    );
  }
}
