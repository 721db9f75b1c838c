import { type LocalTime, localTime, momentOf } from '../../history/local-time.ts';
import { calendarDay, type Day } from '../../history/shift-calendar.ts';
import type { Language } from '../../language/language.ts';
import { CHINESE_DAYS } from './chinese-days.ts';
import type { DayForm } from './day-counts.ts';
import type { DayRange } from './day-ranges.ts';
import { ENGLISH_DAYS } from './english-days.ts';
import { sameLengthForm } from './same-length-form.ts';

/** Days that a text names, as they were meant on the day it was said. */
export interface DayPhrase {
  /** UTF-16 indices in the text; `end` is not included. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** In milliseconds since 1970: the whole of the last such day or days that have begun, undefined for words that only look ahead. */
  readonly past: { readonly fromMs: number; readonly toMs: number } | undefined;
  /** The first that have not ended, undefined for words that only look back. */
  readonly next: { readonly fromMs: number; readonly toMs: number } | undefined;
}

const DAY_FORMS: Readonly<Record<Language, readonly DayForm[]>> = { en: ENGLISH_DAYS, zh: CHINESE_DAYS };

export interface SaidAt {
  readonly atMs: number;
  /** IANA name of the zone the site lives by. */
  readonly timeZone: string;
}

/** The days and times that a text names, from left to right and without overlaps. */
export function dayPhrases(
  text: string,
  language: Language,
  { atMs, timeZone }: SaidAt,
): readonly DayPhrase[] {
  const form = sameLengthForm(text).replace(/[A-Z]/gu, (letter) => letter.toLowerCase());
  const today = localTime(atMs, timeZone);
  const found: DayPhrase[] = [];
  for (const dayForm of DAY_FORMS[language])
    for (const match of form.matchAll(dayForm.form)) {
      const kept = match.groups?.['keep']?.length ?? 0;
      const start = match.index + kept;
      const end = match.index + match[0].length;
      if (found.some((other) => start < other.end && end > other.start)) continue;
      const span = spanOf(dayForm, match.slice(1), { atMs, timeZone, today });
      if (span === undefined) continue;
      found.push({ start, end, text: text.slice(start, end), ...span });
    }
  return found.sort((a, b) => a.start - b.start);
}

function spanOf(
  form: DayForm,
  parts: readonly (string | undefined)[],
  { atMs, timeZone, today }: SaidAt & { readonly today: LocalTime },
): Pick<DayPhrase, 'past' | 'next'> | undefined {
  const groups = parts.map((part) => part ?? '');
  if ('afterMs' in form) {
    const afterMs = form.afterMs(groups);
    if (afterMs === undefined) return undefined;
    const span = { fromMs: atMs + afterMs, toMs: atMs + afterMs };
    return afterMs < 0 ? { past: span, next: undefined } : { past: undefined, next: span };
  }
  const ranges = form.days(groups, today);
  if (ranges === undefined) return undefined;
  const midnight = (day: Day): number => momentOf({ ...calendarDay(day), hour: 0, minute: 0 }, timeZone);
  const span = (range: DayRange | undefined) =>
    range === undefined ? undefined : { fromMs: midnight(range.from), toMs: midnight(range.to) };
  return { past: span(ranges.past), next: span(ranges.next) };
}
