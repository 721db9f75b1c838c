import { normalise } from '../language/tokens.ts';
import { type LocalTime, weekdayOf } from './local-time.ts';
import { wholeNumber } from './period-words.ts';
import { calendarDay, type Day, isoDay } from './shift-calendar.ts';

/** Whole days, `to` not included, and how sure it is that they were meant. */
export interface DaySpan {
  readonly from: Day;
  readonly to: Day;
  /** 0 to 1; 1 where the words leave no choice. */
  readonly confidence: number;
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const WEEKDAY = WEEKDAYS.join('|');
const WEEKDAYS_ZH = '一二三四五六日';
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const MONTH = MONTHS.join('|');
const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
  'thirteenth',
  'fourteenth',
  'fifteenth',
  'sixteenth',
  'seventeenth',
  'eighteenth',
  'nineteenth',
  'twentieth',
];
const FILLERS = /\b(?:the|of|on|in|at|for|from|during)\b/gu;

/** What is said of a date that has a year too few, and of a day that people name in two ways. */
const SURE = 1;
const NEARLY_SURE = 0.9;
const LIKELY = 0.65;
const EVEN = 0.5;
const UNLIKELY = 0.35;

interface Pattern {
  readonly form: RegExp;
  read(found: readonly string[], today: Day): readonly DaySpan[];
}

/** One spelling for the many in which people write days: lower case, without fillers, `15th` for "fifteenth". */
export function plainEnglish(text: string): string {
  let form = normalise(text, 'en').replace(/(\p{L})-(\p{L})/gu, '$1 $2');
  form = form.replace(/\b(twenty|thirty) (\w+)\b/gu, (whole, tens: string, unit: string) => {
    const value = ORDINALS.indexOf(unit) + 1;
    return value >= 1 && value <= 9 ? `${(tens === 'twenty' ? 20 : 30) + value}th` : whole;
  });
  form = form.replace(/\bthirtieth\b/gu, '30th').replace(/\b(\d{1,2})(?:st|nd|rd)\b/gu, '$1th');
  form = form.replace(/\b\w+\b/gu, (word) => {
    const value = ORDINALS.indexOf(word) + 1;
    return value > 0 ? `${value}th` : word;
  });
  return form.replace(FILLERS, ' ').replace(/[,.]/gu, ' ').replace(/\s+/gu, ' ').trim();
}

/** Without spaces and 的; 周 for every word for a week. */
export function plainChinese(text: string): string {
  return normalise(text, 'zh')
    .replace(/[\s的，。、]+/gu, '')
    .replace(/个?(?:星期|礼拜)/gu, '周')
    .replace(/周天/gu, '周日')
    .replace(/个周/gu, '周');
}

/**
 * The days that the words name, the likeliest first; empty when they name none. Those to come are among them.
 * "Last Wednesday" is the newest one before today; from Thursday to Sunday some mean the one of the week before, and of the
 * day just gone most would say "yesterday": both are given. 上周三 always is the one of the week before.
 */
export function daysNamed(text: string, today: LocalTime): readonly DaySpan[] {
  const en = plainEnglish(text);
  const zh = plainChinese(text);
  for (const { form, read } of PATTERNS) {
    const found = form.exec(en) ?? form.exec(zh);
    if (found !== null)
      return read(
        found.map((part) => part ?? ''),
        today,
      );
  }
  return [];
}

