import type { Language } from './language.ts';
import { CHINESE_DIGITS, ENGLISH_BELOW_TWENTY, ENGLISH_TENS } from './number-words.ts';

const MAX_DECIMALS = 6;
/** From here on a number is said with its power of ten. */
const POWER_OF_TEN_FROM = 1e12;

/**
 * A number as it is said: "fifty seven point five", 五十七点五. Rounded to `decimals` (0 to 6, default 6) and without
 * trailing zeros after the point. Throws RangeError for NaN and infinity: a reading without a value is not a number to say.
 */
export function numberToWords(value: number, language: Language, decimals: number = MAX_DECIMALS): string {
  if (!Number.isFinite(value)) throw new RangeError(`not a number to say: ${value}`);
  const magnitude = Math.abs(value);
  if (magnitude >= POWER_OF_TEN_FROM) return powerOfTen(value, language);
  const [whole = '0', fraction = ''] = magnitude.toFixed(Math.min(decimals, MAX_DECIMALS)).split('.');
  const spokenFraction = fraction.replace(/0+$/, '');
  const isZero = Number(whole) === 0 && spokenFraction === '';
  return language === 'en'
    ? englishNumber(Number(whole), spokenFraction, value < 0 && !isZero)
    : chineseNumber(Number(whole), spokenFraction, value < 0 && !isZero);
}

/** Each digit by itself, in words with spaces between: "two zero three", 二 零 三. */
export function digitsToWords(digits: string, language: Language): string {
  const names = language === 'en' ? ENGLISH_BELOW_TWENTY : CHINESE_DIGITS;
  return [...digits].map((digit) => names[Number(digit)] ?? digit).join(' ');
}

/** 1 and 7 as they are called over a radio, so that an ear keeps them apart. */
const CALLED: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  en: new Map([
    ['-', 'minus'],
    ['.', 'point'],
  ]),
  zh: new Map([
    ['-', '负'],
    ['.', '点'],
    ['1', '幺'],
    ['7', '拐'],
  ]),
};

/** A number read back digit by digit, of `width` digits before the point or more: "zero one five", 幺 拐 点 五. */
export function numberDigitByDigit(value: number, language: Language, width = 1): string {
  const [whole = '0', ...fraction] = String(Math.abs(value)).split('.');
  const text = [whole.padStart(width, '0'), ...fraction].join('.');
  return [...(value < 0 ? '-' : ''), ...text]
    .map((sign) => CALLED[language].get(sign) ?? digitsToWords(sign, language))
    .join(' ');
}

function powerOfTen(value: number, language: Language): string {
  const [mantissa = '0', exponent = '0'] = value.toExponential(3).split('e');
  const times = numberToWords(Number(mantissa), language);
  const power = numberToWords(Number(exponent), language);
  return language === 'en' ? `${times} times ten to the power ${power}` : `${times}乘以十的${power}次方`;
}

function englishNumber(whole: number, fraction: string, negative: boolean): string {
  const sign = negative ? 'minus ' : '';
  const tail = fraction === '' ? '' : ` point ${digitsToWords(fraction, 'en')}`;
  return `${sign}${englishInteger(whole)}${tail}`;
}

const ENGLISH_SCALES: readonly (readonly [number, string])[] = [
  [1_000_000_000, 'billion'],
  [1_000_000, 'million'],
  [1000, 'thousand'],
  [100, 'hundred'],
];

function englishInteger(value: number): string {
  const small = ENGLISH_BELOW_TWENTY[value];
  if (small !== undefined) return small;
  for (const [scale, name] of ENGLISH_SCALES) {
    if (value < scale) continue;
    const rest = value % scale;
    const head = `${englishInteger(Math.floor(value / scale))} ${name}`;
    return rest === 0 ? head : `${head} ${englishInteger(rest)}`;
  }
  const tens = ENGLISH_TENS[Math.floor(value / 10) - 2] ?? '';
  return value % 10 === 0 ? tens : `${tens} ${englishInteger(value % 10)}`;
}

function chineseNumber(whole: number, fraction: string, negative: boolean): string {
  const sign = negative ? '负' : '';
  const tail = fraction === '' ? '' : `点${digitsToWords(fraction, 'zh').replaceAll(' ', '')}`;
  return `${sign}${chineseInteger(whole)}${tail}`;
}

const CHINESE_SCALES: readonly (readonly [number, string])[] = [
  [100_000_000, '亿'],
  [10_000, '万'],
  [1000, '千'],
  [100, '百'],
  [10, '十'],
];

function chineseInteger(value: number): string {
  // 十二 at the beginning, 一百一十二 inside.
  return chineseCardinal(value).replace(/^一十/, '十');
}

function chineseCardinal(value: number): string {
  for (const [scale, name] of CHINESE_SCALES) {
    if (value < scale) continue;
    const times = Math.floor(value / scale);
    const rest = value % scale;
    // 两千, 两万 and 两亿 are what people say; before 百 and 十 it is 二.
    const head =
      times === 2 && scale >= 1000
        ? '两'
        : chineseCardinal(times).replace(/^一十/, scale >= 10_000 ? '十' : '一十');
    if (rest === 0) return `${head}${name}`;
    return `${head}${name}${rest < scale / 10 ? '零' : ''}${chineseCardinal(rest)}`;
  }
  return CHINESE_DIGITS[value] ?? '';
}
