import { z } from 'zod';
import type {
  CodeCount,
  KeptLog,
  LogQuery,
  LogRetention,
  NewLogEntry,
  PlcLogEntry,
  PlcLogStore,
} from '../../app/ports/plc-log-store.ts';
import type { LogCursor } from '../../domain/plc/log/log-cycle.ts';
import type { LogRef } from '../../domain/plc/log/plant-log.ts';
import type { Database, Writer } from './database.ts';

/** Ids are never given twice, so that a consumer's place stays true when entries are removed. */
export const PLC_LOG_MIGRATION = `CREATE TABLE plc_log_entry (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     machine TEXT NOT NULL,
     log TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('record', 'overrun', 'restarted')),
     at_ms INTEGER NOT NULL,
     arrived_at_ms INTEGER NOT NULL,
     boot_id TEXT NOT NULL,
     seq INTEGER NOT NULL,
     epoch INTEGER,
     position INTEGER,
     slot INTEGER,
     raw TEXT,
     code INTEGER,
     body TEXT NOT NULL
   ) STRICT;
   CREATE UNIQUE INDEX plc_log_entry_once ON plc_log_entry (machine, log, epoch, position) WHERE kind = 'record';
   CREATE INDEX plc_log_entry_order ON plc_log_entry (machine, log, id);
   CREATE INDEX plc_log_entry_time ON plc_log_entry (machine, log, at_ms);
   CREATE TABLE plc_log_cursor (
     machine TEXT NOT NULL,
     log TEXT NOT NULL,
     next INTEGER NOT NULL,
     epoch INTEGER NOT NULL,
     anchor TEXT,
     PRIMARY KEY (machine, log)
   ) STRICT;
   CREATE TABLE plc_log_consumer (
     name TEXT PRIMARY KEY,
     handled_id INTEGER NOT NULL
   ) STRICT;`;

const valueSchema = z.union([z.number(), z.boolean(), z.string(), z.null()]);
const recordBodySchema = z.object({
  atSource: z.enum(['corrected', 'plc', 'arrival']),
  plcTime: z.string().nullable(),
  plcAtMs: z.number().nullable(),
  clockOffsetMs: z.number().nullable(),
  correctedAtMs: z.number().nullable(),
  sequence: z.number().nullable(),
  values: z.record(z.string(), valueSchema),
  badFields: z.array(z.string()),
});
const gapBodySchema = z.object({ lost: z.int(), exact: z.boolean() });

const commonColumns = {
  id: z.int(),
  machine: z.string(),
  log: z.string(),
  at_ms: z.number(),
  arrived_at_ms: z.number(),
  boot_id: z.string(),
  seq: z.int(),
  body: z.string(),
};
const entryRowSchema = z.discriminatedUnion('kind', [
  z.object({
    ...commonColumns,
    kind: z.literal('record'),
    epoch: z.int(),
    position: z.int(),
    slot: z.int(),
    raw: z.string(),
    code: z.number().nullable(),
  }),
  z.object({ ...commonColumns, kind: z.enum(['overrun', 'restarted']) }),
]);
type EntryRow = z.infer<typeof entryRowSchema>;

/** Any row of entries, whatever else is in it. */
const anyRowSchema = z.looseObject({ id: z.number() });

const cursorRowSchema = z.object({ next: z.int(), epoch: z.int(), anchor: z.string().nullable() });
const slotRowSchema = z.object({ slot: z.int(), raw: z.string(), body: z.string() });
const handledRowSchema = z.object({ handled_id: z.int() });
const countRowSchema = z.object({
  machine: z.string(),
  log: z.string(),
  code: z.number().nullable(),
  count: z.int(),
  last_at_ms: z.number(),
});

const COLUMNS =
  'id, machine, log, kind, at_ms, arrived_at_ms, boot_id, seq, epoch, position, slot, raw, code, body';

