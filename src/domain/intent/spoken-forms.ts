import type { Language } from '../language/language.ts';
import { digitsToWords, numberToWords } from '../language/number-to-words.ts';
import { normalise } from '../language/tokens.ts';
import type { NumberRange } from './sentence-file.ts';

/** What a name is made of. */
const PIECE = /\d+(?:\.\d+)?|\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{M}])+/gu;
/** Numbers of a name that people also read digit by digit: from three digits on, or with leading zeros. */
const READ_BY_DIGIT = /^(?:0\d|\d{3})\d*$/;

/** The words of a number; each Chinese character of it is a word. */
function numberWords(value: number, language: Language): readonly string[] {
  const spoken = numberToWords(value, language);
  return language === 'zh' ? [...spoken] : spoken.split(' ');
}

/**
 * The ways a name is said, each as its words: "pump 203" is "pump two hundred three" and "pump two zero three".
 * Chinese stays in the runs it was written in, to be cut into words of the recogniser.
 */
export function nameForms(name: string, language: Language): readonly (readonly string[])[] {
  const pieces = normalise(name, language).match(PIECE) ?? [];
  const say = (byDigit: boolean) =>
    pieces.flatMap((piece) => {
      if (!/^\d/.test(piece)) return [piece];
      const spelled = byDigit && READ_BY_DIGIT.test(piece);
      return spelled ? digitsToWords(piece, language).split(' ') : numberWords(Number(piece), language);
    });
  const forms = [say(false), say(true)];
  return [...new Map(forms.map((form) => [form.join(' '), form])).values()];
}

/** Forms whose neighbouring words are those of every number of the range: a bigram model needs no more. */
export function rangeForms(range: NumberRange, language: Language): readonly (readonly string[])[] {
  const samples = [
    ...counted(0, 120, 1),
    ...counted(130, 190, 10),
    ...counted(200, 900, 100),
    ...counted(1000, 1020, 1),
    ...counted(1030, 1090, 10),
    ...counted(1100, 1900, 100),
    ...counted(2000, 9000, 1000),
    10_001,
    10_010,
    10_100,
    ...counted(10_000, 20_000, 1000),
    ...counted(30_000, 90_000, 10_000),
    100_000,
    200_000,
  ];
  const signed = [...samples, ...samples.map((sample) => -sample)];
  const within = [...new Set(signed)].filter((sample) => sample >= range.from && sample <= range.to);
  const forms = within.flatMap((value) => [numberWords(value, language), ...variantsOf(value, language)]);
  return [...forms, ...decimalForms(within, range, language)];
}

/** The other ways of saying the same: "one hundred and five"; 两百 beside 二百, and 一百二 for 120. */
function variantsOf(value: number, language: Language): readonly (readonly string[])[] {
  const words = numberWords(value, language);
  if (language === 'en') {
    const hundred = words.indexOf('hundred');
    return hundred < 0 || hundred === words.length - 1
      ? []
      : [[...words.slice(0, hundred + 1), 'and', ...words.slice(hundred + 1)]];
  }
  if (value === 200) return [['两', '百']];
  return value > 100 && value < 200 && value % 10 === 0 ? [words.slice(0, -1)] : [];
}

function decimalForms(
  wholes: readonly number[],
  range: NumberRange,
  language: Language,
): readonly (readonly string[])[] {
  if (range.decimals === 0) return [];
  const tenths = wholes.filter((whole) => whole >= 0 && whole < range.to).map((whole) => whole + 0.5);
  const digits = counted(0, 9, 1);
  const point = numberWords(0.5, language)[1] ?? '';
  const zero = numberWords(0, language);
  const fractions = digits.flatMap((digit) => {
    const first = [...zero, point, ...numberWords(digit, language)];
    return range.decimals === 1
      ? [first]
      : digits.map((second) => [...first, ...numberWords(second, language)]);
  });
  return [...tenths.map((value) => numberWords(value, language)), ...(range.to > 0 ? fractions : [])];
}

function counted(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
}
