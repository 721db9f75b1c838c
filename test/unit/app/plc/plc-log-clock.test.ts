import { describe, expect, it } from 'vitest';
import { PlcLogClock } from '../../../../src/app/plc/plc-log-clock.ts';
import type { PlcTime } from '../../../../src/domain/plc/log/plc-time.ts';

const NOW_MS = Date.UTC(2026, 2, 1, 12);
const UNIX = { format: 'unix_s', zone: 'utc', byteOrder: 'ABCD' } as const;
const words = (ms: number): number[] => [Math.floor(ms / 1000) >>> 16, Math.floor(ms / 1000) & 0xffff];
const at = (atMs: number): PlcTime => ({ shown: '', atMs, uptimeMs: undefined });

describe("the offset of a PLC's clock", () => {
  it('is measured where the PLC shows its clock, and counts for ten minutes', () => {
    const clock = new PlcLogClock();
    expect(clock.noteReading(words(NOW_MS - 90_000), UNIX, NOW_MS, 0)).toBe(true);
    expect(clock.offset(600_000)).toEqual({ offsetMs: 90_000, by: 'measured' });
    expect(clock.offset(600_001)).toBeUndefined();
  });

  it('is at most the shortest way that a record took, where it is only estimated', () => {
    const clock = new PlcLogClock();
    for (const delayMs of [900, 300, 700]) clock.noteArrival(at(NOW_MS), NOW_MS + delayMs);
    expect(clock.offset(0)).toEqual({ offsetMs: 300, by: 'estimated' });
  });

  it('is measured again when a record would be from the future by it', () => {
    const clock = new PlcLogClock();
    clock.noteAttempt(0);
    clock.noteReading(words(NOW_MS - 90_000), UNIX, NOW_MS, 0);
    expect(clock.dropIfRefuted(at(NOW_MS - 90_000), NOW_MS)).toBe(false);
    // Somebody set it right meanwhile.
    expect(clock.dropIfRefuted(at(NOW_MS), NOW_MS)).toBe(true);
    expect(clock.offset(0)).toBeUndefined();
    expect(clock.isDue(0)).toBe(true);
  });

  it('is not made of registers that hold no time', () => {
    const clock = new PlcLogClock();
    expect(clock.noteReading([0, 0], UNIX, NOW_MS, 0)).toBe(false);
    expect(clock.offset(0)).toBeUndefined();
  });
});
