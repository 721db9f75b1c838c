import { z } from 'zod';
import type { OutboxMessage, SessionChange } from '../../app/ports/session-store.ts';
import { type AuditEntry, type ChainEnd, chainedTo, FIRST_END } from './audit-chain.ts';
import type { Writer } from './database.ts';

/** A change with the moment at which it was handed over, and the entries of the audit that belong to it. */
export interface DatedChange {
  readonly change: SessionChange;
  readonly at: string;
  readonly audit: readonly AuditEntry[];
}

interface Standing<T> {
  readonly winners: readonly T[];
  readonly auditEnd: ChainEnd;
}

const foundSchema = z.object({ id: z.string().nullable(), number: z.int(), hash: z.string().nullable() });

/**
 * Writes those of the changes, each of another session, that were made on the newest version, and resolves with them: two
 * statements, however many changes there are.
 */
export async function writeWinners<T extends DatedChange>(
  writer: Writer,
  changes: readonly T[],
): Promise<readonly T[]> {
  const { winners, auditEnd } = await standingOf(writer, changes);
  if (winners.length === 0) return [];
  const entries = winners.flatMap(({ audit }) => audit);
  await writeRows(writer, { ...rowsOf(winners), audit: chainedTo(auditEnd, entries) });
  return winners;
}

/** One that waits under its id is replaced where it stands; one that has ended stays as it is. */
export async function writeOutbox(writer: Writer, message: OutboxMessage, at: string): Promise<void> {
  await writeRows(writer, { outbox: [outboxRow(message, at)] });
}

const TABLES = ['sessions', 'actions', 'messages', 'outbox', 'memory', 'turns', 'audit'] as const;

/** The trigger of the view puts each array into its table (`state-migrations.ts`). */
async function writeRows(
  writer: Writer,
  rows: Partial<Readonly<Record<(typeof TABLES)[number], readonly object[]>>>,
): Promise<void> {
  const arrays = TABLES.map((table) => {
    const of = rows[table] ?? [];
    return of.length === 0 ? null : JSON.stringify(of);
  });
  await writer.runView(`INSERT INTO incoming (${TABLES.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?)`, arrays);
}

async function standingOf<T extends DatedChange>(
  writer: Writer,
  changes: readonly T[],
): Promise<Standing<T>> {
  const rows = await writer.all(
    foundSchema,
    `SELECT id, version AS number, NULL AS hash FROM session WHERE id IN (SELECT value FROM json_each(?))
     UNION ALL SELECT NULL, seq, hash FROM (SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1)`,
    [JSON.stringify(changes.map(({ change }) => change.session.id))],
  );
  const versions = new Map(rows.map(({ id, number }) => [id, number]));
  const last = rows.find(({ hash }) => hash !== null);
  return {
    winners: changes.filter(
      ({ change: { session } }) => session.version === (versions.get(session.id) ?? 0) + 1,
    ),
    auditEnd: last === undefined || last.hash === null ? FIRST_END : { seq: last.number, hash: last.hash },
  };
}

/** The rows of each table but the audit; what a change leaves out is no row. */
function rowsOf(changes: readonly DatedChange[]) {
  return {
    sessions: changes.map(({ change: { session } }) => ({
      id: session.id,
      station: session.station,
      version: session.version,
      archivedAt: session.archivedAt,
      body: JSON.stringify(session),
    })),
    actions: changes.flatMap(({ change: { actions = [] } }) =>
      actions.map((action) => ({
        id: action.id,
        sessionId: action.sessionId,
        status: action.status,
        body: JSON.stringify(action),
      })),
    ),
    messages: changes.flatMap(({ change: { session, messages = [] } }) =>
      messages.map((message) => ({
        sessionId: session.id,
        seq: message.seq,
        body: JSON.stringify(message),
      })),
    ),
    outbox: changes.flatMap(({ change: { outbox = [] }, at }) =>
      outbox.map((message) => outboxRow(message, at)),
    ),
    memory: changes.flatMap(({ change: { session, memory = [] }, at }) =>
      memory.map((draft) => ({ sessionId: session.id, at, body: JSON.stringify(draft) })),
    ),
    turns: changes.flatMap(({ change: { session, turn } }) =>
      turn === undefined
        ? []
        : [{ turnId: turn.turnId, sessionId: session.id, report: JSON.stringify(turn.report) }],
    ),
  };
}

function outboxRow({ id, channel, expiresAt, body }: OutboxMessage, at: string) {
  return { id, channel, at, expiresAt, body: JSON.stringify(body) };
}
