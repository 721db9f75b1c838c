import type { Language } from '../language/language.ts';
import { type LocalTime, localTime, momentOf } from './local-time.ts';
import { type Period, type PeriodSetting, periodOf } from './period.ts';
import { periodNamed } from './period-words.ts';
import { isoDay, runsOn, type Shift, type ShiftRun, shiftAt, shiftBefore } from './shift-calendar.ts';
import { type DaySpan, daysNamed, plainChinese, plainEnglish } from './spoken-days.ts';

/** One way to understand words for a time. */
export interface PeriodReading {
  readonly period: Period;
  /** 0 to 1; 1 where the words leave no choice. */
  readonly confidence: number;
}

export type PeriodHeard =
  /** The likeliest first. */
  | { readonly kind: 'heard'; readonly readings: readonly PeriodReading[] }
  | { readonly kind: 'future' }
  /** A shift that the site does not have, or that was not worked on that day. */
  | { readonly kind: 'no_shift' }
  | { readonly kind: 'too_much' }
  | { readonly kind: 'backwards' }
  | { readonly kind: 'unknown' };

/** Nobody asks about more minutes, hours or days; it keeps arithmetic on dates sane. */
export const MAX_COUNT = 10_000;

/** People differ about when a morning ends. */
const PART_OF_DAY_CONFIDENCE = 0.8;
const SHIFT_ALONE_CONFIDENCE = 0.9;
const NIGHT = { fromMin: 18 * 60, toMin: 30 * 60 };

/** Minutes after midnight. */
const PARTS_OF_DAY: readonly {
  readonly words: Readonly<Record<Language, readonly string[]>>;
  readonly fromMin: number;
  readonly toMin: number;
}[] = [
  { words: { en: ['early morning'], zh: ['凌晨'] }, fromMin: 0, toMin: 6 * 60 },
  { words: { en: ['morning'], zh: ['早上', '早晨', '上午'] }, fromMin: 6 * 60, toMin: 12 * 60 },
  { words: { en: ['noon'], zh: ['中午'] }, fromMin: 11 * 60, toMin: 13 * 60 },
  { words: { en: ['afternoon'], zh: ['下午'] }, fromMin: 12 * 60, toMin: 18 * 60 },
  { words: { en: ['evening'], zh: ['傍晚'] }, fromMin: 17 * 60, toMin: 22 * 60 },
  { words: { en: ['night'], zh: ['晚上', '夜里', '夜间'] }, ...NIGHT },
];

/** What words for a time in the past mean, in English or Chinese. Throws EdgeError PERIOD_UNKNOWN as `periodOf` does. */
export function hearPeriod(text: string, setting: PeriodSetting): PeriodHeard {
  const name = periodNamed(text);
  if (name !== undefined) {
    if ('count' in name && !(name.count >= 1 && name.count <= MAX_COUNT)) return { kind: 'too_much' };
    return heard([{ period: periodOf(name, setting), confidence: 1 }]);
  }
  const exact = interval(text) ?? dates(text, setting);
  if (exact !== undefined)
    return exact.toMs > exact.fromMs ? heard([{ period: exact, confidence: 1 }]) : { kind: 'backwards' };
  return shiftHeard(text, setting) ?? daysHeard(text, setting);
}

function heard(readings: readonly PeriodReading[]): PeriodHeard {
  return { kind: 'heard', readings };
}

/** Two moments as ISO 8601 writes an interval: `2026-03-01T05:00:00Z/2026-03-01T13:00:00Z`. */
function interval(text: string): Period | undefined {
  const [first = '', second = '', ...more] = text.trim().split('/');
  const isMoment = (each: string): boolean =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/u.test(each);
  if (!isMoment(first) || !isMoment(second) || more.length > 0) return undefined;
  const period = { fromMs: Date.parse(first), toMs: Date.parse(second) };
  return Number.isFinite(period.fromMs) && Number.isFinite(period.toMs) ? period : undefined;
}

