import { describe, expect, it } from 'vitest';
import {
  type DigitExpectation,
  doubtfulDigits,
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
    const three = { digits: 3 };
    expect(doubtfulDigits(said('one two', 12, 2), { digits: 3, meantBy: () => undefined }, 'en')).toEqual({
      kind: 'count',
      heard: 2,
      expected: 3,
    });
    expect(doubt(said('幺二三四', 1234, 4), three)).toEqual({ kind: 'count', heard: 4, expected: 3 });
    expect(doubt(said('幺二三', 123, 3), three)).toBeUndefined();
  });

  it('but not a number that was said as one, nor where any number will do', () => {
    expect(doubt(said('一百', 100), { digits: 2 })).toBeUndefined();
    expect(doubt(said('幺二', 12, 2), {})).toBeUndefined();
  });

  it('with the count that the sentences of the file bring along', () => {
    const file = shippedSentenceFiles().find(({ language }) => language === 'en');
    if (file === undefined) throw new Error('the English file is shipped');
    const match = compileSentences(file, SITE_NAMES.en).match('set pump three to one two');
    const value = match.kind === 'match' ? match.meaning.slots['value'] : undefined;
    if (value === undefined) throw new Error('"set pump three to one two" has a value');
    expect(doubtfulDigits(value, { digits: 3, meantBy: () => undefined }, 'en')).toMatchObject({ heard: 2 });
    expect(doubtfulDigits(value, { digits: 2, meantBy: () => undefined }, 'en')).toBeUndefined();
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