const PATTERNS: readonly Pattern[] = [
  { form: /^(?:today|今天|今日|当天)$/u, read: (_, today) => day(today, 0) },
  { form: /^(?:yesterday|昨天|昨日)$/u, read: (_, today) => day(today, -1) },
  { form: /^(?:day before yesterday|前天|前日)$/u, read: (_, today) => day(today, -2) },
  { form: /^大前天$/u, read: (_, today) => day(today, -3) },
  { form: /^(.+?) days? ago$/u, read: ([, count = ''], today) => daysAgo(wholeNumber(count, 'en'), today) },
  {
    form: /^(.+?)天(?:前|以前|之前)$/u,
    read: ([, count = ''], today) => daysAgo(wholeNumber(count, 'zh'), today),
  },
  {
    form: /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/u,
    read: ([, y, m, d]) => dated(Number(y), Number(m), Number(d), SURE),
  },

  {
    form: new RegExp(`^(?:last|previous|past) (${WEEKDAY})$`, 'u'),
    read: ([, name = ''], today) => lastWeekday(weekdayNamed(name), today),
  },
  {
    form: new RegExp(`^(?:this )?(${WEEKDAY})(?: this week)?$`, 'u'),
    read: ([whole = '', name = ''], today) =>
      whole === name ? newestWeekday(weekdayNamed(name), today) : weekdayOfWeek(weekdayNamed(name), 0, today),
  },
  {
    form: new RegExp(`^(?:(${WEEKDAY}) last week|last week (${WEEKDAY}))$`, 'u'),
    read: ([, a = '', b = ''], today) => weekdayOfWeek(weekdayNamed(a + b), -1, today),
  },
  {
    form: new RegExp(`^(?:(${WEEKDAY}) week before last|week before last (${WEEKDAY}))$`, 'u'),
    read: ([, a = '', b = ''], today) => weekdayOfWeek(weekdayNamed(a + b), -2, today),
  },
  {
    form: /^(上上|上|本|这)周([一二三四五六日])$/u,
    read: ([, which = '', name = ''], today) =>
      weekdayOfWeek(WEEKDAYS_ZH.indexOf(name) + 1, WEEKS_BACK[which] ?? 0, today),
  },
  {
    form: /^周([一二三四五六日])$/u,
    read: ([, name = ''], today) => newestWeekday(WEEKDAYS_ZH.indexOf(name) + 1, today),
  },
  { form: /^(?:week before last|上上周)$/u, read: (_, today) => week(-2, today) },

  {
    form: /^(?:(\d{1,2})(?:th)? (this|last) month|(this|last) month (\d{1,2})(?:th)?)$/u,
    read: ([, a = '', whichA = '', whichB = '', b = ''], today) =>
      dayOfMonth(Number(a + b), whichA + whichB === 'last' ? -1 : 0, today),
  },
  { form: /^(\d{1,2})th$/u, read: ([, number], today) => newestDayOfMonth(Number(number), today) },
  {
    form: /^(本月|这个月|上个月|上月)(.+?)[号日]$/u,
    read: ([, which = '', number = ''], today) =>
      dayOfMonth(wholeNumber(number, 'zh') ?? 0, which.startsWith('上') ? -1 : 0, today),
  },
  {
    form: /^([一二三四五六七八九十\d]{1,3})[号日]$/u,
    read: ([, number = ''], today) => newestDayOfMonth(wholeNumber(number, 'zh') ?? 0, today),
  },

  {
    form: new RegExp(`^(${MONTH}) (\\d{1,2})(?:th)?( .+)?$`, 'u'),
    read: ([, month = '', number, year = ''], today) =>
      dateOf(monthNamed(month), Number(number), year.trim(), today),
  },
  {
    form: new RegExp(`^(\\d{1,2})(?:th)? (${MONTH})( .+)?$`, 'u'),
    read: ([, number, month = '', year = ''], today) =>
      dateOf(monthNamed(month), Number(number), year.trim(), today),
  },
  {
    form: /^(今年|去年|前年|\d{4}年)?([一二三四五六七八九十\d]{1,2})月([一二三四五六七八九十\d]{1,3})[号日]$/u,
    read: ([, year = '', month = '', number = ''], today) =>
      dateOf(wholeNumber(month, 'zh') ?? 0, wholeNumber(number, 'zh') ?? 0, year, today),
  },

  {
    form: new RegExp(`^(${MONTH})( .+)?$`, 'u'),
    read: ([, month = '', year = ''], today) => monthsOf(monthNamed(month), 1, year.trim(), today),
  },
  {
    form: /^(今年|去年|前年|\d{4}年)?([一二三四五六七八九十\d]{1,2})月份?$/u,
    read: ([, year = '', month = ''], today) => monthsOf(wholeNumber(month, 'zh') ?? 0, 1, year, today),
  },
  {
    form: /^(?:q([1-4])|([1-4])th quarter|quarter ([1-4]))( .+)?$/u,
    read: ([, a = '', b = '', c = '', year = ''], today) =>
      monthsOf(3 * Number(a + b + c) - 2, 3, year.trim(), today),
  },
  {
    form: /^(今年|去年|前年|\d{4}年)?第?([一二三四1-4])季度?$/u,
    read: ([, year = '', number = ''], today) =>
      monthsOf(3 * (wholeNumber(number, 'zh') ?? 0) - 2, 3, year, today),
  },
  {
    form: /^(?:(this|last) quarter|(本|这个|上个|上)季度?)$/u,
    read: ([, en = '', zh = ''], today) => quarter(en === 'last' || zh.startsWith('上') ? -1 : 0, today),
  },
  {
    form: /^(?:this year|last year|今年|去年|前年|\d{4}年|20\d\d)$/u,
    read: ([text = ''], today) => months(yearOf(text, today), 1, 12, SURE),
  },
];

const WEEKS_BACK: Readonly<Record<string, number>> = { 上上: -2, 上: -1, 本: 0, 这: 0 };

