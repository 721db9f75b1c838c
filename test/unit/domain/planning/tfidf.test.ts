import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TfIdf } from '../../../../src/domain/planning/tfidf.ts';

const counts = (text: string): ReadonlyMap<string, number> => {
  const terms = new Map<string, number>();
  for (const word of text.split(' ')) terms.set(word, (terms.get(word) ?? 0) + 1);
  return terms;
};

const space = new TfIdf([
  { label: 'fruit', terms: counts('eat the apple') },
  { label: 'fruit', terms: counts('eat the pear') },
  { label: 'tool', terms: counts('take the hammer') },
  { label: 'tool', terms: counts('take the saw') },
]);

describe('likeness by term frequency and inverse document frequency', () => {
  it('is 1 for the only example of a label and nothing else', () => {
    const [only] = new TfIdf([{ label: 'a', terms: counts('one two') }]).rank(counts('one two'));
    expect(only?.score).toBeCloseTo(1, 12);
  });

  it('rests on the words that set a label apart, not on those that all have', () => {
    expect(space.rank(counts('the the the hammer'))[0]?.label).toBe('tool');
    const [first, second] = space.rank(counts('the'));
    expect(first?.score).toBeCloseTo(second?.score ?? 0, 12);
  });

  it('follows the formula: the cosine of 1 + ln(labels / labels that have the term)', () => {
    const two = new TfIdf([
      { label: 'a', terms: counts('shared own') },
      { label: 'b', terms: counts('shared') },
    ]);
    const own = 1 + Math.log(2);
    const cosine = 1 / Math.sqrt(1 + own * own);
    expect(two.rank(counts('shared')).find(({ label }) => label === 'a')?.score).toBeCloseTo(cosine, 12);
  });

  it('is less for a text with words that no example has', () => {
    const plain = space.rank(counts('eat apple'))[0]?.score ?? 0;
    const odd = space.rank(counts('eat apple forklift'))[0]?.score ?? 0;
    expect(odd).toBeLessThan(plain);
  });

  it('is between 0 and 1, whatever is said', () => {
    const word = fc.constantFrom('eat', 'the', 'apple', 'hammer', 'forklift', 'saw eat');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        for (const { score } of space.rank(counts(words.join(' ')))) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });
});
