import { z } from 'zod';
import type { Bucket } from '../../domain/history/bucket.ts';
import type { Carry } from '../../domain/history/fold.ts';
import { SAMPLE_QUALITIES, type Sample } from '../../domain/history/sample.ts';
import type { SampleRun } from '../../domain/history/sample-run.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';

/** A start of the machine, by its number in the file. */
export interface Boot {
  readonly id: number;
  readonly bootId: string;
  /** How far the wall clock was ahead of the monotonic one once it was set, milliseconds; undefined until then. */
  offsetMs: number | undefined;
  /** What of this is in the file. */
  saved: 'no' | 'without offset' | 'yes';
  /** Whether anything of it lies on its own timeline. */
  hasUndated: boolean;
}

/** The minutes of the hour written last, so that the next checkpoint need not read them. */
export interface RecentHour {
  readonly timeline: number;
  readonly hour: number;
  readonly minutes: ReadonlyMap<number, Bucket>;
}

/** One point in memory: what is not in blocks yet, and where the blocks ended. */
export class Series {
  readonly id: number;
  readonly ref: PointRef;
  saved = false;
  /** Samples since the last checkpoint, in the order they came. */
  head: SampleRun[] = [];
  /** What the checkpoint under way is writing. */
  sealing: SampleRun[] = [];
  /** By timeline: the end of what is in blocks, and what it is once the transaction under way is committed. */
  carries = new Map<number, Carry>();
  nextCarries: ReadonlyMap<number, Carry> | undefined;
  latest: Sample | undefined;
  undatedSamples = 0;
  recentHour: RecentHour | undefined;

  constructor(id: number, ref: PointRef) {
    this.id = id;
    this.ref = ref;
  }
}

const valueSchema = z.union([z.number(), z.boolean(), z.string()]).optional();

/** A row of `carry`: the end of the blocks of a series on a timeline, and the sample that it was. */
export const carrySchema = z.object({
  atMs: z.number(),
  seq: z.number(),
  boot: z.int(),
  holdMs: z.number(),
  value: valueSchema,
  lastGood: valueSchema,
  latest: z.object({
    value: valueSchema,
    quality: z.enum(SAMPLE_QUALITIES),
    reason: z.string().optional(),
    monotonicMs: z.number().optional(),
  }),
});

export function carryBody(carry: Carry, run: SampleRun): string {
  const last = run.length - 1;
  const { quality, reason } = run.markAt(last);
  const latest = { value: run.valueAt(last), quality, reason, monotonicMs: run.monotonicMs[last] };
  return JSON.stringify({ ...carry, latest } satisfies z.input<typeof carrySchema>);
}
