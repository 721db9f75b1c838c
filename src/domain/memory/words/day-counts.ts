import type { LocalTime } from '../../history/local-time.ts';
import { wholeNumber } from '../../history/period-words.ts';
import type { Day } from '../../history/shift-calendar.ts';
import type { Language } from '../../language/language.ts';
import { away, type DayRanges, date } from './day-ranges.ts';

const HOUR_MS = 3_600_000;

/** A pattern for lower-case text; what a group named `keep` holds at its beginning is no part of the phrase, and counts as the first group. */
export type DayForm =
  | { readonly form: RegExp; days(groups: readonly string[], today: LocalTime): DayRanges | undefined }
  | { readonly form: RegExp; afterMs(groups: readonly string[]): number | undefined };

const count = (text: string, language: Language): number | undefined =>
  /^an?$/u.test(text) ? 1 : text === '半' ? 0.5 : wholeNumber(text, language);

const WHICH_WEEK: Readonly<Record<string, number>> = {
  last: -1,
  this: 0,
  next: 1,
  上上: -2,
  上: -1,
  这: 0,
  本: 0,
  下: 1,
  下下: 2,
};
export const weeksOf = (which: string): number => WHICH_WEEK[which.replace(/个$/u, '')] ?? 0;
export const DAYS_AWAY: Readonly<Record<string, number>> = {
  today: 0,
  tonight: 0,
  'this morning': 0,
  'this afternoon': 0,
  'this evening': 0,
  tomorrow: 1,
  yesterday: -1,
  'last night': -1,
  'the day after tomorrow': 2,
  'the day before yesterday': -2,
  'day after tomorrow': 2,
  'day before yesterday': -2,
  今天: 0,
  今日: 0,
  今晚: 0,
  今早: 0,
  当天: 0,
  明天: 1,
  明日: 1,
  明早: 1,
  明晚: 1,
  后天: 2,
  大后天: 3,
  昨天: -1,
  昨日: -1,
  昨晚: -1,
  昨夜: -1,
  前天: -2,
  前日: -2,
  大前天: -3,
};
const UNIT_DAYS: Readonly<Record<string, number>> = {
  day: 1,
  week: 7,
  天: 1,
  日: 1,
  周: 7,
  星期: 7,
  礼拜: 7,
};
const UNIT_MS: Readonly<Record<string, number>> = {
  hour: HOUR_MS,
  minute: 60_000,
  小时: HOUR_MS,
  钟头: HOUR_MS,
  分钟: 60_000,
};
export const ISO = {
  form: /(?<![\d-])(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?![\d-])/gu,
  days: ([y = '', m, d]: readonly string[], today: LocalTime) => date(Number(m), Number(d), y, today),
};

export function counted(
  number: string,
  unit: string,
  language: Language,
  sign: 1 | -1,
  today: Day,
): DayRanges | undefined {
  const value = count(number, language);
  const days = UNIT_DAYS[unit];
  return value === undefined || days === undefined || value > 400
    ? undefined
    : away(today, sign * Math.ceil(value * days));
}

export function countedMs(
  number: string,
  unit: string,
  language: Language,
  sign: 1 | -1,
): number | undefined {
  const value = count(number, language);
  const ms = UNIT_MS[unit];
  return value === undefined || ms === undefined || value > 2000 ? undefined : sign * value * ms;
}