function dates(text: string, { timeZone }: PeriodSetting): Period | undefined {
  const [first = '', second, ...more] = text.trim().split(/\s*(?:\.\.|\bto\b|至|到)\s*/u);
  const from = dateAndTime(first, timeZone);
  const to = second === undefined ? from : dateAndTime(second, timeZone);
  if (from === undefined || to === undefined || more.length > 0) return undefined;
  return { fromMs: from.fromMs, toMs: to.toMs };
}

/** A day, or the minute that a date and time name. */
function dateAndTime(text: string, timeZone: string): Period | undefined {
  const [, year, month, day, hour, minute] =
    /^(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})日?(?:[T\s]*(\d{1,2})[:点时](\d{2})分?)?$/u.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  const real = new Date(Date.UTC(date.year, date.month - 1, date.day));
  if (real.getUTCMonth() !== date.month - 1 || real.getUTCDate() !== date.day) return undefined;
  if (hour === undefined || minute === undefined) {
    const midnight = (days: number): number =>
      momentOf({ ...date, day: date.day + days, hour: 0, minute: 0 }, timeZone);
    return { fromMs: midnight(0), toMs: midnight(1) };
  }
  if (Number(hour) > 23 || Number(minute) > 59) return undefined;
  const atMs = momentOf({ ...date, hour: Number(hour), minute: Number(minute) }, timeZone);
  return { fromMs: atMs, toMs: atMs };
}

const LAST = /^(?:last|previous|上个?|上一个?)$/u;
const THIS = /^(?:this|current|本|这个?|当前)$/u;

/** "Last Friday's night shift", 上周五夜班, "the night shift". */
function shiftHeard(text: string, setting: PeriodSetting): PeriodHeard | undefined {
  const { shifts, nowMs, timeZone } = setting;
  const found = shiftNamed(text, shifts.shifts);
  if (found === undefined)
    return /\bshift\b|班次?$/u.test(plainText(text)) ? { kind: 'no_shift' } : undefined;
  const isWanted = (shift: Shift): boolean => found.shifts.includes(shift);
  const running = shiftAt(shifts, nowMs, timeZone);
  const now = running !== undefined && isWanted(running.shift) ? running : undefined;
  if (THIS.test(found.rest)) return runHeard(now, 1, setting);
  if (found.rest === '')
    return runHeard(now ?? shiftBefore(shifts, nowMs, timeZone, isWanted), SHIFT_ALONE_CONFIDENCE, setting);
  if (LAST.test(found.rest)) return runHeard(shiftBefore(shifts, nowMs, timeZone, isWanted), 1, setting);

  const spans = daysNamed(found.rest, localTime(nowMs, timeZone)).filter(isOneDay);
  if (spans.length === 0) return { kind: 'unknown' };
  const runs = spans.map(({ from, confidence }) => ({
    run: runsOn(shifts, from, timeZone).find(({ shift }) => isWanted(shift)),
    confidence,
  }));
  const past = runs.flatMap(({ run, confidence }) =>
    run === undefined || run.fromMs >= nowMs ? [] : [{ period: upTo(run, nowMs), confidence }],
  );
  if (past.length > 0) return heard(past);
  return runs.some(({ run }) => run !== undefined) ? { kind: 'future' } : { kind: 'no_shift' };
}

function runHeard(run: ShiftRun | undefined, confidence: number, { nowMs }: PeriodSetting): PeriodHeard {
  return run === undefined ? { kind: 'no_shift' } : heard([{ period: upTo(run, nowMs), confidence }]);
}

function upTo({ fromMs, toMs }: Period, nowMs: number): Period {
  return { fromMs, toMs: Math.min(toMs, nowMs) };
}

