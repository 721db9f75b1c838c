import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  baseMsOf,
  leavesRoomFor,
  lifespanMs,
  newLifespan,
  QUESTION_BASE_MS,
  TOOL_BASE_MS,
} from '../../../../src/domain/session/lifespan.ts';
import { ORIGINS } from '../../../../src/domain/tool/tool-call.ts';

describe('the lifespan of a task', () => {
  it.each([
    [0, 0, 300_000],
    [1, 0, 240_000],
    [0, 1, 450_000],
    [1, 1, 360_000],
    [0, 2, 600_000],
    [3, 2, 345_600],
    [7, 0, 62_914.56],
    [8, 0, 60_000],
  ])('after %i calls, with %i confirmations pending, is %d ms', (toolCalls, pendingConfirmations, ms) => {
    const lifespan = { baseMs: QUESTION_BASE_MS, toolCalls, pendingConfirmations };
    expect(lifespanMs(lifespan)).toBeCloseTo(ms, 6);
  });

  it('has a base of 300 s, and of 120 s for alarms and tools', () => {
    expect(lifespanMs(newLifespan())).toBe(300_000);
    expect(lifespanMs(newLifespan(TOOL_BASE_MS))).toBe(120_000);
    const people = ['voice', 'ask', 'panel'];
    for (const origin of ORIGINS)
      expect([origin, baseMsOf(origin)]).toEqual([origin, people.includes(origin) ? 300_000 : 120_000]);
  });

  it('is 60 to 600 s, shorter with every call and longer with every confirmation', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), (toolCalls, pendingConfirmations) => {
        const of = (calls: number, confirmations: number) =>
          lifespanMs({ baseMs: QUESTION_BASE_MS, toolCalls: calls, pendingConfirmations: confirmations });
        const ms = of(toolCalls, pendingConfirmations);
        expect(ms).toBeGreaterThanOrEqual(60_000);
        expect(ms).toBeLessThanOrEqual(600_000);
        expect(of(toolCalls + 1, pendingConfirmations)).toBeLessThanOrEqual(ms);
        expect(of(toolCalls, pendingConfirmations + 1)).toBeGreaterThanOrEqual(ms);
      }),
    );
  });

  it('leaves room for a call of 200 ms when 360.1 ms are left, not 360: all of it milliseconds', () => {
    expect(leavesRoomFor(200, 360.1)).toBe(true);
    expect(leavesRoomFor(200, 360)).toBe(false);
  });
});
