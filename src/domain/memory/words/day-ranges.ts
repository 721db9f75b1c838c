import { weekdayOf } from '../../history/local-time.ts';
import { calendarDay, type Day, isoDay } from '../../history/shift-calendar.ts';

/** Whole days; `to` is not included. Days beyond a month's end run on into the next. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

export interface DayRanges {
  readonly past?: DayRange;
  readonly next?: DayRange;
}

export function plus(today: Day, days: number, length = 1): DayRange {
  const { year, month, day } = today;
  return { from: { year, month, day: day + days }, to: { year, month, day: day + days + length } };
}

/** Forward or back from today, by the sign. */
export function away(today: Day, days: number, length = 1): DayRanges {
  const range = plus(today, days, length);
  return { ...(days <= 0 ? { past: range } : {}), ...(days + length > 0 ? { next: range } : {}) };
}

export function weekday(name: number, weeks: number | undefined, today: Day): DayRanges {
  const offset = name - weekdayOf(today);
  if (weeks !== undefined) return away(today, offset + 7 * weeks);
  return {
    past: plus(today, offset > 0 ? offset - 7 : offset),
    next: plus(today, offset < 0 ? offset + 7 : offset),
  };
}

/** A range of each year: the newest that has begun and the first that has not ended. */
function yearly(
  rangeOf: (year: number) => DayRange,
  year: number | undefined,
  today: Day,
): DayRanges | undefined {
  if (year !== undefined) return { past: rangeOf(year), next: rangeOf(year) };
  const ranges = [today.year - 1, today.year, today.year + 1].map(rangeOf);
  const now = isoDay(today);
  const past = ranges.filter(({ from }) => isoDay(calendarDay(from)) <= now).at(-1);
  const next = ranges.find(({ to }) => isoDay(calendarDay(to)) > now);
  return { ...(past === undefined ? {} : { past }), ...(next === undefined ? {} : { next }) };
}

export function date(month: number, day: number, year: string, today: Day): DayRanges | undefined {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return undefined;
  const rangeOf = (y: number): DayRange => ({
    from: { year: y, month, day },
    to: { year: y, month, day: day + 1 },
  });
  return yearly(rangeOf, year === '' ? undefined : Number(year), today);
}

export function wholeMonth(month: number, year: string, today: Day): DayRanges | undefined {
  if (!(month >= 1 && month <= 12)) return undefined;
  const rangeOf = (y: number): DayRange => ({
    from: { year: y, month, day: 1 },
    to: { year: y, month: month + 1, day: 1 },
  });
  return yearly(rangeOf, year === '' ? undefined : Number(year), today);
}

/** The week with the month's n-th Monday; the first begins with the month. */
export function weekOfMonth(month: number, number: number, today: Day): DayRanges | undefined {
  if (!(month >= 1 && month <= 12 && number >= 0)) return undefined;
  const rangeOf = (year: number): DayRange => {
    if (number === 0)
      return { from: { year, month: month + 1, day: -6 }, to: { year, month: month + 1, day: 1 } };
    const day = 1 + 7 * (number - 1);
    return { from: { year, month, day }, to: { year, month, day: day + 7 } };
  };
  return yearly(rangeOf, undefined, today);
}

export function dayOfMonth(day: number, today: Day): DayRanges | undefined {
  if (!(day >= 1 && day <= 31)) return undefined;
  const at = (months: number): DayRange | undefined => {
    const from = { year: today.year, month: today.month + months, day };
    return calendarDay(from).day === day ? { from, to: { ...from, day: day + 1 } } : undefined;
  };
  const past = at(day <= today.day ? 0 : -1) ?? at(-2);
  const next = at(day >= today.day ? 0 : 1) ?? at(2);
  return { ...(past === undefined ? {} : { past }), ...(next === undefined ? {} : { next }) };
}

export function week(weeks: number, today: Day): DayRanges {
  return away(today, 1 - weekdayOf(today) + 7 * weeks, 7);
}

export function month(months: number, today: Day): DayRanges {
  const range = {
    from: { year: today.year, month: today.month + months, day: 1 },
    to: { year: today.year, month: today.month + months + 1, day: 1 },
  };
  return { ...(months <= 0 ? { past: range } : {}), ...(months >= 0 ? { next: range } : {}) };
}

export function endOfMonth(months: number, today: Day): DayRanges {
  const to = { year: today.year, month: today.month + months + 1, day: 1 };
  return { next: { from: { ...to, day: 0 }, to } };
}

export function endOf(unit: string, today: Day): DayRanges {
  if (unit === 'week') return { next: plus(today, 7 - weekdayOf(today)) };
  if (unit === 'month') return endOfMonth(0, today);
  if (unit === 'year') {
    const to = { year: today.year + 1, month: 1, day: 1 };
    return { next: { from: { ...to, day: 0 }, to } };
  }
  return away(today, 0);
}

/** "Last" and "next" leave no choice of direction, and never mean today. */
export function onlyOne(ranges: DayRanges, which: string, name: number, today: Day): DayRanges {
  const isToday = name === weekdayOf(today);
  if (which === 'last')
    return isToday
      ? { past: plus(today, -7) }
      : { ...(ranges.past === undefined ? {} : { past: ranges.past }) };
  return isToday ? { next: plus(today, 7) } : { ...(ranges.next === undefined ? {} : { next: ranges.next }) };
}