/** The shifts of the longest name that stands in the text, and what is left of it. */
function shiftNamed(
  text: string,
  shifts: readonly Shift[],
): { readonly shifts: readonly Shift[]; readonly rest: string } | undefined {
  const en = plainEnglish(text);
  const zh = plainChinese(text);
  const hits = shifts
    .flatMap((shift) => [
      ...shift.names.en.map((name) => ({
        shift,
        name: plainEnglish(name),
        within: ` ${en} `,
        form: ` ${plainEnglish(name)} `,
      })),
      ...shift.names.zh.map((name) => ({
        shift,
        name: plainChinese(name),
        within: zh,
        form: plainChinese(name),
      })),
    ])
    .filter(({ within, form }) => within.includes(form));
  const longest = Math.max(0, ...hits.map(({ name }) => name.length));
  const best = hits.filter(({ name }) => name.length === longest);
  const [first] = best;
  if (first === undefined) return undefined;
  const rest = first.within.replace(first.form, ' ').replace(/\s+/gu, ' ').trim();
  return { shifts: [...new Set(best.map(({ shift }) => shift))], rest };
}

function plainText(text: string): string {
  return /\p{Script=Han}/u.test(text) ? plainChinese(text) : plainEnglish(text);
}

/** A day, a longer span of the calendar, or a part of a day. */
function daysHeard(text: string, setting: PeriodSetting): PeriodHeard {
  const { nowMs, timeZone } = setting;
  const today = localTime(nowMs, timeZone);
  const spans = daysNamed(text, today);
  if (spans.length > 0)
    return pastOf(
      spans.map(({ from, to, confidence }) => ({
        period: {
          fromMs: momentOf({ ...from, hour: 0, minute: 0 }, timeZone),
          toMs: momentOf({ ...to, hour: 0, minute: 0 }, timeZone),
        },
        confidence,
      })),
      nowMs,
    );
  const part = partOfDay(text);
  if (part === undefined) return { kind: 'unknown' };
  const readings = daysNamed(part.day, today)
    .filter(isOneDay)
    .map(({ from, confidence }) => ({
      period: {
        fromMs: minutesInto(from, part.fromMin, timeZone),
        toMs: minutesInto(from, part.toMin, timeZone),
      },
      confidence: confidence * PART_OF_DAY_CONFIDENCE,
    }));
  return readings.length === 0 ? { kind: 'unknown' } : pastOf(readings, nowMs);
}

/** Up to now: what is still to come is no answer to a question about the past. */
function pastOf(readings: readonly PeriodReading[], nowMs: number): PeriodHeard {
  const past = readings.filter(({ period }) => period.fromMs < nowMs);
  if (past.length === 0) return { kind: 'future' };
  return heard(past.map(({ period, confidence }) => ({ period: upTo(period, nowMs), confidence })));
}

function isOneDay({ from, to }: DaySpan): boolean {
  return isoDay({ ...from, day: from.day + 1 }) === isoDay(to);
}

function minutesInto(
  day: Pick<LocalTime, 'year' | 'month' | 'day'>,
  minutes: number,
  timeZone: string,
): number {
  const hour = Math.floor(minutes / 60);
  return momentOf(
    { ...day, day: day.day + Math.floor(hour / 24), hour: hour % 24, minute: minutes % 60 },
    timeZone,
  );
}

const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/^last night$/u, 'yesterday night'],
  [/^this (?=\w+$)/u, 'today '],
  [/^([今昨前])[早晨]$/u, '$1天早上'],
  [/^([今昨前])[晚夜]$/u, '$1天晚上'],
];

function partOfDay(
  text: string,
): { readonly day: string; readonly fromMin: number; readonly toMin: number } | undefined {
  const plain = SHORT_FORMS.reduce((form, [from, to]) => form.replace(from, to), plainText(text));
  const named = PARTS_OF_DAY.flatMap(({ words, fromMin, toMin }) => [
    ...words.en.map((word) => ({ ending: ` ${word}`, fromMin, toMin })),
    ...words.zh.map((word) => ({ ending: word, fromMin, toMin })),
  ]).find(({ ending }) => plain.endsWith(ending));
  return named === undefined ? undefined : { ...named, day: plain.slice(0, -named.ending.length) };
}
