import { localTime } from '../../history/local-time.ts';
import { isoDay } from '../../history/shift-calendar.ts';
import type { Language } from '../../language/language.ts';
import type { Deed } from '../episode.ts';
import { MARK } from '../redact.ts';
import { type DayPhrase, dayPhrases, type SaidAt } from '../words/day-phrases.ts';
import { sameLengthForm } from '../words/same-length-form.ts';
import { DEED_WORDS, NO_VERB_BEFORE, TARGET_ENDS, UNDONE } from './deed-words.ts';
import type { PlacedEntity } from './entities-of.ts';

const MAX_DEEDS = 20;
const MAX_TARGET_WORDS = 6;
const SENTENCE_END = /[。！？；;!?\n]|\.(?=\s|$)/gu;
const CLAUSE_END = /[，,。！？；;!?\n]|\.(?=\s|$)/gu;
const DAY_MS = 86_400_000;

/** Before a past form: it is to be done, or may have been. */
const STILL_OPEN = /\b(?:be|being|get|gets|(?:until|till|before|if|unless|when|once)\b[^,]*) $/iu;

interface Found {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly isPast: boolean;
}

/** What a text says was, or is to be, done, in its order. A deadline is never before the day it was said. */
export function deedsOf(
  text: string,
  language: Language,
  entities: readonly PlacedEntity[],
  said: SaidAt,
): readonly Deed[] {
  // The word for a kind in a mark, such as "phone", is no verb of the text.
  const form = sameLengthForm(text).replace(MARK, (mark) => ' '.repeat(mark.length));
  const days = dayPhrases(text, language, said);
  return verbsIn(form, language, entities)
    .slice(0, MAX_DEEDS)
    .map(({ type, start, end, isPast }) => {
      const clause = stretch(form, start, CLAUSE_END);
      const isUndone = UNDONE[language].test(form.slice(clause.start, start));
      const isOpen = STILL_OPEN.test(form.slice(clause.start, start));
      const isDone = !isUndone && !isOpen && (isPast || isToldDone(form, start, end, clause.end, language));
      const target = targetOf({ text, form, language, entities, start, end, clause });
      const deadline = isDone ? undefined : deadlineOf(days, stretch(form, start, SENTENCE_END), said);
      return {
        type,
        ...(target === undefined ? {} : { target }),
        ...(deadline === undefined ? {} : { deadline }),
        ...(isUndone ? { done: false } : isDone ? { done: true } : {}),
      };
    });
}

function verbsIn(form: string, language: Language, entities: readonly PlacedEntity[]): readonly Found[] {
  const found: Found[] = [];
  for (const { type, en, zh } of DEED_WORDS) {
    const pattern =
      language === 'zh' ? new RegExp(zh, 'gu') : new RegExp(`\\b(?:(?<past>${en.past})|${en.any})\\b`, 'giu');
    for (const match of form.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      const isPast = match.groups?.['past'] !== undefined;
      const isName = entities.some((each) => start < each.end && end > each.start);
      const isNoun = language === 'en' && !isPast && NO_VERB_BEFORE.test(form.slice(0, start));
      if (!isName && !isNoun && !found.some((other) => start < other.end && end > other.start))
        found.push({ type, start, end, isPast });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

function stretch(form: string, at: number, ends: RegExp): { readonly start: number; readonly end: number } {
  let start = 0;
  for (const { 0: sign, index } of form.matchAll(ends)) {
    if (index >= at) return { start, end: index };
    start = index + sign.length;
  }
  return { start, end: form.length };
}

/** "Has been changed" is a past form already; in Chinese 了, 过 and 已 tell. "To be replaced" is still to do. */
function isToldDone(
  form: string,
  start: number,
  end: number,
  clauseEnd: number,
  language: Language,
): boolean {
  if (language === 'en')
    return /\b(?:have|has|had) (?:just |already )?(?:put|set|reset)$/u.test(form.slice(0, end));
  const isDone = /(?:已经?|刚刚?|刚才)[^，。]{0,8}$/u.test(form.slice(0, start));
  return isDone || /^[^，。；]{0,12}(?:了|过(?!滤|热|载|程)|完毕|好了)/u.test(form.slice(end, clauseEnd));
}

function targetOf(at: {
  readonly text: string;
  readonly form: string;
  readonly language: Language;
  readonly entities: readonly PlacedEntity[];
  readonly start: number;
  readonly end: number;
  readonly clause: { readonly start: number; readonly end: number };
}): string | undefined {
  const { text, form, language, entities, start, end, clause } = at;
  const from = end + (/^(?:了|过|好了?|一下)/u.exec(form.slice(end, clause.end))?.[0].length ?? 0);
  const after = form.slice(from, clause.end);
  const stop = TARGET_ENDS[language].exec(after)?.index ?? after.length;
  const plain = text
    .slice(from, from + stop)
    .replace(/^\s*(?:(?:the|a|an|all|its|our|new)\b\s*)+/iu, '')
    .trim();
  const words =
    language === 'zh' ? plain.slice(0, 20) : plain.split(/\s+/u).slice(0, MAX_TARGET_WORDS).join(' ');
  if (words.replace(/^(?:it|that|them|this|up|down|它|这个|一下)$/iu, '') !== '') return words;
  const things = entities.filter(
    ({ entity, start: from, end: to }) =>
      entity.kind !== 'date' && entity.kind !== 'number' && from >= clause.start && to <= clause.end,
  );
  const nearest =
    things.filter((each) => each.end <= start).at(-1) ?? things.find((each) => each.start >= end);
  return nearest?.entity.text;
}

/** The last day of what is named, when it has not passed; an hour ahead is given as its moment. */
function deadlineOf(
  days: readonly DayPhrase[],
  sentence: { readonly start: number; readonly end: number },
  { atMs, timeZone }: SaidAt,
): string | undefined {
  const next = days.find(
    (day) => day.start >= sentence.start && day.end <= sentence.end && day.next !== undefined,
  )?.next;
  if (next === undefined || next.toMs < atMs) return undefined;
  if (next.fromMs === next.toMs) return new Date(next.fromMs).toISOString();
  return isoDay(localTime(next.toMs - DAY_MS / 2, timeZone));
}
