import { z } from 'zod';
import { ACTION_STATUSES } from '../domain/session/action.ts';
import { OUTCOMES } from '../domain/session/session-state.ts';
import { DEGRADATIONS } from '../domain/tool/tool-call.ts';

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

const stepReportSchema = z.object({
  id: z.string(),
  step: z.number(),
  tool: z.string(),
  status: z.enum(ACTION_STATUSES),
});

/** What became of one command, for whoever gave it. */
export const turnReportSchema = z.object({
  turn_id: z.string(),
  session_id: z.string(),
  station: z.string(),
  heard: z.string(),
  /** The intent, or undefined when nothing was understood. */
  intent: z.string().optional(),
  slots: z.record(z.string(), z.union([z.string(), z.number()])).readonly(),
  /** `OPEN` when it asked back and waits for the answer. */
  outcome: z.enum([...OUTCOMES, 'OPEN']),
  /** What whoever types was told since the last answer: what became of earlier commands. */
  meanwhile: z.array(z.string()).readonly().exactOptional(),
  /** What is said in answer; undefined when it keeps silent. */
  answer: z.string().optional(),
  readings: z.array(readingReportSchema).readonly(),
  /** Entries of the ledger that it made or changed. */
  steps: z.array(stepReportSchema).readonly(),
  /** What had to stand in for the proper way. */
  degraded_by: z.enum(DEGRADATIONS).exactOptional(),
  /** From the command's arrival to the decision what to say, milliseconds. */
  duration_ms: z.number(),
});
export type TurnReport = Readonly<z.infer<typeof turnReportSchema>>;
