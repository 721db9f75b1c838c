import type { Language } from '../../language/language.ts';
import type { AnchorKind } from '../mention.ts';

/** What a word such as "it" points back to: the kinds it may be of, and the noun that it was said with. */
export interface Reference {
  /** As it stands in the text; UTF-16 indices, `end` not included. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kinds: readonly AnchorKind[];
  /** Of "that pump"; undefined for "it" and for nouns that fit every machine. */
  readonly noun: string | undefined;
}

const THINGS: readonly AnchorKind[] = ['machine', 'line'];
const NOUN_KINDS: ReadonlyMap<string, readonly AnchorKind[]> = new Map<string, readonly AnchorKind[]>([
  ...['machine', 'unit', 'device', '设备', '机器', '机台'].map((noun) => [noun, ['machine']] as const),
  ...['line', '线', '产线', '生产线'].map((noun) => [noun, ['line']] as const),
  ...['one', 'thing', '个', '台'].map((noun) => [noun, THINGS] as const),
  ...['person', 'guy', 'man', 'woman', 'colleague', '人', '同事'].map((noun) => [noun, ['person']] as const),
  ...['value', 'reading', '值', '数值'].map((noun) => [noun, ['point']] as const),
]);

const ENGLISH =
  /\b(?:(?<person>he|she|him|her|his|hers)|(?<thing>it|its)|(?:that|this|the same)(?:[ ]+(?<noun>[a-z]+))?)\b(?!-\p{L})/giu;
const CHINESE =
  /(?<person>[他她](?!们))|(?<thing>它(?!们))|(?:那|这|同)一?[台条个位根]?(?<noun>设备|机器|机台|产线|生产线|线|人|同事|数值|值)|(?:那|这|同)一?[台条](?<own>\p{Script=Han}{0,4})/gu;

/**
 * The words of a text that point back, from left to right. `nouns` knows what things of the site are called: "that pump" is a
 * reference where something is called a pump, and "that time" is none.
 */
export function referencesIn(
  text: string,
  language: Language,
  nouns: ReadonlySet<string>,
): readonly Reference[] {
  const found = text.matchAll(language === 'en' ? ENGLISH : CHINESE);
  return [...found].flatMap(({ index, 0: whole, groups = {} }) => {
    const { person, thing, noun, own } = groups;
    const at = { start: index, end: index + whole.length, text: whole };
    if (person !== undefined) return [{ ...at, kinds: ['person'], noun: undefined }];
    if (thing !== undefined) return [{ ...at, kinds: THINGS, noun: undefined }];
    if (own !== undefined) return [ownNoun(at, own, nouns)];
    const word = noun?.toLowerCase();
    if (word === undefined) return [];
    const kinds = NOUN_KINDS.get(word);
    if (kinds !== undefined) return [{ ...at, kinds, noun: undefined }];
    return nouns.has(word) ? [{ ...at, kinds: THINGS, noun: word }] : [];
  });
}

/** 那台泵的压力 is about a 泵: the longest noun of the site that the characters begin with, or any thing. */
function ownNoun(
  { start, end, text }: { readonly start: number; readonly end: number; readonly text: string },
  own: string,
  nouns: ReadonlySet<string>,
): Reference {
  const lengths = Array.from({ length: own.length }, (_, shorter) => own.length - shorter);
  const length = lengths.find((each) => nouns.has(own.slice(0, each))) ?? 0;
  const cut = own.length - length;
  return {
    start,
    end: end - cut,
    text: text.slice(0, text.length - cut),
    kinds: THINGS,
    noun: length === 0 ? undefined : own.slice(0, length),
  };
}

/** Whether a text is nothing but a word that points back, such as "it" or 那台, or an article. */
export function isReferringWord(text: string): boolean {
  return /^\s*(?:it|its|he|she|him|her|his|hers|they|them|i|me|you|we|us|(?:the|this|that|a|an|the same|these|those)(?:\s+(?:one|thing|machine))?|one|same|[他她它我你您咱](?:们)?|(?:那|这|同)一?[台条个位根]?|谁|什么)\s*$/iu.test(
    text,
  );
}
