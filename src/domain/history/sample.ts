import type { ClockState } from '../envelope.ts';
import type { PointRef } from '../plc/point-ref.ts';
import type { PointValue } from '../plc/reading.ts';

export const SAMPLE_QUALITIES = ['good', 'stale', 'bad'] as const;
export type SampleQuality = (typeof SAMPLE_QUALITIES)[number];

/** One recorded value of a point. Only `good` ones count in an aggregate; the others end what the one before covers. */
export interface Sample {
  readonly ref: PointRef;
  /** Undefined when there is none, as with most that are bad. */
  readonly value: PointValue | undefined;
  readonly quality: SampleQuality;
  /** Why it is not good, such as `timeout`. */
  readonly reason?: string | undefined;
  /** Wall time, milliseconds since 1970. */
  readonly atMs: number;
  /** Whether the wall clock was known to be right. Samples that were re-dated since come back as `synced`. */
  readonly clock: ClockState;
  readonly bootId: string;
  /** Undefined in what comes back from the store, unless the clock was unsynced. */
  readonly monotonicMs: number | undefined;
  /** Order within a boot. */
  readonly seq: number;
  /** How long the value counts as known when no other sample follows; the store's own default when undefined. */
  readonly holdMs?: number | undefined;
}

export type ValueKind = 'number' | 'bool' | 'text';

export function kindOf(value: PointValue): ValueKind {
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'bool' : 'text';
}
