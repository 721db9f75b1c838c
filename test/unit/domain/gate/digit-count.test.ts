import { describe, expect, it } from 'vitest';
import {
  type DigitExpectation,
  digitsBetween,
  doubtfulDigits,
  readingsOf,
  wholeNumber,
} from '../../../../src/domain/gate/digit-count.ts';
import { compileSentences } from '../../../../src/domain/intent/sentence-book.ts';
import { SITE_NAMES, shippedSentenceFiles } from '../../../support/shipped-sentences.ts';

/** A value of so many digits at most between two limits. */
const within =
  (from: number, to: number): DigitExpectation['meantBy'] =>
  (words) => {
    const value = wholeNumber(words, 'zh');
    return value !== undefined && value >= from && value <= to ? value : undefined;
  };
const said = (spoken: string, value: number | string, digits?: number) => ({
  value,
  spoken,
  ...(digits === undefined ? {} : { digits }),
});
const doubt = (slot: ReturnType<typeof said>, expected: Partial<DigitExpectation>) =>
  doubtfulDigits(slot, { digits: undefined, meantBy: () => undefined, ...expected }, 'zh');

describe('"Digit strings are counted"', () => {
  it('and asked about when one is missing or one too many', () => {
    const three = { digits: { least: 3, most: 3 } };
    expect(
      doubtfulDigits(
        said('one two', 12, 2),
        { digits: { least: 3, most: 3 }, meantBy: () => undefined },
        'en',
      ),
    ).toEqual({
      kind: 'count',
      heard: 2,
      expected: { least: 3, most: 3 },
    });
    expect(doubt(said('幺二三四', 1234, 4), three)).toEqual({
      kind: 'count',
      heard: 4,
      expected: { least: 3, most: 3 },
    });
    expect(doubt(said('幺二三', 123, 3), three)).toBeUndefined();
  });

  it('but not a number that was said as one, nor where any number will do', () => {
    expect(doubt(said('一百', 100), { digits: { least: 2, most: 2 } })).toBeUndefined();
    expect(doubt(said('幺二', 12, 2), {})).toBeUndefined();
  });

  it('with the count that the sentences of the file bring along', () => {
    const file = shippedSentenceFiles().find(({ language }) => language === 'en');
    if (file === undefined) throw new Error('the English file is shipped');
    const match = compileSentences(file, SITE_NAMES.en).match('set pump three to one two');
    const value = match.kind === 'match' ? match.meaning.slots['value'] : undefined;
    if (value === undefined) throw new Error('"set pump three to one two" has a value');
    expect(
      doubtfulDigits(value, { digits: { least: 3, most: 3 }, meantBy: () => undefined }, 'en'),
    ).toMatchObject({ heard: 2 });
    expect(
      doubtfulDigits(value, { digits: { least: 2, most: 2 }, meantBy: () => undefined }, 'en'),
    ).toBeUndefined();
  });
});

describe('a digit that was said twice and heard once', () => {
  const numberWithin =
    (language: 'en' | 'zh', from: number, to: number): DigitExpectation['meantBy'] =>
    (words) => {
      const value = wholeNumber(words, language);
      return value !== undefined && value >= from && value <= to ? value : undefined;
    };

  it.each([
    ['en', 'one five', 15, 2, 0, 250, 'one one five', 115],
    ['en', 'five one', 51, 2, 0, 600, 'five five one', 551],
    ['en', 'one two', 12, 2, -50, 120, 'one one two', 112],
    ['zh', '幺五', 15, 2, 0, 250, '幺幺五', 115],
    ['zh', '幺', 1, 1, 0, 90, '幺幺', 11],
    ['zh', '二五', 25, 2, 0, 250, '二二五', 225],
  ] as const)(
    'is asked about: %s "%s" (%d) within the limits of its point',
    (language, spoken, value, heard, from, to, words, other) => {
      const expected = { digits: digitsBetween(from, to), meantBy: numberWithin(language, from, to) };
      expect(doubtfulDigits(said(spoken, value, heard), expected, language)).toEqual({
        kind: 'repeat',
        words,
        value: other,
      });
    },
  );

  it.each([
    ['en', 'every digit was said', 'zero one five', 15, 3, 0, 250],
    ['en', 'one more is not possible', 'nine five', 95, 2, 0, 250],
    ['en', 'no more fit', 'five five', 55, 2, 0, 90],
    ['en', 'it was said as one number', 'fifteen', 15, undefined, 0, 250],
    ['en', 'it is the fraction', 'fifteen point five', 15.5, undefined, 0, 250],
    ['zh', 'every digit was said', '洞幺五', 15, 3, 0, 250],
    ['zh', 'it was said as one number', '一百零五', 105, undefined, 100, 106],
  ] as const)('is not asked about: %s, %s', (language, _why, spoken, value, heard, from, to) => {
    const slot = heard === undefined ? said(spoken, value) : said(spoken, value, heard);
    const expected = { digits: digitsBetween(from, to), meantBy: numberWithin(language, from, to) };
    expect(doubtfulDigits(slot, expected, language)).toBeUndefined();
  });

  it('is not looked for where the point has no limits', () => {
    expect(
      doubtfulDigits(
        said('one five', 15, 2),
        { digits: digitsBetween(undefined, 250), meantBy: (words) => wholeNumber(words, 'en') },
        'en',
      ),
    ).toBeUndefined();
  });

  it('is asked about in a name where such a machine exists', () => {
    const plant = new Map([
      ['machine one two', 'm12'],
      ['machine one one two', 'm112'],
    ]);
    const names = { digits: undefined, meantBy: (words: string) => plant.get(words) };
    expect(doubtfulDigits(said('machine one two', 'm12'), names, 'en')).toMatchObject({ value: 'm112' });
    expect(doubtfulDigits(said('machine one one two', 'm112'), names, 'en')).toBeUndefined();
  });
});

