import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../../src/runtime/backoff.ts';

const options = { baseMs: 100, maxMs: 1000 };

describe('back-off', () => {
  it('doubles up to its ceiling', () => {
    expect([0, 1, 2, 3, 4, 50].map((attempt) => backoffMs(attempt, options, () => 1))).toEqual([
      100, 200, 400, 800, 1000, 1000,
    ]);
  });

  it('never waits less than half of that', () => {
    expect(backoffMs(2, options, () => 0)).toBe(200);
  });
});
