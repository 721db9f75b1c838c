import type { Language } from '../../language/language.ts';
import type { DayPhrase } from '../words/day-phrases.ts';

/** From when and until when something is said to hold, in milliseconds since 1970. */
export interface Validity {
  readonly validFromMs: number;
  readonly validToMs?: number;
  /** The words that say so, which are no part of what is said. */
  readonly hidden: readonly { readonly start: number; readonly end: number }[];
}

const FROM: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:from|since|starting|as of|beginning|between)(?: on)?\s*$/iu,
  zh: /(?:从|自|打从)\s*$/u,
};
const TO: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:until|till|to|through|up to|and|by)\s*$/iu,
  zh: /(?:直到|截止到?|一直到|到|至)\s*$/u,
};
const IN: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:in|on|during|for|at|throughout)\s*$/iu,
  zh: /(?:在|于)\s*$/u,
};
const AFTER: Readonly<Record<Language, RegExp>> = {
  en: /^\s*(?:on(?:wards?)?|inclusive)\b/iu,
  zh: /^\s*(?:开始|起|以来|以后|之后|为止|期间|之前|前)/u,
};
const PAST: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:was|were|had|did|has been|used to|\w{3,}ed (?:in|on|from))\b/iu,
  zh: /曾|当时|[了过](?!滤|热|载|程)/u,
};

/** The period that a sentence gives, `spoken` at a moment; without one it holds from then on. */
export function validityOf(
  sentence: { readonly text: string; readonly from: number; readonly to: number },
  days: readonly DayPhrase[],
  spokenMs: number,
  language: Language,
): Validity {
  const isPast = PAST[language].test(sentence.text.slice(sentence.from, sentence.to));
  let validFromMs: number | undefined;
  let validToMs: number | undefined;
  const hidden: { readonly start: number; readonly end: number }[] = [];
  for (const day of days) {
    if (day.start < sentence.from || day.end > sentence.to) continue;
    const before = sentence.text.slice(sentence.from, day.start);
    const after = sentence.text.slice(day.end, sentence.to);
    const from = FROM[language].exec(before);
    const to = from === null ? TO[language].exec(before) : null;
    const lead = (from ?? to ?? IN[language].exec(before))?.[0].length ?? 0;
    const tail = AFTER[language].exec(after)?.[0] ?? '';
    hidden.push({ start: day.start - lead, end: day.end + tail.length });
    const isStart = from !== null || /onwards?|on\b|开始|起|以来/u.test(tail);
    const isSince = /\bsince\s*$/iu.test(from?.[0] ?? '') || /以来/u.test(tail);
    const span = isPast || isSince ? (day.past ?? day.next) : nearestAhead(day, validFromMs);
    if (span === undefined) continue;
    if (isStart) validFromMs = span.fromMs;
    else if (to !== null || /为止|前/u.test(tail)) validToMs = span.toMs;
    else {
      validFromMs ??= span.fromMs;
      validToMs ??= span.toMs;
    }
  }
  const start = validFromMs ?? spokenMs;
  if (validToMs === undefined || validToMs <= start) return { validFromMs: start, hidden };
  return { validFromMs: start, validToMs, hidden };
}

/** Of "from Monday to Friday" said on a Wednesday, the Friday is the one after that Monday. */
function nearestAhead(day: DayPhrase, fromMs: number | undefined): DayPhrase['next'] {
  const { next, past } = day;
  if (next === undefined || fromMs === undefined || next.fromMs >= fromMs || past === undefined)
    return next ?? past;
  const weeks = Math.ceil((fromMs - next.fromMs) / 604_800_000);
  const length = next.toMs - next.fromMs;
  return { fromMs: next.fromMs + weeks * 604_800_000, toMs: next.fromMs + weeks * 604_800_000 + length };
}
