import { z } from 'zod';

/** What the audit says before a write goes out: enough to find out later by reading what became of it. */
export const begunWriteSchema = z.object({
  id: z.string(),
  machine: z.string(),
  point: z.string(),
  by: z.string(),
  because: z.string(),
  asked: z.union([z.number(), z.boolean(), z.string()]),
  written: z.union([z.number(), z.boolean(), z.string()]),
  /** Where the point was, so that a changed plant file is noticed. */
  place: z.string(),
  words: z.array(z.int()),
  /** The cells before; none for a point that cannot be read. */
  words_before: z.array(z.int()).optional(),
});
export type BegunWrite = z.infer<typeof begunWriteSchema>;

/** The writes among audit details that were begun and of which no end is known; details of another shape are left out. */
export function unfinishedWrites(begun: readonly unknown[], ended: readonly unknown[]): BegunWrite[] {
  const endedIds = new Set(
    ended.flatMap((detail) => {
      const parsed = begunWriteSchema.pick({ id: true }).safeParse(detail);
      return parsed.success ? [parsed.data.id] : [];
    }),
  );
  return begun.flatMap((detail) => {
    const parsed = begunWriteSchema.safeParse(detail);
    return parsed.success && !endedIds.has(parsed.data.id) ? [parsed.data] : [];
  });
}
