import { z } from 'zod';
import type { Origin } from '../tool/tool-call.ts';

/** What the lifespan of a task depends on. All times of a session are milliseconds. */
export const lifespanSchema = z
  .strictObject({
    /** What it would be without calls and confirmations. */
    baseMs: z.number().positive(),
    /** Calls carried out so far. */
    toolCalls: z.int().min(0),
    /** Confirmations that the task still has before it. */
    pendingConfirmations: z.int().min(0),
  })
  .readonly();
export type Lifespan = z.infer<typeof lifespanSchema>;

export const QUESTION_BASE_MS = 300_000;
/** Of alarm sessions and of tasks that call tools by themselves. */
export const TOOL_BASE_MS = 120_000;

const PEOPLE: readonly Origin[] = ['voice', 'ask', 'panel'];
const SHORTEST_MS = 60_000;
const LONGEST_MS = 600_000;
const PER_CALL = 0.8;
const PER_CONFIRMATION = 1.5;
/** So many times its estimate has to be left before a plan is begun. */
export const ESTIMATE_MARGIN = 1.8;

/** The base of a task by who wants it, milliseconds: people at a station have the longer one. */
export function baseMsOf(origin: Origin): number {
  return PEOPLE.includes(origin) ? QUESTION_BASE_MS : TOOL_BASE_MS;
}

export function newLifespan(baseMs: number = QUESTION_BASE_MS): Lifespan {
  return { baseMs, toolCalls: 0, pendingConfirmations: 0 };
}

/**
 * How long a task may be worked on, 60,000 to 600,000 ms; the time that a person takes to confirm is not counted.
 * base × 0.8^toolCalls × 1.5^pendingConfirmations (two confirmations lengthen it: 3 calls and 2 confirmations of 300 s are 345.6 s).
 */
export function lifespanMs({ baseMs, toolCalls, pendingConfirmations }: Lifespan): number {
  const free = baseMs * PER_CALL ** toolCalls * PER_CONFIRMATION ** pendingConfirmations;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, free));
}

/** Whether a plan that is expected to take `estimateMs` may still be begun. */
export function leavesRoomFor(estimateMs: number, remainingMs: number): boolean {
  return remainingMs > estimateMs * ESTIMATE_MARGIN;
}