/** PLC log records, how far each log has been read, and who has handled what. */
export class SqlitePlcLogStore implements PlcLogStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async load({ machine, log }: LogRef, capacity: number): Promise<KeptLog> {
    const [cursor] = await this.#database.all(
      cursorRowSchema,
      'SELECT next, epoch, anchor FROM plc_log_cursor WHERE machine = ? AND log = ?',
      [machine, log],
    );
    const newestFirst = await this.#database.all(
      slotRowSchema,
      `SELECT slot, raw, body FROM plc_log_entry WHERE machine = ? AND log = ? AND kind = 'record'
         AND slot IS NOT NULL AND raw IS NOT NULL ORDER BY id DESC LIMIT ?`,
      [machine, log, capacity],
    );
    const newest = newestFirst[0];
    return {
      cursor: cursor && { next: cursor.next, epoch: cursor.epoch, anchor: cursor.anchor ?? undefined },
      seen: newestFirst.toReversed().map(({ slot, raw }) => [slot, raw] as const),
      lastSequence: newest === undefined ? null : (bodyOf(recordBodySchema, newest.body)?.sequence ?? null),
    };
  }

  async append(ref: LogRef, cursor: LogCursor, entries: readonly NewLogEntry[]): Promise<void> {
    await this.#database.write(async (writer) => {
      await insert(writer, entries);
      await writer.run(
        `INSERT INTO plc_log_cursor (machine, log, next, epoch, anchor) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (machine, log) DO UPDATE
         SET next = excluded.next, epoch = excluded.epoch, anchor = excluded.anchor`,
        [ref.machine, ref.log, cursor.next, cursor.epoch, cursor.anchor ?? null],
      );
    });
  }

  async between(query: LogQuery): Promise<readonly PlcLogEntry[]> {
    const { where, parameters } = conditionOf(query);
    const rows = await this.#database.all(
      anyRowSchema,
      `SELECT ${COLUMNS} FROM plc_log_entry WHERE ${where} ORDER BY at_ms, id LIMIT ?`,
      [...parameters, query.limit],
    );
    return rows.flatMap(entriesOf);
  }

  async latest(query: LogQuery): Promise<readonly PlcLogEntry[]> {
    const { where, parameters } = conditionOf(query);
    const rows = await this.#database.all(
      anyRowSchema,
      `SELECT ${COLUMNS} FROM plc_log_entry WHERE ${where} ORDER BY id DESC LIMIT ?`,
      [...parameters, query.limit],
    );
    return rows.toReversed().flatMap(entriesOf);
  }

  async countByCode(query: Omit<LogQuery, 'limit'>): Promise<readonly CodeCount[]> {
    const { where, parameters } = conditionOf(query);
    const rows = await this.#database.all(
      countRowSchema,
      `SELECT machine, log, code, count(*) AS count, max(at_ms) AS last_at_ms FROM plc_log_entry
       WHERE kind = 'record' AND ${where} GROUP BY machine, log, code ORDER BY count DESC, machine, log, code`,
      parameters,
    );
    return rows.map(({ machine, log, code, count, last_at_ms }) => ({
      ref: { machine, log },
      code,
      count,
      lastAtMs: last_at_ms,
    }));
  }

  async unhandled(consumer: string, limit: number, begin: 'oldest' | 'now'): Promise<readonly PlcLogEntry[]> {
    const select = 'SELECT handled_id FROM plc_log_consumer WHERE name = ?';
    let [place] = await this.#database.all(handledRowSchema, select, [consumer]);
    if (place === undefined) {
      const from =
        begin === 'now' ? "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'plc_log_entry'), 0)" : '0';
      await this.#database.write((writer) =>
        writer.run(
          `INSERT INTO plc_log_consumer (name, handled_id) VALUES (?, ${from}) ON CONFLICT (name) DO NOTHING`,
          [consumer],
        ),
      );
      [place] = await this.#database.all(handledRowSchema, select, [consumer]);
    }
    const entries: PlcLogEntry[] = [];
    let afterId = place?.handled_id ?? 0;
    // Fewer than `limit` mean that there are no more, so rows that are left out must not make them fewer.
    while (entries.length < limit) {
      const wanted = limit - entries.length;
      const rows = await this.#database.all(
        anyRowSchema,
        `SELECT ${COLUMNS} FROM plc_log_entry WHERE id > ? ORDER BY id LIMIT ?`,
        [afterId, wanted],
      );
      entries.push(...rows.flatMap(entriesOf));
      const last = rows.at(-1);
      if (last === undefined || rows.length < wanted) break;
      afterId = last.id;
    }
    return entries;
  }

  async acknowledge(consumer: string, upToId: number): Promise<void> {
    await this.#database.write((writer) =>
      writer.run('UPDATE plc_log_consumer SET handled_id = max(handled_id, ?) WHERE name = ?', [
        upToId,
        consumer,
      ]),
    );
  }

  async prune({ machine, log }: LogRef, retention: LogRetention): Promise<number> {
    const { keepAfterMs, keepRecords, keepNewest } = retention;
    return this.#database.write((writer) =>
      writer.run(
        `DELETE FROM plc_log_entry WHERE machine = ?1 AND log = ?2
           AND id < coalesce((SELECT min(id) FROM (SELECT id FROM plc_log_entry
             WHERE machine = ?1 AND log = ?2 ORDER BY id DESC LIMIT ?5)), 0)
           AND (arrived_at_ms < ?3 OR id < coalesce((SELECT min(id) FROM (SELECT id FROM plc_log_entry
             WHERE machine = ?1 AND log = ?2 ORDER BY id DESC LIMIT ?4)), 0))`,
        [machine, log, keepAfterMs, keepRecords, keepNewest],
      ),
    );
  }
}