function span(from: Day, to: Day, confidence: number): DaySpan {
  return { from: calendarDay(from), to: calendarDay(to), confidence };
}

function day(today: Day, days: number, confidence = SURE): readonly DaySpan[] {
  const { year, month, day: number } = today;
  return [span({ year, month, day: number + days }, { year, month, day: number + days + 1 }, confidence)];
}

function daysAgo(count: number | undefined, today: Day): readonly DaySpan[] {
  return count === undefined || count < 1 || count > 3660 ? [] : day(today, -count);
}

function weekdayNamed(name: string): number {
  return WEEKDAYS.indexOf(name) + 1;
}

function monthNamed(name: string): number {
  return MONTHS.indexOf(name) + 1;
}

/** English "last Wednesday"; see `daysNamed`. */
function lastWeekday(weekday: number, today: Day): readonly DaySpan[] {
  const since = weekdayOf(today) - weekday;
  if (since <= 0) return day(today, -since - 7);
  return since === 1
    ? [...day(today, -8, EVEN), ...day(today, -1, EVEN)]
    : [...day(today, -since, LIKELY), ...day(today, -since - 7, UNLIKELY)];
}

/** A weekday alone: the newest there is, and on the day itself perhaps the one a week ago. */
function newestWeekday(weekday: number, today: Day): readonly DaySpan[] {
  const since = (weekdayOf(today) - weekday + 7) % 7;
  return since === 0
    ? [...day(today, 0, LIKELY), ...day(today, -7, UNLIKELY)]
    : day(today, -since, NEARLY_SURE);
}

function weekdayOfWeek(weekday: number, weeks: number, today: Day): readonly DaySpan[] {
  return day(today, weekday - weekdayOf(today) + 7 * weeks);
}

function week(weeks: number, today: Day): readonly DaySpan[] {
  const monday = today.day + 1 - weekdayOf(today) + 7 * weeks;
  return [span({ ...today, day: monday }, { ...today, day: monday + 7 }, SURE)];
}

function dated(year: number, month: number, number: number, confidence: number): readonly DaySpan[] {
  const date = { year, month, day: number };
  const real = calendarDay(date);
  if (real.month !== month || real.day !== number) return [];
  return [span(date, { ...date, day: number + 1 }, confidence)];
}

function dayOfMonth(number: number, monthsBack: number, today: Day): readonly DaySpan[] {
  const { year, month } = calendarDay({ ...today, month: today.month + monthsBack, day: 1 });
  return dated(year, month, number, SURE);
}

/** "The 15th": of this month when it has come, else of the newest month that has such a day. */
function newestDayOfMonth(number: number, today: Day): readonly DaySpan[] {
  for (let back = 0; back >= -2; back -= 1) {
    const found = dayOfMonth(number, back, today).filter(({ from }) => isoDay(from) <= isoDay(today));
    if (found.length > 0)
      return found.map((each) => ({ ...each, confidence: back === 0 ? NEARLY_SURE : LIKELY }));
  }
  return [];
}

function dateOf(month: number, number: number, year: string, today: Day): readonly DaySpan[] {
  if (year !== '') return dated(yearOf(year, today), month, number, SURE);
  const thisYear = dated(today.year, month, number, NEARLY_SURE).filter(
    ({ from }) => isoDay(from) <= isoDay(today),
  );
  return thisYear.length > 0 ? thisYear : dated(today.year - 1, month, number, NEARLY_SURE);
}

/** Months without their year are the newest that have begun. */
function monthsOf(first: number, count: number, year: string, today: Day): readonly DaySpan[] {
  if (!(first >= 1 && first <= 12)) return [];
  if (year !== '') return months(yearOf(year, today), first, count, SURE);
  return first <= today.month
    ? months(today.year, first, count, NEARLY_SURE)
    : months(today.year - 1, first, count, NEARLY_SURE);
}

function quarter(back: number, today: Day): readonly DaySpan[] {
  const first = 3 * Math.floor((today.month - 1) / 3) + 1 + 3 * back;
  return months(today.year, first, 3, SURE);
}

function months(year: number, first: number, count: number, confidence: number): readonly DaySpan[] {
  if (!Number.isFinite(year)) return [];
  return [span({ year, month: first, day: 1 }, { year, month: first + count, day: 1 }, confidence)];
}

function yearOf(text: string, today: Day): number {
  if (text === 'this year' || text === '今年') return today.year;
  if (text === 'last year' || text === '去年') return today.year - 1;
  if (text === '前年') return today.year - 2;
  const [, digits] = /^(\d{4})年?$/u.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits);
}
