import { describe, expect, it } from 'vitest';
import { limitFromP95, p95Of } from '../../../../src/domain/tool/execution-limit.ts';

describe('the limit of a tool', () => {
  it.each([
    [320, 420],
    [100, 130],
    [700, 910],
    [1, 10],
    [0.5, 10],
  ])(
    'is 1.3 times the 95th percentile, rounded up to ten milliseconds: %d ms gives %d ms',
    (p95Ms, limitMs) => {
      expect(limitFromP95(p95Ms)).toBe(limitMs);
    },
  );

  it('rests on the percentile and not on the mean', () => {
    const durationsMs = [...Array.from({ length: 90 }, () => 100), ...Array.from({ length: 10 }, () => 1000)];
    expect(p95Of(durationsMs)).toBe(1000);
    expect(p95Of([])).toBeUndefined();
    expect(p95Of([7])).toBe(7);
  });
});
