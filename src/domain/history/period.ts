import { EdgeError } from '../../runtime/edge-error.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import { type LocalTime, localTime, momentOf, weekdayOf } from './local-time.ts';
import { PERIOD_WORDS, type PeriodName, periodNamed } from './period-words.ts';

/** Wall times in milliseconds since 1970; `toMs` is not included. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a period depends on besides its name. */
export interface PeriodSetting {
  readonly nowMs: number;
  /** IANA name of the zone the site lives by, such as `Asia/Shanghai`. */
  readonly timeZone: string;
  /** When shifts begin, `HH:MM`, each at the end of the one before; the last one of a day runs into the next morning. */
  readonly shiftStarts: readonly string[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Nobody asks about more of these; it keeps arithmetic on dates sane. */
const MAX_COUNT = 10_000;

/**
 * A named period up to now, or one that has ended. Days, weeks and shifts are those of the site's clocks: a day in which
 * they change has 23 or 25 hours. Throws EdgeError PERIOD_UNKNOWN when a shift is asked for and none are set.
 */
export function periodOf(name: PeriodName, setting: PeriodSetting): Period {
  const { nowMs, timeZone } = setting;
  const today = localTime(nowMs, timeZone);
  const midnight = (days: number): number => startOfDay(today, days, timeZone);
  const sinceMonday = 1 - weekdayOf(today);
  const upToNow = (fromMs: number): Period => ({ fromMs: Math.min(fromMs, nowMs), toMs: nowMs });
  switch (name.kind) {
    case 'today':
      return upToNow(midnight(0));
    case 'yesterday':
      return { fromMs: midnight(-1), toMs: midnight(0) };
    case 'day before yesterday':
      return { fromMs: midnight(-2), toMs: midnight(-1) };
    case 'this week':
      return upToNow(midnight(sinceMonday));
    case 'last week':
      return { fromMs: midnight(sinceMonday - 7), toMs: midnight(sinceMonday) };
    case 'this month':
      return upToNow(momentOf({ ...today, day: 1, hour: 0, minute: 0 }, timeZone));
    case 'last month':
      return {
        fromMs: momentOf({ ...today, month: today.month - 1, day: 1, hour: 0, minute: 0 }, timeZone),
        toMs: momentOf({ ...today, day: 1, hour: 0, minute: 0 }, timeZone),
      };
    case 'this shift':
      return upToNow(shift(0, today, setting).fromMs);
    case 'last shift':
      return shift(-1, today, setting);
    case 'since weekday': {
      // On a Monday, "since Monday" is since this morning.
      const days = (weekdayOf(today) - name.weekday + 7) % 7;
      return upToNow(midnight(-days));
    }
    case 'last minutes':
      return { fromMs: nowMs - name.count * MINUTE_MS, toMs: nowMs };
    case 'last hours':
      return { fromMs: nowMs - name.count * HOUR_MS, toMs: nowMs };
    case 'last days':
      return upToNow(momentOf({ ...today, day: today.day - name.count }, timeZone) + today.second * 1000);
  }
}

/**
 * The period that the words mean, in English or Chinese: a name of the table, or two dates such as
 * `2026-03-01 .. 2026-03-05 14:00`, of which a date alone is the whole day, as in `2026-03-01`.
 * Throws EdgeError PERIOD_UNKNOWN, naming the nearest words there are.
 */
export function parsePeriod(text: string, setting: PeriodSetting): Period {
  const name = periodNamed(text);
  if (name !== undefined) {
    if ('count' in name && !(name.count >= 1 && name.count <= MAX_COUNT))
      throw unknown(`"${text.trim()}" asks for too much or nothing`, `ask for 1 to ${MAX_COUNT}`);
    return periodOf(name, setting);
  }
  const [first = '', second, ...more] = text.trim().split(/\s*(?:\.\.|\bto\b|至|到)\s*/u);
  const from = parseDate(first, setting.timeZone);
  const to = second === undefined ? from : parseDate(second, setting.timeZone);
  if (from === undefined || to === undefined || more.length > 0) {
    const words = PERIOD_WORDS.flatMap(({ en, zh }) => [...en, ...zh]);
    throw unknown(
      `"${text.trim()}" is no period.${didYouMean(text.trim().toLowerCase(), words)}`,
      'say "yesterday", "last shift", "last 24 hours", or two dates: 2026-03-01 .. 2026-03-05',
    );
  }
  if (to.toMs <= from.fromMs)
    throw unknown(`"${text.trim()}" ends before it begins`, 'put the earlier date first');
  return { fromMs: from.fromMs, toMs: to.toMs };
}

/** The shift `back` before the one that runs now (0, -1, …). */
function shift(back: number, today: LocalTime, { nowMs, timeZone, shiftStarts }: PeriodSetting): Period {
  if (shiftStarts.length === 0) throw unknown('no shifts are set for this site', 'set when the shifts begin');
  const times = shiftStarts.map((text) => parseClock(text));
  const starts: number[] = [];
  for (let day = -2 + Math.floor(back / times.length); day <= 2; day += 1) {
    for (const time of times) starts.push(momentOf({ ...today, ...time, day: today.day + day }, timeZone));
  }
  starts.sort((a, b) => a - b);
  const running = starts.findLastIndex((start) => start <= nowMs);
  const [fromMs = nowMs, toMs = nowMs] = [starts[running + back], starts[running + back + 1]];
  return { fromMs, toMs };
}

function parseClock(text: string): { readonly hour: number; readonly minute: number } {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/u.exec(text.trim()) ?? [];
  if (hour === undefined || minute === undefined)
    throw unknown(`"${text}" is no time of day`, 'write hours and minutes: 06:00');
  return { hour: Number(hour), minute: Number(minute) };
}

/** A day, or the minute that a date and time name. */
function parseDate(text: string, timeZone: string): Period | undefined {
  const [, year, month, day, hour, minute] =
    /^(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})日?(?:[T\s]*(\d{1,2})[:点时](\d{2})分?)?$/u.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  const real = new Date(Date.UTC(date.year, date.month - 1, date.day));
  if (real.getUTCMonth() !== date.month - 1 || real.getUTCDate() !== date.day) return undefined;
  if (hour === undefined || minute === undefined)
    return { fromMs: startOfDay(date, 0, timeZone), toMs: startOfDay(date, 1, timeZone) };
  if (Number(hour) > 23 || Number(minute) > 59) return undefined;
  const atMs = momentOf({ ...date, hour: Number(hour), minute: Number(minute) }, timeZone);
  return { fromMs: atMs, toMs: atMs };
}

function startOfDay(
  { year, month, day }: Pick<LocalTime, 'year' | 'month' | 'day'>,
  days: number,
  timeZone: string,
): number {
  return momentOf({ year, month, day: day + days, hour: 0, minute: 0 }, timeZone);
}

function unknown(message: string, hint: string): EdgeError {
  return new EdgeError('PERIOD_UNKNOWN', message, { hint });
}