/** One statement for all: each is a walk to another thread and back. */
async function insert(writer: Writer, entries: readonly NewLogEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => {
    const { ref, kind, bootId, seq } = entry;
    const common = {
      machine: ref.machine,
      log: ref.log,
      kind,
      at_ms: Math.round(entry.atMs),
      arrived_at_ms: Math.round(entry.arrivedAtMs),
      boot_id: bootId,
      seq,
    };
    if (entry.kind !== 'record') return { ...common, body: gapBodySchema.parse(entry) };
    const { epoch, position, slot, raw, code } = entry;
    return { ...common, epoch, position, slot, raw, code, body: recordBodySchema.parse(entry) };
  });
  const columns = COLUMNS.split(', ').slice(1);
  await writer.run(
    `INSERT INTO plc_log_entry (${columns.join(', ')})
     SELECT ${columns.map((column) => `json_extract(value, '$.${column}')`).join(', ')}
     FROM json_each(?) ORDER BY key`,
    [JSON.stringify(rows)],
  );
}

function conditionOf({ machine, log, fromMs, toMs }: Omit<LogQuery, 'limit'>): {
  readonly where: string;
  readonly parameters: (string | number)[];
} {
  const conditions: string[] = ['1'];
  const parameters: (string | number)[] = [];
  const add = (condition: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    parameters.push(value);
  };
  add('machine = ?', machine);
  add('log = ?', log);
  add('at_ms >= ?', fromMs);
  add('at_ms <= ?', toMs);
  return { where: conditions.join(' AND '), parameters };
}

/** What a consumer is told instead of the names of the fields when none of them can be read any more. */
const ALL_FIELDS = 'all fields';

/** One entry, or none for a row that does not even say what it is about. */
function entriesOf(row: unknown): PlcLogEntry[] {
  const parsed = entryRowSchema.safeParse(row);
  return parsed.success ? [entryOf(parsed.data)] : [];
}

/** A row whose body cannot be read gives what its columns say: an alarm hangs on the code, and the code is one of them. */
function entryOf(row: EntryRow): PlcLogEntry {
  const base = {
    id: row.id,
    ref: { machine: row.machine, log: row.log },
    atMs: row.at_ms,
    arrivedAtMs: row.arrived_at_ms,
    bootId: row.boot_id,
    seq: row.seq,
  };
  if (row.kind !== 'record')
    return { ...base, kind: row.kind, ...(bodyOf(gapBodySchema, row.body) ?? { lost: 0, exact: false }) };
  const { kind, epoch, position, slot, raw, code } = row;
  const record = { ...base, kind, epoch, position, slot, raw, code };
  const body = bodyOf(recordBodySchema, row.body);
  if (body !== undefined) return { ...record, ...body };
  return {
    ...record,
    // By which clock `at_ms` was is not known any more; of the arrival it is.
    atMs: row.arrived_at_ms,
    atSource: 'arrival',
    plcTime: null,
    plcAtMs: null,
    clockOffsetMs: null,
    correctedAtMs: null,
    sequence: null,
    values: {},
    badFields: [ALL_FIELDS],
  };
}

/** Undefined for what cannot be read. */
function bodyOf<S extends z.ZodType>(schema: S, text: string): z.output<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
