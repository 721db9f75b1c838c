import { z } from 'zod';
import type { ActionStatus } from '../domain/session/action.ts';
import type { Outcome } from '../domain/session/session-state.ts';
import type { DegradedBy } from '../domain/tool/tool-call.ts';

const valueReportShape = {
  value: z.union([z.number(), z.string(), z.boolean()]),
  unit: z.string().exactOptional(),
  /** What the value is called, in English, where the device map names it. */
  meaning: z.string().exactOptional(),
  /** To how many decimals a person wants it, where the device map says; the value itself is not rounded. */
  decimals: z.number().exactOptional(),
};

const valueReportSchema = z.object(valueReportShape);
export type ValueReport = Readonly<z.infer<typeof valueReportSchema>>;

/** A reading for machines and logs: a value only when it is good; `boot_id` and `seq` order it where clocks cannot. */
export const readingReportSchema = z.object({
  machine: z.string(),
  point: z.string(),
  quality: z.enum(['good', 'stale', 'bad']),
  ...valueReportShape,
  value: valueReportShape.value.exactOptional(),
  reason: z.string().exactOptional(),
  detail: z.string().exactOptional(),
  /** The last good value of a stale point. */
  last: valueReportSchema.extend({ at: z.string() }).exactOptional(),
  at: z.string(),
  boot_id: z.string(),
  seq: z.number(),
});
export type ReadingReport = Readonly<z.infer<typeof readingReportSchema>>;

/** One entry of the ledger that a turn made or changed. */
export interface StepReport {
  readonly id: string;
  readonly step: number;
  readonly tool: string;
  readonly status: ActionStatus;
}

/** What became of one command, for whoever gave it. */
export interface TurnReport {
  readonly turn_id: string;
  readonly session_id: string;
  readonly station: string;
  readonly heard: string;
  /** The intent, or undefined when nothing was understood. */
  readonly intent: string | undefined;
  readonly slots: Readonly<Record<string, string | number>>;
  /** `OPEN` when it asked back and waits for the answer. */
  readonly outcome: Outcome | 'OPEN';
  /** What is said in answer; undefined when it keeps silent. */
  readonly answer: string | undefined;
  readonly readings: readonly ReadingReport[];
  readonly steps: readonly StepReport[];
  /** What had to stand in for the proper way. */
  readonly degraded_by?: DegradedBy;
  /** From the command's arrival to the decision what to say, milliseconds. */
  readonly duration_ms: number;
}
