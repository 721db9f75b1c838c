import { describe, expect, it } from 'vitest';
import { MAX_SPOKEN_CHARACTERS, sayableText } from '../../../../src/domain/phrases/sayable-text.ts';

describe('a text from outside becomes plain words', () => {
  it.each([
    ['keeps words and punctuation', 'Pump 3 is at 57.5 degrees.', 'Pump 3 is at 57.5 degrees.'],
    ['loses control and direction characters', 'a\u0007b\u202Ec\u200Bd\ne', 'a b c d e'],
    ['loses markup', 'a <voice name="x">b</voice> <break/> c', 'a b c'],
    ['keeps a plain comparison', '5 < 6 and 7 > 6', '5 < 6 and 7 > 6'],
    ['loses phoneme brackets', "[[t'E]] hello", "t'E hello"],
    ['loses brackets that markup had kept apart', '[<b>[x]<b>]', 'x'],
    ['loses halves of characters', 'a\ud800b', 'a b'],
    ['writes wide letters and digits narrow', 'ＰＬＣ３号１０％', 'PLC3号10%'],
    ['may be left with nothing', '\u0000 \n', ''],
  ])('%s', (_, given, sayable) => {
    expect(sayableText(given, 'en')).toBe(sayable);
  });

  it('is cut at a word when it is too long, and says so', () => {
    const cut = sayableText('temperature '.repeat(100), 'en');
    expect(cut).toMatch(/^(temperature )+temperature, message cut\.$/);
    expect(cut.length).toBeLessThanOrEqual(MAX_SPOKEN_CHARACTERS);
    expect(cut.length).toBeGreaterThan(MAX_SPOKEN_CHARACTERS - 20);
  });

  it('is cut at a character in Chinese and where there are no spaces', () => {
    const cut = sayableText('温'.repeat(1000), 'zh');
    expect(cut).toMatch(/^温+，内容已截断。$/);
    expect([...cut]).toHaveLength(MAX_SPOKEN_CHARACTERS);
    expect(sayableText('x'.repeat(100_000), 'en')).toHaveLength(MAX_SPOKEN_CHARACTERS);
  });

  it('is not cut at exactly the limit', () => {
    const whole = 'y'.repeat(MAX_SPOKEN_CHARACTERS);
    expect(sayableText(whole, 'en')).toBe(whole);
  });
});
