import type { PointValue } from '../plc/reading.ts';
import type { SampleQuality } from './sample.ts';

export type ReportMode = 'on_change' | 'on_period' | 'both';

/** How a point is to be recorded. */
export interface RecordPolicy {
  readonly report: ReportMode;
  /** For `on_period` and `both`, milliseconds between two samples. */
  readonly reportPeriodMs: number;
  /** A number has changed when it is further than this from what was recorded last, in the point's unit; 0 is any change. */
  readonly deadband: number;
  /**
   * A value that does not change is recorded again after this many milliseconds of good readings, so that history tells
   * "unchanged" from "not read". It also bounds how long a value counts as known after the readings ended.
   */
  readonly heartbeatMs: number;
}

export interface Observation {
  readonly value: PointValue | undefined;
  readonly quality: SampleQuality;
  readonly reason?: string | undefined;
  readonly monotonicMs: number;
}

export type RecordReason = 'first' | 'quality' | 'change' | 'period' | 'heartbeat';

/** A period that is due is not put off by a reading that came a little early: one part in ten. */
const EARLY = 0.9;

/**
 * Decides whether a new reading of a point is recorded: undefined means no. Changes of quality, of its reason, and of the
 * kind of value always are. `last` is the sample of this point recorded last in this boot.
 */
export function recordReason(
  policy: RecordPolicy,
  last: Observation | undefined,
  next: Observation,
): RecordReason | undefined {
  if (last === undefined) return 'first';
  if (next.quality !== last.quality || next.reason !== last.reason) return 'quality';
  if (policy.report !== 'on_period' && hasChanged(policy.deadband, last.value, next.value)) return 'change';
  const sinceMs = next.monotonicMs - last.monotonicMs;
  if (policy.report !== 'on_change' && sinceMs >= policy.reportPeriodMs * EARLY) return 'period';
  return policy.report !== 'on_period' && sinceMs >= policy.heartbeatMs * EARLY ? 'heartbeat' : undefined;
}

/**
 * How long a recorded value counts as known when nothing follows, milliseconds: half as much again as the longest silence
 * that the policy allows, so that one late reading makes no gap and an ended one soon does.
 */
export function holdMsOf(policy: RecordPolicy): number {
  const longestMs =
    policy.report === 'on_change'
      ? policy.heartbeatMs
      : policy.report === 'on_period'
        ? policy.reportPeriodMs
        : Math.min(policy.reportPeriodMs, policy.heartbeatMs);
  return Math.ceil(longestMs * 1.5);
}

function hasChanged(deadband: number, before: PointValue | undefined, now: PointValue | undefined): boolean {
  return typeof before === 'number' && typeof now === 'number'
    ? Math.abs(now - before) > deadband
    : now !== before;
}
