import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../../../src/domain/language/language.ts';
import { numberToWords } from '../../../../src/domain/language/number-to-words.ts';
import { numbersAt } from '../../../../src/domain/language/numbers-at.ts';
import { tokenise } from '../../../../src/domain/language/tokens.ts';

/** All readings from the first token on, as [tokens used, value, digits], shortest first. */
function readings(text: string, language: Language) {
  return numbersAt(tokenise(text, language), 0, language)
    .map(({ end, value, digits }) => (digits === undefined ? [end, value] : [end, value, digits]))
    .sort(([a = 0], [b = 0]) => a - b);
}

function whole(text: string, language: Language) {
  const tokens = tokenise(text, language);
  return numbersAt(tokens, 0, language).filter(({ end }) => end === tokens.length);
}

describe('English numbers', () => {
  test('every possible end is a reading', () => {
    expect(readings('twenty five machines', 'en')).toEqual([
      [1, 20],
      [2, 25],
    ]);
    expect(readings('one hundred and five', 'en')).toEqual([
      [1, 1],
      [2, 100],
      [4, 105],
    ]);
  });

  test.each([
    ['zero', 0],
    ['one hundred five', 105],
    ['twelve hundred', 1200],
    ['two thousand', 2000],
    ['two thousand and one', 2001],
    ['nine hundred ninety nine thousand nine hundred ninety nine', 999_999],
    ['two point five', 2.5],
    ['two point zero five', 2.05],
    ['minus five', -5],
    ['negative two point five', -2.5],
    ['minus zero', 0],
    ['12', 12],
    ['-2.5', -2.5],
  ])('%s', (text, value) => {
    expect(whole(text, 'en').map((number) => number.value)).toEqual([value]);
  });

  test('digits said one by one are counted', () => {
    expect(readings('one two three', 'en')).toEqual([
      [1, 1],
      [2, 12, 2],
      [3, 123, 3],
    ]);
    expect(whole('zero zero seven', 'en')).toEqual([{ end: 3, value: 7, digits: 3 }]);
    expect(whole('007', 'en')).toEqual([{ end: 1, value: 7, digits: 3 }]);
  });

  test.each([
    'and five',
    'hundred',
    'twenty zero',
    'twenty hundred',
    'point five',
    'minus',
    'minus minus five',
    '12,5',
    'fifty five five',
    '1 2',
    'two point',
  ])('"%s" as a whole is no number', (text) => {
    expect(whole(text, 'en')).toEqual([]);
  });
});

describe('Chinese numbers', () => {
  test('every possible end is a reading', () => {
    expect(readings('五十五', 'zh')).toEqual([
      [1, 5],
      [2, 50],
      [3, 55],
    ]);
  });

  test.each([
    ['五十五', 55],
    ['十二', 12],
    ['二点五', 2.5],
    ['二十点零五', 20.05],
    ['一百零五', 105],
    ['一百二', 120],
    ['一百二十', 120],
    ['一百十二', 112],
    ['两千', 2000],
    ['两千五', 2500],
    ['两千零五', 2005],
    ['一万二', 12_000],
    ['两万零一百', 20_100],
    ['负五', -5],
    ['两', 2],
    ['零', 0],
    ['〇', 0],
  ])('%s', (text, value) => {
    expect(whole(text, 'zh').map((number) => number.value)).toEqual([value]);
  });

  test('digits said one by one are counted, radio digits too', () => {
    expect(whole('一二三', 'zh')).toEqual([{ end: 3, value: 123, digits: 3 }]);
    expect(whole('幺洞拐两', 'zh')).toEqual([{ end: 4, value: 1072, digits: 4 }]);
    expect(whole('拐', 'zh')).toEqual([{ end: 1, value: 7, digits: 1 }]);
  });

  test.each(['百', '点五', '十十', '一百两', '负', '幺百', '零五十', '一百零零五', '二十百'])(
    '%s as a whole is no number',
    (text) => {
      expect(whole(text, 'zh')).toEqual([]);
    },
  );
});

describe.each(LANGUAGES)('what is spoken is understood again (%s)', (language) => {
  test('each whole number from 0 to 9,999', () => {
    for (let value = 0; value <= 9999; value++)
      expect(whole(numberToWords(value, language), language)).toEqual([expect.objectContaining({ value })]);
  });

  test('numbers with one or two decimals, of either sign', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999, max: 999_999 }), fc.constantFrom(1, 2), (scaled, decimals) => {
        const value = scaled / 10 ** decimals;
        const understood = whole(numberToWords(value, language, decimals), language);
        expect(understood.map((number) => number.value)).toEqual([value === 0 ? 0 : value]);
      }),
    );
  });

  test('no two readings share end and value', () => {
    const words =
      language === 'en'
        ? 'one two ten twenty hundred thousand and point minus zero'
        : '一 二 两 十 百 千 万 零 点 负 幺';
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words.split(' ')), { maxLength: 12 }), (spoken) => {
        const found = numbersAt(tokenise(spoken.join(' '), language), 0, language);
        expect(new Set(found.map(({ end, value }) => `${end} ${value}`)).size).toBe(found.length);
      }),
    );
  });
});
