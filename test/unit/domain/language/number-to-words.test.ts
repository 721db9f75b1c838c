import { describe, expect, test } from 'vitest';
import {
  digitsToWords,
  numberDigitByDigit,
  numberToWords,
} from '../../../../src/domain/language/number-to-words.ts';

describe('a number as it is said', () => {
  test.each([
    [57.5, 'fifty seven point five', '五十七点五'],
    [-5, 'minus five', '负五'],
    [12, 'twelve', '十二'],
    [112, 'one hundred twelve', '一百一十二'],
    [105, 'one hundred five', '一百零五'],
    [200, 'two hundred', '二百'],
    [2000, 'two thousand', '两千'],
    [1010, 'one thousand ten', '一千零一十'],
    [120_000, 'one hundred twenty thousand', '十二万'],
    [100_005, 'one hundred thousand five', '十万零五'],
    [3_000_000, 'three million', '三百万'],
    [1_200_000_000, 'one billion two hundred million', '十二亿'],
    [0, 'zero', '零'],
    [-0, 'zero', '零'],
    [1.5e15, 'one point five times ten to the power fifteen', '一点五乘以十的十五次方'],
  ])('%d', (value, english, chinese) => {
    expect(numberToWords(value, 'en')).toBe(english);
    expect(numberToWords(value, 'zh')).toBe(chinese);
  });

  test('is rounded to its decimals, without trailing zeros', () => {
    expect(numberToWords(57.04, 'en', 1)).toBe('fifty seven');
    expect(numberToWords(57.46, 'en', 1)).toBe('fifty seven point five');
    expect(numberToWords(-0.04, 'en', 1)).toBe('zero');
    expect(numberToWords(0.1 + 0.2, 'zh')).toBe('零点三');
  });

  test('a reading without a value is refused', () => {
    expect(() => numberToWords(Number.NaN, 'en')).toThrow(RangeError);
    expect(() => numberToWords(Number.POSITIVE_INFINITY, 'zh')).toThrow(RangeError);
  });

  test('digits one by one', () => {
    expect(digitsToWords('203', 'en')).toBe('two zero three');
    expect(digitsToWords('203', 'zh')).toBe('二 零 三');
  });
});

describe('a number read back digit by digit', () => {
  test.each([
    [15, 2, 'one five', '幺 五'],
    [15, 3, 'zero one five', '零 幺 五'],
    [70, undefined, 'seven zero', '拐 零'],
    [-2.5, undefined, 'minus two point five', '负 二 点 五'],
    [0, undefined, 'zero', '零'],
  ])('%d', (value, width, english, chinese) => {
    expect(numberDigitByDigit(value, 'en', width)).toBe(english);
    expect(numberDigitByDigit(value, 'zh', width)).toBe(chinese);
  });
});
