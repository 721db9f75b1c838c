import type { Audit, AuditKind, AuditTrail } from '../../app/ports/audit.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import {
  type AuditEntry,
  auditRowSchema,
  type ChainEnd,
  FIRST_END,
  fitsTo,
  linkedTo,
} from './audit-chain.ts';
import type { Database, Writer } from './database.ts';

type Detail = Readonly<Record<string, unknown>>;

async function lastOnDisk(writer: Writer): Promise<ChainEnd> {
  const [last] = await writer.all(
    auditRowSchema.pick({ seq: true, hash: true }),
    'SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1',
  );
  return last ?? FIRST_END;
}

/** The audit in `state.db`: entries chained by hash, so that a change or a gap in the middle shows. */
export class SqliteAudit implements Audit, AuditTrail {
  readonly #database: Database;
  readonly #clocks: Clocks;
  readonly #clockState: () => 'synced' | 'unsynced';
  readonly #hide: (detail: Detail) => Detail;
  #end = FIRST_END;
  /** The last entry of a transaction that is under way. */
  readonly #lastIn = new WeakMap<Writer, ChainEnd>();

  /** `hide` puts pseudonyms in the place of people: what was once chained cannot be taken out again. */
  constructor(
    database: Database,
    clocks: Clocks,
    clockState: () => 'synced' | 'unsynced',
    hide: (detail: Detail) => Detail = (detail) => detail,
  ) {
    this.#database = database;
    this.#hide = hide;
    this.#clocks = clocks;
    this.#clockState = clockState;
  }

  async append(kind: AuditKind, detail: Detail): Promise<void> {
    const entry = this.entry(kind, detail);
    await this.#database.write((writer) => this.#append(writer, entry), 'audit');
  }

  /** As a part of somebody's transaction. */
  appendIn(writer: Writer, kind: AuditKind, detail: Detail): Promise<void> {
    return this.#append(writer, this.entry(kind, detail));
  }

  /** The last entry on disk as far as this program has written: the file may know better. */
  get end(): ChainEnd {
    return this.#end;
  }

  /** Somebody's transaction that ended the chain with this entry is on disk. */
  endedWith({ seq, hash }: ChainEnd): void {
    this.#end = { seq, hash };
  }

  /** An entry of now, which is chained when it is written. */
  entry(kind: AuditKind, detail: Detail): AuditEntry {
    return {
      at: this.#clocks.wall().toISOString(),
      clock: this.#clockState(),
      boot_id: this.#clocks.bootId,
      kind,
      detail: canonicalJson(this.#hide(detail)),
    };
  }

  async #append(writer: Writer, entry: AuditEntry): Promise<void> {
    const row = linkedTo(this.#lastIn.get(writer) ?? (await lastOnDisk(writer)), entry);
    await writer.run(
      `INSERT INTO audit (seq, at, clock, boot_id, kind, detail, previous_hash, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [row.seq, row.at, row.clock, row.boot_id, row.kind, row.detail, row.previous_hash, row.hash],
    );
    this.#lastIn.set(writer, row);
    writer.onCommitted(() => this.endedWith(row));
  }

  /** The entries of one kind, oldest first, at most `limit`. */
  async entries(
    kind: AuditKind,
    limit: number,
  ): Promise<readonly { readonly at: string; readonly detail: unknown }[]> {
    const rows = await this.#database.all(
      auditRowSchema,
      'SELECT * FROM audit WHERE kind = ? ORDER BY seq LIMIT ?',
      [kind, limit],
    );
    return rows.map((row) => ({ at: row.at, detail: JSON.parse(row.detail) }));
  }

  async withoutEnd(begun: AuditKind, ended: AuditKind, limit: number): Promise<readonly unknown[]> {
    const rows = await this.#database.all(
      auditRowSchema,
      `SELECT * FROM audit WHERE kind = ? AND json_extract(detail, '$.id') NOT IN
         (SELECT json_extract(detail, '$.id') FROM audit WHERE kind = ? AND json_extract(detail, '$.id') IS NOT NULL)
       ORDER BY seq DESC LIMIT ?`,
      [begun, ended, limit],
    );
    return rows.map((row): unknown => JSON.parse(row.detail)).toReversed();
  }

  /** The number of the first entry that does not fit the chain, or undefined when all do. */
  async firstBreak(): Promise<number | undefined> {
    let end = FIRST_END;
    for (const row of await this.#database.all(auditRowSchema, 'SELECT * FROM audit ORDER BY seq')) {
      if (!fitsTo(end, row)) return row.seq;
      end = row;
    }
    return undefined;
  }
}