describe('the digits between two limits', () => {
  it.each([
    [0, 250, { least: 1, most: 3 }],
    [100, 250, { least: 3, most: 3 }],
    [-50, 1000, { least: 1, most: 4 }],
    [-250, -10, { least: 2, most: 3 }],
    [0.5, 99.9, { least: 1, most: 2 }],
    [undefined, 250, undefined],
    [0, undefined, undefined],
  ])('%s to %s', (least, most, range) => {
    expect(digitsBetween(least, most)).toEqual(range);
  });
});

describe('an English name', () => {
  const plant = new Map(['one', 'five', 'nine', 'two'].map((number) => [`pump ${number}`, number]));
  const names = { digits: undefined, meantBy: (words: string) => plant.get(words) };

  it.each([
    ['one', ['nine']],
    ['five', ['nine']],
    ['nine', ['one', 'five']],
    ['two', []],
  ])('"pump %s" may as well be %s', (number, others) => {
    const found = readingsOf(said(`pump ${number}`, number), names, 'en');
    expect(found.map(({ value }) => value)).toEqual(others);
  });

  it('is asked about, a value with the same word is not', () => {
    const anyNumber = { digits: digitsBetween(0, 90), meantBy: (words: string) => wholeNumber(words, 'en') };
    expect(doubtfulDigits(said('nine', 9), anyNumber, 'en')).toBeUndefined();
  });
});

describe('"一/七 (幺, 拐) and 四/十 are told apart or asked"', () => {
  const anyTo99 = { meantBy: within(0, 99) };

  it.each([
    ['一', 1, '七', 7],
    ['七', 7, '一', 1],
    ['四', 4, '十', 10],
    ['十', 10, '四', 4],
    ['四十', 40, '十四', 14],
    ['十四', 14, '四十', 40],
    ['二十一', 21, '二十七', 27],
  ])('asks whether %s (%d) was %s (%d)', (spoken, value, words, other) => {
    const found = doubt(said(spoken, value), anyTo99);
    expect(found?.kind).toBe('alike');
    const all = doubt(said(spoken, value), { meantBy: (text) => (text === words ? other : undefined) });
    expect(all).toEqual({ kind: 'alike', words, value: other });
  });

  it('takes 幺 and 拐 as they are, since they are said to be told apart', () => {
    expect(doubt(said('幺', 1, 1), anyTo99)).toBeUndefined();
    expect(doubt(said('拐二', 72, 2), anyTo99)).toBeUndefined();
  });

  it('takes a number as it is where the other one is not possible', () => {
    expect(doubt(said('四', 4), { meantBy: within(0, 9) })).toBeUndefined();
    expect(doubt(said('十', 10), { meantBy: within(5, 20) })).toBeUndefined();
    expect(doubt(said('二十', 20), { meantBy: within(20, 40) })).toMatchObject({ value: 24 });
    expect(doubt(said('二十五', 25), { meantBy: within(20, 40) })).toBeUndefined();
  });

  it('asks about a name with such a number only where both machines exist', () => {
    const plant = new Map([
      ['七号泵', 'p7'],
      ['一号泵', 'p1'],
      ['四号泵', 'p4'],
    ]);
    const names = { meantBy: (words: string) => plant.get(words) };
    expect(doubt(said('一号泵', 'p1'), names)).toEqual({ kind: 'alike', words: '七号泵', value: 'p7' });
    expect(doubt(said('四号泵', 'p4'), names)).toBeUndefined();
  });

  it('has nothing to ask about a number without them', () => {
    expect(doubt(said('三十五', 35), { meantBy: within(0, 30) })).toBeUndefined();
    expect(doubt(said('二百三', 230), { meantBy: within(0, 1000) })).toBeUndefined();
  });
});

describe('words as a whole number', () => {
  it.each([
    ['四十', 40],
    ['一二三', 123],
    ['三', 3],
    ['四十号', undefined],
    ['', undefined],
    ['泵', undefined],
  ])('%s is %s', (words, value) => {
    expect(wholeNumber(words, 'zh')).toBe(value);
  });
});
