import { z } from 'zod';
import type { WriteOutcome } from '../../domain/plc/writing/write-order.ts';
import type { AuditTrail } from '../ports/audit.ts';

/** What the audit says before a write goes out: enough to find out later by reading what became of it. */
export const begunWriteSchema = z.object({
  id: z.string(),
  machine: z.string(),
  point: z.string(),
  by: z.string(),
  because: z.string(),
  asked: z.union([z.number(), z.boolean(), z.string()]),
  written: z.union([z.number(), z.boolean(), z.string()]),
  is_rounded: z.boolean(),
  /** Where the point was, so that a changed plant file is noticed. */
  place: z.string(),
  words: z.array(z.int()),
  /** The cells before; none for a point that cannot be read. */
  words_before: z.array(z.int()).optional(),
});
export type BegunWrite = z.infer<typeof begunWriteSchema>;

/** Many more than can be under way when a program dies; older ones are left to the person who reads the audit. */
const MOST_UNFINISHED = 200;

export interface SettledWrites {
  readonly outcomes: readonly WriteOutcome[];
  /** Entries that another version of the program made and this one cannot read: for a person to look at. */
  readonly unreadable: number;
}

/**
 * Settles the writes that the audit has no end of, one after the other: for the start of the program, once the bus is up.
 * A write whose device cannot be read yet comes back `unknown` and unrecorded, and is found again by the next call.
 */
export async function settleUnfinishedWrites(
  trail: AuditTrail,
  settle: (begun: BegunWrite) => Promise<WriteOutcome>,
): Promise<SettledWrites> {
  const outcomes: WriteOutcome[] = [];
  let unreadable = 0;
  for (const detail of await trail.withoutEnd('plc.write.begun', 'plc.write.ended', MOST_UNFINISHED)) {
    const begun = begunWriteSchema.safeParse(detail);
    if (begun.success) outcomes.push(await settle(begun.data));
    else unreadable += 1;
  }
  return { outcomes, unreadable };
}
