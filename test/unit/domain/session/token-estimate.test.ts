import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../../src/domain/session/token-estimate.ts';

describe('the token estimate', () => {
  it.each([
    ['', 0],
    ['温度', 4],
    ['取消第三步', 9],
    ['cancel', 2],
    ['what is the temperature of pump three today please tell me', 15],
    ['ten words', 3],
    ['泵3的温度是82.5', 14],
    ['a'.repeat(24), 3],
    ['?!', 2],
  ])('of %j is %i: 1.75 a Chinese character, 1.3 a word, rounded up', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  it('lies between 1.5 and 2 for each Chinese character', () => {
    const long = '度'.repeat(100);
    expect(estimateTokens(long)).toBe(175);
  });

  it('never shrinks when a text grows, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(estimateTokens(`${a} ${b}`)).toBeGreaterThanOrEqual(estimateTokens(a));
        if (a.trim() !== '') expect(estimateTokens(a)).toBeGreaterThan(0);
      }),
    );
  });
});
