import type { SlotValue } from '../intent/meaning.ts';
import type { Language } from '../language/language.ts';
import { CHINESE_DIGIT, CHINESE_RADIO_DIGIT, ENGLISH_DIGIT } from '../language/number-words.ts';
import { numbersAt } from '../language/numbers-at.ts';
import { tokenise } from '../language/tokens.ts';

type Alike = Readonly<Record<Language, readonly (readonly [string, string])[]>>;

/** Number words that a microphone takes for one another. 幺 and 拐 are said over radios so that 1 and 7 stay apart. */
const ALIKE: Alike = {
  en: [],
  zh: [
    ['一', '七'],
    ['四', '十'],
  ],
};

/** In a name also these: there are few names, and one question settles which was meant. */
const ALIKE_IN_NAMES: Alike = {
  en: [
    ['one', 'nine'],
    ['five', 'nine'],
  ],
  zh: ALIKE.zh,
};

/** So many places are exchanged in every combination; in a longer number each alone. */
const MAX_COMBINED = 6;

/** How many digits a whole number may have, each from 1. */
export interface DigitRange {
  readonly least: number;
  readonly most: number;
}

export interface DigitExpectation {
  /** How many digits it has to have; undefined where any number will do. */
  readonly digits: DigitRange | undefined;
  /** What the words would mean instead, `undefined` when nothing: `wholeNumber` within the limits of a value, or a look-up of a name. */
  readonly meantBy: (words: string) => string | number | undefined;
}

export type DigitDoubt =
  | { readonly kind: 'count'; readonly heard: number; readonly expected: DigitRange }
  /** It may as well have been this: a word sounds like another, or a digit was said twice and heard once. */
  | { readonly kind: 'alike' | 'repeat'; readonly words: string; readonly value: string | number };

/**
 * Why a spoken number or a name with one in it has to be asked about; undefined when it can be taken as heard.
 * Two numbers that sound alike are told apart by what is possible: where only one of them is, that one was said. So is a
 * digit that may be missing: a number with every digit that it can have, zeros in front too, lacks none.
 */
export function doubtfulDigits(
  slot: SlotValue,
  expected: DigitExpectation,
  language: Language,
): DigitDoubt | undefined {
  const { digits } = expected;
  if (slot.digits !== undefined && digits !== undefined && !isWithin(slot.digits, digits))
    return { kind: 'count', heard: slot.digits, expected: digits };
  return readingsOf(slot, expected, language)[0];
}

/** All that it may as well have been, each value once. */
export function readingsOf(
  slot: SlotValue,
  { digits, meantBy }: DigitExpectation,
  language: Language,
): readonly Exclude<DigitDoubt, { kind: 'count' }>[] {
  const isName = typeof slot.value === 'string';
  const words = language === 'zh' ? [...slot.spoken] : slot.spoken.split(' ');
  const others = [
    ...soundingAlike(words, (isName ? ALIKE_IN_NAMES : ALIKE)[language]).map((said) => ({
      kind: 'alike' as const,
      said,
    })),
    ...(isName || digits !== undefined ? withOneMore(words, language, digits?.most) : []).map((said) => ({
      kind: 'repeat' as const,
      said,
    })),
  ];
  const found = new Map<string | number, Exclude<DigitDoubt, { kind: 'count' }>>();
  for (const { kind, said } of others) {
    const text = said.join(language === 'zh' ? '' : ' ');
    const value = meantBy(text);
    if (value !== undefined && value !== slot.value && !found.has(value))
      found.set(value, { kind, words: text, value });
  }
  return [...found.values()];
}

/** How many digits the whole numbers between two limits have; undefined where one of the limits is. */
export function digitsBetween(least: number | undefined, most: number | undefined): DigitRange | undefined {
  if (least === undefined || most === undefined) return undefined;
  const counts = [least, most].map((limit) => String(Math.trunc(Math.abs(limit))).length);
  const hasZero = least <= 0 && most >= 0;
  return { least: hasZero ? 1 : Math.min(...counts), most: Math.max(...counts) };
}

/** The number that words are as a whole; undefined when they are none, or may be several. */
export function wholeNumber(words: string, language: Language): number | undefined {
  const tokens = tokenise(words, language);
  const [first, ...others] = numbersAt(tokens, 0, language).filter(({ end }) => end === tokens.length);
  return others.length > 0 ? undefined : first?.value;
}

function isWithin(count: number, { least, most }: DigitRange): boolean {
  return count >= least && count <= most;
}

function soundingAlike(words: readonly string[], pairs: Alike[Language]): readonly (readonly string[])[] {
  const isAlike = words.map((word) => alikeTo(word, pairs));
  const places = isAlike.flatMap((others, at) => (others.length === 0 ? [] : [at]));
  const exchanged = (said: readonly string[], at: number) =>
    (isAlike[at] ?? []).map((other) => said.with(at, other));
  if (places.length > MAX_COMBINED) return places.flatMap((at) => exchanged(words, at));
  const ways = places.reduce<readonly (readonly string[])[]>(
    (before, at) => before.flatMap((said) => [said, ...exchanged(said, at)]),
    [words],
  );
  return ways.slice(1);
}

function alikeTo(word: string, pairs: Alike[Language]): readonly string[] {
  return pairs.flatMap(([one, two]) => (word === one ? [two] : word === two ? [one] : []));
}

/**
 * With one digit said once more, as long as there may be one more. Only digits in a row are said one by one, and those that
 * are called over a radio.
 */
function withOneMore(
  words: readonly string[],
  language: Language,
  most: number | undefined,
): readonly (readonly string[])[] {
  return digitRuns(words, language)
    .filter(({ from, end }) => most === undefined || end - from < most)
    .flatMap(({ from, end }) =>
      words.slice(from, end).map((digit, i) => words.toSpliced(from + i, 0, digit)),
    );
}

function digitRuns(
  words: readonly string[],
  language: Language,
): readonly { readonly from: number; readonly end: number }[] {
  const runs: { from: number; end: number }[] = [];
  for (let from = 0; from < words.length; from++) {
    let end = from;
    while (isDigit(words[end], language)) end++;
    const isOneByOne = end - from > 1 || CHINESE_RADIO_DIGIT.has(words[from] ?? '');
    if (isOneByOne && !POINTS.includes(words[from - 1] ?? '')) runs.push({ from, end });
    from = Math.max(from, end);
  }
  return runs;
}

/** What stands after one of these is a fraction: its digits are few by the format of the value. */
const POINTS: readonly string[] = ['point', '点'];

function isDigit(word: string | undefined, language: Language): boolean {
  if (word === undefined) return false;
  return language === 'en'
    ? ENGLISH_DIGIT.has(word)
    : CHINESE_DIGIT.has(word) || CHINESE_RADIO_DIGIT.has(word);
}
