import { chineseIntegersAt, isChineseDigit } from './chinese-number.ts';
import { englishIntegersAt, isEnglishDigit } from './english-number.ts';
import type { Language } from './language.ts';
import { ENGLISH_MINUS } from './number-words.ts';
import type { Token } from './tokens.ts';

/** One way of reading the tokens from a position on as a number. */
export interface SpokenNumber {
  /** Position after the last token of the number. */
  readonly end: number;
  readonly value: number;
  /** Set when the number was said or written digit by digit ("one two three", "007"): how many digits there were. */
  readonly digits?: number;
}

/** Longest digit string that is read as one number: beyond it a double would lose digits. */
const MAX_DIGITS = 12;
const MAX_FRACTION_DIGITS = 6;

const TYPED = /^-?\d{1,12}(?:\.\d{1,6})?$/;

interface NumberLanguage {
  integersAt(tokens: readonly Token[], start: number): SpokenNumber[];
  digitOf(word: string | undefined): number | undefined;
  isMinus(word: string): boolean;
  readonly point: string;
}

const READERS: Readonly<Record<Language, NumberLanguage>> = {
  en: {
    integersAt: englishIntegersAt,
    digitOf: isEnglishDigit,
    isMinus: (word) => ENGLISH_MINUS.has(word),
    point: 'point',
  },
  zh: {
    integersAt: chineseIntegersAt,
    digitOf: isChineseDigit,
    isMinus: (word) => word === '负',
    point: '点',
  },
};

/**
 * Every number that begins at `start`: "twenty five" gives 20 ending after one token and 25 ending after two.
 * No two of the result share both end and value. Typed numbers stand alone and are never joined with words.
 */
export function numbersAt(
  tokens: readonly Token[],
  start: number,
  language: Language,
): readonly SpokenNumber[] {
  const first = tokens[start];
  if (first === undefined) return [];
  if (TYPED.test(first.text)) return [typedNumber(first.text, start)];
  const reader = READERS[language];
  if (reader.isMinus(first.text))
    return unsignedAt(tokens, start + 1, reader).map((number) => ({
      ...number,
      value: negate(number.value),
    }));
  return unsignedAt(tokens, start, reader);
}

function typedNumber(text: string, start: number): SpokenNumber {
  const value = Number(text);
  const number = { end: start + 1, value: value === 0 ? 0 : value };
  return /^0\d+$/.test(text) ? { ...number, digits: text.length } : number;
}

function unsignedAt(tokens: readonly Token[], start: number, reader: NumberLanguage): SpokenNumber[] {
  const integers = [...reader.integersAt(tokens, start), ...digitStringsAt(tokens, start, reader)];
  return [...integers, ...integers.flatMap((integer) => decimalsAfter(tokens, integer, reader))];
}

function digitStringsAt(tokens: readonly Token[], start: number, reader: NumberLanguage): SpokenNumber[] {
  const found: SpokenNumber[] = [];
  let value = 0;
  for (let digits = 1; digits <= MAX_DIGITS; digits++) {
    const digit = reader.digitOf(tokens[start + digits - 1]?.text);
    if (digit === undefined) break;
    value = value * 10 + digit;
    if (digits > 1) found.push({ end: start + digits, value, digits });
  }
  return found;
}

function decimalsAfter(
  tokens: readonly Token[],
  integer: SpokenNumber,
  reader: NumberLanguage,
): SpokenNumber[] {
  if (tokens[integer.end]?.text !== reader.point) return [];
  const found: SpokenNumber[] = [];
  let fraction = '';
  for (let end = integer.end + 1; fraction.length < MAX_FRACTION_DIGITS; end++) {
    const digit = reader.digitOf(tokens[end]?.text);
    if (digit === undefined) break;
    fraction += digit;
    found.push({ end: end + 1, value: Number(`${integer.value}.${fraction}`) });
  }
  return found;
}

/** Without the negative zero that `Object.is` and JSON tell apart from zero. */
function negate(value: number): number {
  return value === 0 ? 0 : -value;
}
