import { describe, expect, test } from 'vitest';
import { nameForms, rangeForms } from '../../../../src/domain/intent/spoken-forms.ts';
import { LANGUAGES, type Language } from '../../../../src/domain/language/language.ts';
import { numberToWords } from '../../../../src/domain/language/number-to-words.ts';

const said = (name: string, language: Language) => nameForms(name, language).map((form) => form.join(' '));

describe('how a name is said', () => {
  test.each([
    ['Machine 12', 'en', ['machine twelve']],
    ['Pump 203', 'en', ['pump two hundred three', 'pump two zero three']],
    ['Pump-01', 'en', ['pump one', 'pump zero one']],
    ['A12', 'en', ['a twelve']],
    ['12号机床', 'zh', ['十 二 号机床']],
    ['A12 机床', 'zh', ['a 十 二 机床']],
    ['203泵', 'zh', ['二 百 零 三 泵', '二 零 三 泵']],
  ] as const)('%s (%s)', (name, language, forms) => {
    expect(said(name, language)).toEqual(forms);
  });
});

describe.each(LANGUAGES)('the sample of a range (%s)', (language) => {
  const wordsOf = (value: number) => {
    const spoken = numberToWords(value, language);
    return language === 'zh' ? [...spoken] : spoken.split(' ');
  };
  const pairsOf = (forms: Iterable<readonly string[]>) => {
    const pairs = new Set<string>();
    for (const form of forms)
      for (let i = 0; i <= form.length; i++) pairs.add(`${form[i - 1] ?? '<s>'} ${form[i] ?? '</s>'}`);
    return pairs;
  };

  test('has the neighbouring words of every number in it', () => {
    const sample = rangeForms({ from: -99, to: 99_999, decimals: 1 }, language);
    expect(sample.length).toBeLessThan(1500);
    const pairs = pairsOf(sample);
    function* all() {
      for (let value = -99; value <= 99_999; value += value < 12_000 ? 1 : 37) yield wordsOf(value);
      for (let tenths = 0; tenths < 20_000; tenths++) yield wordsOf(tenths / 10);
    }
    expect([...pairsOf(all())].filter((pair) => !pairs.has(pair))).toEqual([]);
  });

  test('stays within the range', () => {
    const words = new Set(rangeForms({ from: 1, to: 9, decimals: 0 }, language).flat());
    expect(words.size).toBe(9);
  });
});
