import type { Language } from '../language/language.ts';
import { type LocalTime, localTime, momentOf, weekdayOf } from './local-time.ts';
import { daysBetween, type ShiftSettings, WEEKDAY_KEYS } from './shift-settings.ts';

/** A day of the calendar; a day past the end of the month runs on into the next. */
export type Day = Pick<LocalTime, 'year' | 'month' | 'day'>;

export interface Shift {
  /** The first of a language is the one that is said. */
  readonly names: Readonly<Record<Language, readonly string[]>>;
  /** Minutes after midnight. */
  readonly startsAtMin: number;
  readonly endsAtMin: number;
  /** Days on which it begins; Monday is 1, Sunday 7. */
  readonly weekdays: ReadonlySet<number>;
}

/** Which shifts are worked when. */
export interface ShiftCalendar {
  /** In the order of the day. */
  readonly shifts: readonly Shift[];
  /** `YYYY-MM-DD`: no shift begins on these. */
  readonly holidays: ReadonlySet<string>;
}

/** One shift as it was worked: wall times in milliseconds since 1970, `toMs` not included. */
export interface ShiftRun {
  readonly shift: Shift;
  readonly fromMs: number;
  readonly toMs: number;
}

export const NO_SHIFTS: ShiftCalendar = { shifts: [], holidays: new Set() };

const DAY_MIN = 24 * 60;
/** No site is closed for longer; it bounds the search for the shift before. */
const MAX_DAYS_BACK = 120;

const EVERY_DAY: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7]);

export function shiftCalendarOf(settings: ShiftSettings): ShiftCalendar {
  if ('times' in settings) {
    const starts = settings.times.map(({ starts: text }) => minutesOf(text));
    const shifts = settings.times.map((each, i): Shift => {
      const startsAtMin = starts[i] ?? 0;
      return {
        names: each.names,
        startsAtMin,
        endsAtMin: each.ends === undefined ? nextStart(startsAtMin, starts) : minutesOf(each.ends),
        weekdays: new Set(each.days.map((key) => WEEKDAY_KEYS.indexOf(key) + 1)),
      };
    });
    return { shifts: inOrder(shifts), holidays: new Set(settings.holidays.flatMap(daysBetween)) };
  }
  const starts = [...new Set(settings.map(minutesOf))].sort((a, b) => a - b);
  const shifts = starts.map((startsAtMin) => ({
    names: usualNames(startsAtMin, starts),
    startsAtMin,
    endsAtMin: nextStart(startsAtMin, starts),
    weekdays: EVERY_DAY,
  }));
  return { shifts, holidays: new Set() };
}

/** The shift that runs at a moment; of two that overlap the one that began last. */
export function shiftAt(calendar: ShiftCalendar, nowMs: number, timeZone: string): ShiftRun | undefined {
  const today = localTime(nowMs, timeZone);
  return [1, 0, -1, -2]
    .flatMap((days) => runsOn(calendar, { ...today, day: today.day + days }, timeZone))
    .filter((run) => run.fromMs <= nowMs && nowMs < run.toMs)
    .sort((a, b) => b.fromMs - a.fromMs)[0];
}

/**
 * The newest shift that was worked before the one that runs, or the newest that has ended when none runs; `wanted` takes
 * only some of them. Days without work are passed over; undefined when there was none for 120 days.
 */
export function shiftBefore(
  calendar: ShiftCalendar,
  nowMs: number,
  timeZone: string,
  wanted: (shift: Shift) => boolean = () => true,
): ShiftRun | undefined {
  const today = localTime(nowMs, timeZone);
  const beforeMs = shiftAt(calendar, nowMs, timeZone)?.fromMs ?? nowMs;
  for (let days = 1; days >= -MAX_DAYS_BACK; days -= 1) {
    const runs = runsOn(calendar, { ...today, day: today.day + days }, timeZone);
    const found = runs.findLast((run) => run.fromMs < beforeMs && wanted(run.shift));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The shifts that begin on a day, in their order. */
export function runsOn(calendar: ShiftCalendar, day: Day, timeZone: string): readonly ShiftRun[] {
  const date = calendarDay(day);
  if (calendar.holidays.has(isoDay(date))) return [];
  const weekday = weekdayOf(date);
  return calendar.shifts
    .filter((shift) => shift.weekdays.has(weekday))
    .map((shift) => {
      const runsOver = shift.endsAtMin <= shift.startsAtMin ? 1 : 0;
      return {
        shift,
        fromMs: momentOf({ ...date, ...clockOf(shift.startsAtMin) }, timeZone),
        toMs: momentOf({ ...date, day: date.day + runsOver, ...clockOf(shift.endsAtMin) }, timeZone),
      };
    });
}

/** The same day with its month's own number. */
export function calendarDay({ year, month, day }: Day): Day {
  const date = new Date(Date.UTC(year, month - 1, day));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** `YYYY-MM-DD`. */
export function isoDay({ year, month, day }: Day): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

function inOrder(shifts: readonly Shift[]): readonly Shift[] {
  return [...shifts].sort((a, b) => a.startsAtMin - b.startsAtMin);
}

function nextStart(startMin: number, startsMin: readonly number[]): number {
  const gap = (other: number): number => (other - startMin + DAY_MIN - 1) % DAY_MIN;
  return [...startsMin].sort((a, b) => gap(a) - gap(b))[0] ?? startMin;
}

function minutesOf(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  return hour * 60 + minute;
}

function clockOf(minutes: number): { readonly hour: number; readonly minute: number } {
  return { hour: Math.floor(minutes / 60), minute: minutes % 60 };
}

const DAY_SHIFT = { en: ['day shift'], zh: ['白班', '日班'] };
const EARLY_SHIFT = { en: ['early shift', 'morning shift'], zh: ['早班'] };
const LATE_SHIFT = { en: ['late shift', 'afternoon shift'], zh: ['中班'] };
const NIGHT_SHIFT = { en: ['night shift'], zh: ['夜班', '晚班'] };

/** What two or three shifts are called everywhere; of other numbers none has a usual name. */
function usualNames(startMin: number, starts: readonly number[]): Shift['names'] {
  if (starts.length !== 2 && starts.length !== 3) return { en: [], zh: [] };
  // The night shift is the one whose middle is nearest to two in the morning.
  const fromNight = (start: number): number => {
    const length = (nextStart(start, starts) - start + DAY_MIN) % DAY_MIN;
    const away = Math.abs(((start + length / 2) % DAY_MIN) - 120);
    return Math.min(away, DAY_MIN - away);
  };
  const night = [...starts].sort((a, b) => fromNight(a) - fromNight(b))[0] ?? 0;
  if (startMin === night) return NIGHT_SHIFT;
  if (starts.length === 2) return DAY_SHIFT;
  return startMin === nextStart(night, starts) ? EARLY_SHIFT : LATE_SHIFT;
}
