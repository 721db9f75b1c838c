import type { Language } from '../../language/language.ts';
import { sameLengthForm } from '../words/same-length-form.ts';
import { NEGATIONS, QUANTITIES } from '../words/signals.ts';
import type { PlacedEntity } from './entities-of.ts';

export const MAX_SUMMARY_CHARACTERS = 200;

/** Politeness and sounds of thinking: without them a sentence says the same. */
const FILLERS: Readonly<Record<Language, RegExp>> = {
  en: /(?:^|(?<=[\s,.;!?]))(?:please|kindly|um+|uh+|er+m?|hmm*|you know|i mean|basically|actually|to be honest|by the way|hey|hello|hi|good (?:morning|afternoon|evening)|hermes|thanks(?: a lot)?|thank you(?: (?:very|so) much)?|(?:can|could|would|will) you(?: please)?|i would like you to|i want you to|(?:please )?(?:remember|note|keep in mind|make a note|write down)(?: that)?|ok(?:ay)? so|ok(?:ay)?|well|so|anyway|sort of|kind of|just|really)(?=[\s,.;!?]|$),?/giu,
  zh: /请(?!假|示|求|购|客)|麻烦(?:你|您)?(?=[\p{Script=Han}])|谢谢(?:你|您|大家)?|多谢|辛苦了|嗯+|呃+|哦+|啊(?=[，。,.\s]|$)|吧(?=[，。,.\s]|$)|呢(?=[，。,.\s]|$)|你好|您好|大家好|早上好|就是说|那么|怎么说呢|其实|反正|说实话|帮我|帮忙|拜托|(?:要|给我)?(?:记住|记一下|记下来?|记着)/gu,
};
const CLAUSE_END = /[。！？；;!?\n]+|[.,，](?=\s|$|\p{Script=Han})/gu;

/** The text without fillers, and of a long one the clauses that say most, in their order; no word is added. */
export function summaryOf(text: string, language: Language, entities: readonly PlacedEntity[]): string {
  const holds = (start: number, end: number): boolean =>
    entities.some((each) => start < each.end && end > each.start);
  const form = sameLengthForm(text);
  let kept = '';
  let at = 0;
  for (const { 0: filler, index } of form.matchAll(FILLERS[language])) {
    if (holds(index, index + filler.length)) continue;
    kept += text.slice(at, index);
    at = index + filler.length;
  }
  const short = tidy(kept + text.slice(at));
  if (short === '') return cut(tidy(text), []);
  return short.length <= MAX_SUMMARY_CHARACTERS ? short : bestClauses(short, language, entities);
}

function tidy(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/ (?=[,.;!?，。；！？])/gu, '')
    .replace(/([,，])(?=[,.;!?，。；！？])/gu, '')
    .replace(/^[\s,.;:!?，。；：！？、]+|[\s,;:，；：、]+$/gu, '');
}

interface Clause {
  readonly text: string;
  readonly position: number;
  readonly worth: number;
}

function bestClauses(text: string, language: Language, entities: readonly PlacedEntity[]): string {
  const names = entities.map(({ entity }) => entity.text);
  const clauses = clausesOf(text).map(
    (clause, position): Clause => ({ text: clause, position, worth: worthOf(clause, language, names) }),
  );
  const chosen: Clause[] = [];
  let length = 0;
  for (const clause of [...clauses].sort((a, b) => b.worth - a.worth || a.position - b.position)) {
    const added = clause.text.length;
    if (length + added > MAX_SUMMARY_CHARACTERS) continue;
    chosen.push(clause);
    length += added;
  }
  if (chosen.length === 0) return cut(clauses[0]?.text ?? text, names);
  chosen.sort((a, b) => a.position - b.position);
  return tidy(chosen.map((clause) => clause.text).join(''));
}

/** Each with the sign and the space that end it. */
function clausesOf(text: string): readonly string[] {
  const clauses: string[] = [];
  let at = 0;
  for (const { 0: sign, index } of text.matchAll(CLAUSE_END)) {
    const space = text[index + sign.length] === ' ' ? 1 : 0;
    clauses.push(text.slice(at, index + sign.length + space));
    at = index + sign.length + space;
  }
  if (at < text.length) clauses.push(text.slice(at));
  return clauses;
}

function worthOf(clause: string, language: Language, names: readonly string[]): number {
  const named = names.filter((name) => clause.includes(name)).length;
  const form = sameLengthForm(clause);
  return named * 2 + (NEGATIONS[language].test(form) ? 3 : 0) + (QUANTITIES[language].test(form) ? 2 : 0);
}

/** The beginning of a text, up to the end of a word and not within a name. */
function cut(text: string, names: readonly string[]): string {
  if (text.length <= MAX_SUMMARY_CHARACTERS) return text;
  let end = MAX_SUMMARY_CHARACTERS;
  for (const name of names) {
    const start = text.lastIndexOf(name, end);
    if (start > 0 && start + name.length > end && name.length < MAX_SUMMARY_CHARACTERS) end = start;
  }
  if (/[\p{L}\p{N}]/u.test(text[end] ?? '')) {
    const space = text.lastIndexOf(' ', end);
    if (space > MAX_SUMMARY_CHARACTERS / 2) end = space;
  }
  const isSplit = /[\uD800-\uDBFF]/u.test(text[end - 1] ?? '');
  return tidy(text.slice(0, isSplit ? end - 1 : end));
}
