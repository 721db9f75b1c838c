import { z } from 'zod';
import type { OutboxMessage, SessionChange } from '../../app/ports/session-store.ts';
import { type AuditEntry, type ChainEnd, chainedTo, FIRST_END } from './audit-chain.ts';
import type { Writer } from './database.ts';
import type { BodyOf } from './erased-names.ts';

/** The columns of the view `incoming`; its trigger puts each JSON array into its table (`state-migrations.ts`). */
const TABLES = ['sessions', 'actions', 'messages', 'outbox', 'memory', 'turns'] as const;
const INTO = `INSERT INTO incoming (${TABLES.join(', ')}, audit) VALUES (?, ?, ?, ?, ?, ?, ?)`;

/** Rows as JSON texts; a table that is left out has none. */
type Rows = Readonly<Partial<Record<(typeof TABLES)[number], readonly string[]>>>;

/** A change of one session as it will be written. */
export interface PreparedChange {
  readonly session: string;
  readonly version: number;
  readonly rows: Rows;
  readonly audit: readonly AuditEntry[];
}

/** `at` is the moment at which the change was handed over, ISO 8601; `bodyOf` makes the JSON of what is kept. */
export function prepareChange(
  { session, actions = [], messages = [], outbox = [], memory = [], turn }: SessionChange,
  audit: readonly AuditEntry[],
  at: string,
  bodyOf: BodyOf,
): PreparedChange {
  const { id, station, version, archivedAt } = session;
  const rows = {
    sessions: [JSON.stringify({ id, station, version, archivedAt, body: bodyOf(session) })],
    actions: actions.map((action) =>
      JSON.stringify({ id: action.id, sessionId: id, status: action.status, body: bodyOf(action) }),
    ),
    messages: messages.map((message) =>
      JSON.stringify({ sessionId: id, seq: message.seq, body: bodyOf(message) }),
    ),
    outbox: outbox.map((message) => outboxRow(message, at, bodyOf)),
    memory: memory.map((draft) => JSON.stringify({ sessionId: id, at, body: bodyOf(draft) })),
    turns:
      turn === undefined
        ? []
        : [JSON.stringify({ turnId: turn.turnId, sessionId: id, report: bodyOf(turn.report) })],
  };
  return { session: id, version, rows, audit };
}

/**
 * Writes all changes, each of another session, as one statement, and resolves with the new end of the audit. Rejects with
 * what `isStale` knows when the audit does not end with `end`, or one was not made on the newest version: nothing is then
 * written.
 */
export async function writeAll(
  writer: Writer,
  changes: readonly PreparedChange[],
  end: ChainEnd,
): Promise<ChainEnd> {
  const audit = chainedTo(
    end,
    changes.flatMap((change) => change.audit),
  );
  const texts = TABLES.map((table) => arrayOf(changes.flatMap(({ rows }) => rows[table] ?? [])));
  await writer.runView(INTO, [...texts, arrayOf(audit.map((row) => JSON.stringify(row)))]);
  return audit.at(-1) ?? end;
}

interface Standing<T> {
  /** Those that were made on the newest version. */
  readonly winners: readonly T[];
  readonly end: ChainEnd;
}

const foundSchema = z.object({ id: z.string().nullable(), number: z.int(), hash: z.string().nullable() });

/** What the file says about changes that are each of another session. */
export async function standingOf<T extends PreparedChange>(
  writer: Writer,
  changes: readonly T[],
): Promise<Standing<T>> {
  const rows = await writer.all(
    foundSchema,
    `SELECT id, version AS number, NULL AS hash FROM session WHERE id IN (SELECT value FROM json_each(?))
     UNION ALL SELECT NULL, seq, hash FROM (SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1)`,
    [JSON.stringify(changes.map(({ session }) => session))],
  );
  const versions = new Map(rows.map(({ id, number }) => [id, number]));
  const last = rows.find(({ hash }) => hash !== null);
  return {
    winners: changes.filter(({ session, version }) => version === (versions.get(session) ?? 0) + 1),
    end: last === undefined || last.hash === null ? FIRST_END : { seq: last.number, hash: last.hash },
  };
}

/** One that waits under its id is replaced where it stands; one that has ended stays as it is. */
export async function writeOutbox(
  writer: Writer,
  message: OutboxMessage,
  at: string,
  bodyOf: BodyOf,
): Promise<void> {
  const texts = TABLES.map((table) =>
    table === 'outbox' ? arrayOf([outboxRow(message, at, bodyOf)]) : null,
  );
  await writer.runView(INTO, [...texts, null]);
}

function outboxRow({ id, channel, expiresAt, body }: OutboxMessage, at: string, bodyOf: BodyOf): string {
  return JSON.stringify({ id, channel, at, expiresAt, body: bodyOf(body) });
}

function arrayOf(rows: readonly string[]): string | null {
  return rows.length === 0 ? null : `[${rows.join(',')}]`;
}
