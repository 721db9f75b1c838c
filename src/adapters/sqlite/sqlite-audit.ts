import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Audit, AuditKind, AuditTrail } from '../../app/ports/audit.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { Database, Writer } from './database.ts';

const rowSchema = z.object({
  seq: z.int(),
  at: z.string(),
  clock: z.enum(['synced', 'unsynced']),
  boot_id: z.string(),
  kind: z.string(),
  detail: z.string(),
  previous_hash: z.string(),
  hash: z.string(),
});
type AuditRow = z.infer<typeof rowSchema>;
type AuditEntry = Omit<AuditRow, 'seq' | 'previous_hash' | 'hash'>;

const FIRST_HASH = '0'.repeat(64);

/** SHA-256 over the canonical JSON of every field but the hash itself. */
function hashOf(row: Omit<AuditRow, 'hash'>): string {
  return createHash('sha256').update(canonicalJson(row)).digest('hex');
}

async function lastOnDisk(writer: Writer): Promise<Pick<AuditRow, 'seq' | 'hash'>> {
  const [last] = await writer.all(
    rowSchema.pick({ seq: true, hash: true }),
    'SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1',
  );
  return last ?? { seq: 0, hash: FIRST_HASH };
}

/** The audit in `state.db`: entries chained by hash, so that a change or a gap in the middle shows. */
export class SqliteAudit implements Audit, AuditTrail {
  readonly #database: Database;
  readonly #clocks: Clocks;
  readonly #clockState: () => 'synced' | 'unsynced';
  /** The last entry of a transaction that is under way. */
  readonly #lastIn = new WeakMap<Writer, Pick<AuditRow, 'seq' | 'hash'>>();

  constructor(database: Database, clocks: Clocks, clockState: () => 'synced' | 'unsynced') {
    this.#database = database;
    this.#clocks = clocks;
    this.#clockState = clockState;
  }

  async append(kind: AuditKind, detail: Readonly<Record<string, unknown>>): Promise<void> {
    const entry = this.entry(kind, detail);
    await this.#database.write((writer) => this.appendTo(writer, [entry]), 'audit');
  }

  /** An entry of now, which is chained when it is written. */
  entry(kind: AuditKind, detail: Readonly<Record<string, unknown>>): AuditEntry {
    return {
      at: this.#clocks.wall().toISOString(),
      clock: this.#clockState(),
      boot_id: this.#clocks.bootId,
      kind,
      detail: canonicalJson(detail),
    };
  }

  /** Chains entries as a part of somebody's transaction: they stay with it or are gone with it. */
  async appendTo(writer: Writer, entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    let last = this.#lastIn.get(writer) ?? (await lastOnDisk(writer));
    const rows = entries.map((entry) => {
      const row = { ...entry, seq: last.seq + 1, previous_hash: last.hash };
      last = { seq: row.seq, hash: hashOf(row) };
      return { ...row, hash: last.hash };
    });
    await writer.run(
      `INSERT INTO audit (seq, at, clock, boot_id, kind, detail, previous_hash, hash)
       SELECT value ->> 'seq', value ->> 'at', value ->> 'clock', value ->> 'boot_id', value ->> 'kind',
         value ->> 'detail', value ->> 'previous_hash', value ->> 'hash' FROM json_each(?) ORDER BY key`,
      [JSON.stringify(rows)],
    );
    this.#lastIn.set(writer, last);
  }

  /** The entries of one kind, oldest first, at most `limit`. */
  async entries(
    kind: AuditKind,
    limit: number,
  ): Promise<readonly { readonly at: string; readonly detail: unknown }[]> {
    const rows = await this.#database.all(
      rowSchema,
      'SELECT * FROM audit WHERE kind = ? ORDER BY seq LIMIT ?',
      [kind, limit],
    );
    return rows.map((row) => ({ at: row.at, detail: JSON.parse(row.detail) }));
  }

  async withoutEnd(begun: AuditKind, ended: AuditKind, limit: number): Promise<readonly unknown[]> {
    const rows = await this.#database.all(
      rowSchema,
      `SELECT * FROM audit WHERE kind = ? AND json_extract(detail, '$.id') NOT IN
         (SELECT json_extract(detail, '$.id') FROM audit WHERE kind = ? AND json_extract(detail, '$.id') IS NOT NULL)
       ORDER BY seq DESC LIMIT ?`,
      [begun, ended, limit],
    );
    return rows.map((row): unknown => JSON.parse(row.detail)).toReversed();
  }

  /** The number of the first entry that does not fit the chain, or undefined when all do. */
  async firstBreak(): Promise<number | undefined> {
    let previous: AuditRow | undefined;
    for (const row of await this.#database.all(rowSchema, 'SELECT * FROM audit ORDER BY seq')) {
      const { hash, ...rest } = row;
      const fits =
        row.seq === (previous?.seq ?? 0) + 1 && row.previous_hash === (previous?.hash ?? FIRST_HASH);
      if (!fits || hash !== hashOf(rest)) return row.seq;
      previous = row;
    }
    return undefined;
  }
}
