import { describe, expect, it } from 'vitest';
import { shownValue } from '../../../src/commands/shown-value.ts';

describe('a value for a person', () => {
  it('is rounded as the device map says', () => {
    expect(shownValue({ value: 55.383_441_925, unit: 'degrees', decimals: 1 })).toBe('55.4 degrees');
    expect(shownValue({ value: 55, decimals: 2 })).toBe('55.00');
    expect(shownValue({ value: -0.04, decimals: 1 })).toBe('0.0');
    expect(shownValue({ value: -0.06, decimals: 1 })).toBe('-0.1');
  });

  it('has no noise of 32 bits, and loses no digit of a number of 64', () => {
    expect(shownValue({ value: Math.fround(0.1) })).toBe('0.1');
    expect(shownValue({ value: Math.fround(218.37) })).toBe('218.37');
    expect(shownValue({ value: 123_456_789.12 })).toBe('123456789.12');
    expect(shownValue({ value: 16_777_217 })).toBe('16777217');
  });

  it('is what the device map calls it, and that has no unit', () => {
    expect(shownValue({ value: 2, unit: 'mode', meaning: 'running', decimals: 1 })).toBe('running');
    expect(shownValue({ value: true })).toBe('true');
  });
});
