import { type Language, languageOf } from '../language/language.ts';
import { numbersAt } from '../language/numbers-at.ts';
import { normalise, type Token, tokenise } from '../language/tokens.ts';
import { convertUnit, isKnownUnit } from '../tool/units.ts';

/** A value with what it is measured in. */
export interface ValueWithUnit {
  readonly value: string | number | boolean;
  readonly unit?: string | undefined;
}

/** From this similarity on two texts say the same. */
const SAME_TEXT_FROM = 0.85;
/** Of numbers that went through a conversion. */
const RELATIVE_TOLERANCE = 1e-9;

const SAYS_NOTHING = new Set(['a', 'an', 'the', 'is', 'are', 'was', 'were', 'be', '的', '了', '是']);
const TURNS_IT_ROUND = new Set([
  ...'not no never none nobody nothing without except only hardly unless'.split(' '),
  ...'不没无非未别勿莫除只',
]);
const DEGREES = new Set(['degrees', 'degree', '度']);

interface Quantity {
  readonly value: number;
  readonly unit: string | undefined;
}

/**
 * Whether both say the same: case, spaces, full width, number words and units do not count ("eighty degrees", 80 degC);
 * of longer texts a few words more on one side do not either, unless they hold a number or turn it round.
 */
export function isSameValue(one: ValueWithUnit, other: ValueWithUnit): boolean {
  if (one.value === other.value && one.unit === other.unit) return true;
  if (typeof one.value === 'boolean' || typeof other.value === 'boolean') return one.value === other.value;
  const quantity = quantityOf(one);
  const otherQuantity = quantityOf(other);
  if (quantity !== undefined && otherQuantity !== undefined) return isSameQuantity(quantity, otherQuantity);
  if (quantity !== undefined || otherQuantity !== undefined) return false;
  return isSameText(String(one.value), String(other.value));
}

function isSameQuantity(one: Quantity, other: Quantity): boolean {
  if (one.unit === other.unit || one.unit === undefined || other.unit === undefined)
    return isNear(one.value, other.value);
  const converted = convertUnit(one.value, one.unit, other.unit);
  return converted !== undefined && isNear(converted, other.value);
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= RELATIVE_TOLERANCE * Math.max(Math.abs(one), Math.abs(other));
}

function quantityOf({ value, unit }: ValueWithUnit): Quantity | undefined {
  if (typeof value === 'number') return { value, unit };
  if (typeof value === 'boolean') return undefined;
  const written = /^\s*([-+]?(?!0\d)\d+(?:\.\d+)?)\s*(\S*)\s*$/u.exec(value.normalize('NFKC'));
  if (written !== null) {
    const [, digits = '', said = ''] = written;
    if (said === '' || isKnownUnit(said)) return { value: Number(digits), unit: unit ?? (said || undefined) };
  }
  const language = languageOf(value);
  const tokens = tokenise(value, language);
  for (const number of numbersAt(tokens, 0, language).toSorted((a, b) => b.end - a.end)) {
    // "007" is a name and no seven.
    if (number.digits !== undefined && number.digits > 1 && tokens.length === 1) continue;
    const rest = tokens.slice(number.end).map(({ text }) => text);
    const said = rest.join(language === 'zh' ? '' : ' ');
    if (said === '') return { value: number.value, unit };
    if (DEGREES.has(said)) return { value: number.value, unit: unit ?? 'degC' };
    if (isKnownUnit(said)) return { value: number.value, unit: unit ?? said };
  }
  return undefined;
}

function isSameText(one: string, other: string): boolean {
  if (squeezed(one) === squeezed(other)) return true;
  const words = wordsOf(one);
  const others = wordsOf(other);
  const [shorter, longer] = words.length <= others.length ? [words, others] : [others, words];
  if ((2 * shorter.length) / (words.length + others.length) < SAME_TEXT_FROM) return false;
  // A word that stands for another is another value ("left", "right"); words more, on one side only, are not.
  const more = wordsMore(longer, shorter);
  return more?.every((word) => !TURNS_IT_ROUND.has(word) && !/\d/u.test(word)) ?? false;
}

/** What the longer says besides the shorter, which it holds in its order; undefined when it does not. */
function wordsMore(longer: readonly string[], shorter: readonly string[]): readonly string[] | undefined {
  let next = 0;
  const more = longer.filter((word) => {
    if (word !== shorter[next]) return true;
    next += 1;
    return false;
  });
  return next === shorter.length && next > 0 ? more : undefined;
}

function squeezed(text: string): string {
  return normalise(text.normalize('NFKC'), languageOf(text)).replace(/[\s\p{P}]+/gu, (sign) =>
    /[-./@:#+]/u.test(sign) ? sign.trim() : '',
  );
}

function wordsOf(text: string): readonly string[] {
  const language = languageOf(text);
  const tokens = tokenise(text, language);
  const words: string[] = [];
  for (let at = 0; at < tokens.length; ) {
    const number = longestNumber(tokens, at, language);
    const word = number === undefined ? (tokens[at]?.text ?? '') : String(number.value);
    if (!SAYS_NOTHING.has(word)) words.push(stemOf(word));
    at = number?.end ?? at + 1;
  }
  return words;
}

function longestNumber(
  tokens: readonly Token[],
  at: number,
  language: Language,
): { readonly end: number; readonly value: number } | undefined {
  return numbersAt(tokens, at, language).reduce<{ end: number; value: number } | undefined>(
    (best, number) => (best === undefined || number.end > best.end ? number : best),
    undefined,
  );
}

function stemOf(word: string): string {
  return /^[a-z]{5,}$/.test(word) ? word.replace(/(?:ing|ed|es|s)$/, '') : word;
}
