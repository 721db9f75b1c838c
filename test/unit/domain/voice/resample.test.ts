import { describe, expect, it } from 'vitest';
import { resample } from '../../../../src/domain/voice/resample.ts';
import { amplitudeAt, decibel, tone } from '../../../support/tones.ts';

describe('resample', () => {
  for (const fromHz of [8_000, 11_025, 22_050, 24_000, 44_100, 48_000]) {
    it(`keeps a 1 kHz tone's frequency and level from ${fromHz} Hz`, () => {
      const out = resample(tone(1_000, fromHz, 1), fromHz, 16_000);
      expect(out).toHaveLength(16_000);
      expect(decibel(amplitudeAt(out, 1_000, 16_000) / 0.5)).toBeCloseTo(0, 1);
      expect(decibel(amplitudeAt(out, 1_050, 16_000) / 0.5)).toBeLessThan(-60);
    });
  }

  it('keeps the level of speech up to 6.8 kHz', () => {
    const out = resample(tone(6_800, 22_050, 1), 22_050, 16_000);
    expect(Math.abs(decibel(amplitudeAt(out, 6_800, 16_000) / 0.5))).toBeLessThan(0.2);
  });

  for (const [frequencyHz, fromHz] of [
    [9_000, 22_050],
    [10_500, 22_050],
    [9_000, 44_100],
    [20_000, 48_000],
  ] as const) {
    it(`folds nothing of ${frequencyHz} Hz at ${fromHz} Hz back into the voice band`, () => {
      const out = resample(tone(frequencyHz, fromHz, 1), fromHz, 16_000);
      const middle = out.subarray(2_000, 14_000);
      const loudest = middle.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
      expect(decibel(Math.max(loudest, 1) / (0.5 * 32_768))).toBeLessThan(-60);
    });
  }

  it('keeps a constant level and the full range without wrapping round', () => {
    const loud = new Int16Array(4_410).fill(32_767);
    const out = resample(loud, 44_100, 16_000);
    expect(out).toHaveLength(1_600);
    expect(out.subarray(100, 1_500).every((sample) => sample >= 32_766)).toBe(true);
  });

  it('returns a copy when the rates are the same', () => {
    const pcm = Int16Array.of(1, -2, 3);
    const out = resample(pcm, 16_000, 16_000);
    expect(out).toEqual(pcm);
    expect(out).not.toBe(pcm);
  });

  it('makes nothing of nothing and refuses a rate that is none', () => {
    expect(resample(new Int16Array(0), 22_050, 16_000)).toHaveLength(0);
    expect(() => resample(new Int16Array(1), 0, 16_000)).toThrow(RangeError);
    expect(() => resample(new Int16Array(1), 16_000, 0.5)).toThrow(RangeError);
  });
});
