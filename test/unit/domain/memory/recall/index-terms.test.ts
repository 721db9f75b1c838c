import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stemOf } from '../../../../../src/domain/memory/recall/index-terms.ts';
import { shippedTerms } from '../../../../support/shipped-glossary.ts';

const TERMS = shippedTerms();

function termsAlone(text: string): readonly string[] {
  return TERMS.words(text).map(({ term }) => term);
}

describe('the terms that a text is found by', () => {
  it('takes English words by their stem, also irregular ones, and leaves out what says nothing', () => {
    expect(termsAlone('We replaced the leaking seals')).toEqual([
      stemOf('replace'),
      stemOf('leak'),
      stemOf('seal'),
    ]);
    expect(stemOf('broken')).toBe(stemOf('break'));
  });

  it.each([
    ['pump seven', 'pump 7'],
    ['twenty two litres', '22 litres'],
    ['七号柜', '7号柜'],
    ['一百九十五度', '195度'],
  ])('"%s" and "%s" count as the same number', (spoken, written) => {
    const numbers = (text: string): readonly string[] =>
      TERMS.words(text)
        .filter(({ kind }) => kind === 'number')
        .map(({ term }) => term);
    expect(numbers(spoken)).toEqual(numbers(written));
    expect(numbers(written)).toHaveLength(1);
  });

  it.each(['E-203', 'e203', 'E 203', 'E two oh three', 'E two zero three'])(
    'finds the code in "%s"',
    (text) => {
      expect(TERMS.terms(text)).toContain('e203');
    },
  );

  it('finds a code with and without its leading zeros', () => {
    expect(TERMS.terms('fault F07')).toEqual(expect.arrayContaining(['f07', 'f7']));
  });

  it('gives a word and its synonyms of both languages one meaning', () => {
    for (const text of ['replaced', 'swap', '更换', '换了'])
      expect(TERMS.terms(text), text).toContain('c_replace');
    for (const text of ['the bearing', '轴承']) expect(TERMS.terms(text), text).toContain('c_bearing');
  });

  it('finds Chinese words, and pairs of characters where they may be cut otherwise', () => {
    const terms = TERMS.terms('七号泵的机械密封昨天更换了');
    expect(terms).toEqual(expect.arrayContaining(['7', '泵', '密封', '更换', '机械']));
  });

  it('takes one character that counts nothing as part of a word', () => {
    expect(TERMS.words('统一检查一下').some(({ kind }) => kind === 'number')).toBe(false);
  });

  it('keeps its places within the text, and its terms without spaces', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'E-203 ',
            'pump seven',
            '七号泵',
            ' 更换了',
            '12.5 bar ',
            'ＡＢ１２',
            "didn't ",
            '㎏',
            'é',
          ),
          {
            maxLength: 8,
          },
        ),
        (parts) => {
          const text = parts.join('');
          for (const { start, end, term, pieces, concepts } of TERMS.words(text)) {
            expect(start).toBeGreaterThanOrEqual(0);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(text.length);
            for (const each of [term, ...pieces, ...concepts]) expect(each).not.toMatch(/\s|^$/u);
          }
        },
      ),
    );
  });
});
