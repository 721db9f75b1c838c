import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../domain/canonical-json.ts';

export const auditRowSchema = z.object({
  seq: z.int(),
  at: z.string(),
  clock: z.enum(['synced', 'unsynced']),
  boot_id: z.string(),
  kind: z.string(),
  detail: z.string(),
  previous_hash: z.string(),
  hash: z.string(),
});
export type AuditRow = z.infer<typeof auditRowSchema>;
/** A row that has no place in the chain yet. */
export type AuditEntry = Omit<AuditRow, 'seq' | 'previous_hash' | 'hash'>;
/** What the next entry is chained to. */
export type ChainEnd = Pick<AuditRow, 'seq' | 'hash'>;

/** What the first entry of all is chained to. */
export const FIRST_END: ChainEnd = { seq: 0, hash: '0'.repeat(64) };

/** The entries as rows, each chained to the one before it and the first to `end`. */
export function chainedTo(end: ChainEnd, entries: readonly AuditEntry[]): readonly AuditRow[] {
  let last = end;
  return entries.map((entry) => {
    const row = linkedTo(last, entry);
    last = row;
    return row;
  });
}

/** An entry as the row that follows `end`. */
export function linkedTo(end: ChainEnd, entry: AuditEntry): AuditRow {
  const row = { ...entry, seq: end.seq + 1, previous_hash: end.hash };
  return { ...row, hash: hashOf(row) };
}

/** Whether a row stands where it says, behind `end`, and is as it was written. */
export function fitsTo(end: ChainEnd, { hash, ...row }: AuditRow): boolean {
  return row.seq === end.seq + 1 && row.previous_hash === end.hash && hash === hashOf(row);
}

/** SHA-256 over the canonical JSON of every field but the hash itself. */
function hashOf(row: Omit<AuditRow, 'hash'>): string {
  return createHash('sha256').update(canonicalJson(row)).digest('hex');
}
