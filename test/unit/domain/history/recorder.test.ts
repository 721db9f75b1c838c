import { describe, expect, it } from 'vitest';
import {
  holdMsOf,
  type Observation,
  type RecordPolicy,
  recordReason,
} from '../../../../src/domain/history/recorder.ts';

const policy = (change: Partial<RecordPolicy> = {}): RecordPolicy => ({
  report: 'on_change',
  reportPeriodMs: 10_000,
  deadband: 0,
  heartbeatMs: 60_000,
  ...change,
});
const good = (value: number | boolean | string, monotonicMs = 0): Observation => ({
  value,
  quality: 'good',
  monotonicMs,
});
const bad = (reason: string, monotonicMs = 0): Observation => ({
  value: undefined,
  quality: 'bad',
  reason,
  monotonicMs,
});

describe('what is recorded of the readings of a point', () => {
  it.each(['on_change', 'on_period', 'both'] as const)(
    'the first reading and every change of quality (%s)',
    (report) => {
      const own = policy({ report });
      expect(recordReason(own, undefined, good(1))).toBe('first');
      expect(recordReason(own, good(1), bad('timeout', 1))).toBe('quality');
      expect(recordReason(own, bad('timeout'), bad('refused', 1))).toBe('quality');
      expect(recordReason(own, bad('timeout'), good(1, 1))).toBe('quality');
      expect(recordReason(own, good(1), { value: 1, quality: 'stale', monotonicMs: 1 })).toBe('quality');
      expect(recordReason(own, bad('timeout'), bad('timeout', 1))).toBeUndefined();
    },
  );

  it('on change: what differs by more than the deadband from what was recorded last', () => {
    const own = policy({ deadband: 0.5 });
    expect(recordReason(own, good(20), good(20.5, 1000))).toBeUndefined();
    expect(recordReason(own, good(20), good(19.4, 1000))).toBe('change');
    expect(recordReason(policy(), good(20), good(20.1, 1000))).toBe('change');
    expect(recordReason(own, good(false), good(true, 1000))).toBe('change');
    expect(recordReason(own, good('run'), good('stop', 1000))).toBe('change');
    expect(recordReason(own, good(1), good('stop', 1000))).toBe('change');
  });

  it('on change: a value that stays is recorded again at each heartbeat, be it a little early', () => {
    expect(recordReason(policy(), good(20), good(20, 50_000))).toBeUndefined();
    expect(recordReason(policy(), good(20), good(20, 59_000))).toBe('heartbeat');
  });

  it('on period: at the period, and not for a change', () => {
    const own = policy({ report: 'on_period' });
    expect(recordReason(own, good(20), good(99, 5000))).toBeUndefined();
    expect(recordReason(own, good(20), good(20, 9990))).toBe('period');
  });

  it('both: at the period and for a change', () => {
    const own = policy({ report: 'both' });
    expect(recordReason(own, good(20), good(99, 5000))).toBe('change');
    expect(recordReason(own, good(20), good(20, 10_000))).toBe('period');
  });

  it('a value holds for half as much again as the longest silence allowed', () => {
    expect(holdMsOf(policy())).toBe(90_000);
    expect(holdMsOf(policy({ report: 'on_period' }))).toBe(15_000);
    expect(holdMsOf(policy({ report: 'both' }))).toBe(15_000);
  });
});
