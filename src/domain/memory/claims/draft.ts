import type { Claim } from '../fact.ts';
import type { PlainSentence } from './plain-sentence.ts';

/** What a pattern made of a sentence. */
export type Draft = Pick<
  Claim,
  'subject' | 'predicate' | 'value' | 'unit' | 'negated' | 'class' | 'confidence'
>;

/** Undefined where the sentence says nothing of the pattern's kind, or not for certain of what. */
export type Reader = (sentence: PlainSentence) => Draft | undefined;

const ANY_SIGN = /<[mpocn]\d+>/gu;
const PREFIX: Readonly<Record<string, string>> = {
  machine: 'machine',
  line: 'line',
  person: 'person',
  point: 'point',
  code: 'code',
};

/** What a phrase names as a subject: a thing of the site, or a part by its plain name. Undefined for names that are not certain. */
export function subjectOf(phrase: string, names: PlainSentence['names']): string | undefined {
  const plain = phrase.trim();
  const entity = names.get(plain)?.entity;
  if (entity !== undefined) {
    if (entity.kind === 'part') return `part:${entity.text.toLowerCase()}`;
    const isCertain = entity.exact && entity.id !== undefined;
    return isCertain ? `${PREFIX[entity.kind] ?? 'part'}:${entity.id}` : undefined;
  }
  const words = expanded(plain, names);
  const name = words === undefined ? '' : singular(words);
  return name === '' || name.length > 60 ? undefined : `part:${name}`;
}

/** The id that a sign stands for, where it is certain. */
export function idOf(sign: string, names: PlainSentence['names']): string | undefined {
  const entity = names.get(sign)?.entity;
  return entity?.exact === true ? (entity.id ?? entity.text) : undefined;
}

/** A phrase with ids in place of signs; undefined when one of its names is not certain. */
export function expanded(phrase: string, names: PlainSentence['names']): string | undefined {
  const signs = phrase.match(ANY_SIGN) ?? [];
  if (signs.some((sign) => idOf(sign, names) === undefined)) return undefined;
  return phrase
    .replace(ANY_SIGN, (sign) => idOf(sign, names) ?? '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** English plurals as their singular; other words as they are. */
export function singular(text: string): string {
  return text.replace(/\b([a-z]{3,}?)(ies|sses|xes|ches|s)\b/gu, (whole, stem: string, end: string) => {
    if (end === 'ies') return `${stem}y`;
    if (end !== 's') return stem + end.slice(0, -2);
    return /[sui]$/u.test(stem) ? whole : stem;
  });
}
