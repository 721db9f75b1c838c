import { z } from 'zod';
import type { OutboxMessage, SessionChange } from '../../app/ports/session-store.ts';
import type { Writer } from './database.ts';

/** A change with the moment at which it was handed over. */
export interface DatedChange {
  readonly change: SessionChange;
  readonly at: string;
}

const versionSchema = z.object({ id: z.string(), version: z.int() });

/** Those of the changes that were made on the newest version, each of another session. */
export async function winnersOf<T extends DatedChange>(
  writer: Writer,
  changes: readonly T[],
): Promise<readonly T[]> {
  const ids = changes.map(({ change }) => change.session.id);
  const rows = await writer.all(
    versionSchema,
    'SELECT id, version FROM session WHERE id IN (SELECT value FROM json_each(?))',
    [JSON.stringify(ids)],
  );
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  return changes.filter(({ change: { session } }) => session.version === (versions.get(session.id) ?? 0) + 1);
}

/** Writes all that the changes say but their audit: one statement a table, however many changes there are. */
export async function writeChanges(writer: Writer, changes: readonly DatedChange[]): Promise<void> {
  await writer.run(
    `INSERT INTO session (id, station, version, touched, archived_at, body)
     SELECT value ->> 'id', value ->> 'station', value ->> 'version',
       (SELECT coalesce(max(touched), 0) FROM session) + key + 1, value ->> 'archivedAt', value ->> 'body'
     FROM json_each(?) WHERE true
     ON CONFLICT (id) DO UPDATE SET version = excluded.version, touched = excluded.touched,
       archived_at = excluded.archived_at, body = excluded.body`,
    [
      JSON.stringify(
        changes.map(({ change: { session } }) => ({
          id: session.id,
          station: session.station,
          version: session.version,
          archivedAt: session.archivedAt,
          body: JSON.stringify(session),
        })),
      ),
    ],
  );
  await runFor(
    writer,
    `INSERT INTO action (id, session_id, status, body)
     SELECT value ->> 'id', value ->> 'sessionId', value ->> 'status', value ->> 'body'
     FROM json_each(?) WHERE true ORDER BY key
     ON CONFLICT (id) DO UPDATE SET status = excluded.status, body = excluded.body`,
    changes.flatMap(({ change: { actions = [] } }) =>
      actions.map((action) => ({
        id: action.id,
        sessionId: action.sessionId,
        status: action.status,
        body: JSON.stringify(action),
      })),
    ),
  );
  await runFor(
    writer,
    `INSERT INTO session_message (session_id, seq, body)
     SELECT value ->> 'sessionId', value ->> 'seq', value ->> 'body' FROM json_each(?) WHERE true
     ON CONFLICT (session_id, seq) DO UPDATE SET body = excluded.body`,
    changes.flatMap(({ change: { session, messages = [] } }) =>
      messages.map((message) => ({
        sessionId: session.id,
        seq: message.seq,
        body: JSON.stringify(message),
      })),
    ),
  );
  await writeOutbox(
    writer,
    changes.flatMap(({ change: { outbox = [] }, at }) => outbox.map((message) => ({ message, at }))),
  );
  await runFor(
    writer,
    `INSERT INTO memory_draft (session_id, drafted_at, body)
     SELECT value ->> 'sessionId', value ->> 'at', value ->> 'body' FROM json_each(?) ORDER BY key`,
    changes.flatMap(({ change: { session, memory = [] }, at }) =>
      memory.map((draft) => ({ sessionId: session.id, at, body: JSON.stringify(draft) })),
    ),
  );
  await runFor(
    writer,
    `INSERT INTO turn (turn_id, session_id, report)
     SELECT value ->> 'turnId', value ->> 'sessionId', value ->> 'report' FROM json_each(?) WHERE true ORDER BY key
     ON CONFLICT (turn_id) DO UPDATE SET session_id = excluded.session_id, report = excluded.report`,
    changes.flatMap(({ change: { session, turn } }) =>
      turn === undefined
        ? []
        : [{ turnId: turn.turnId, sessionId: session.id, report: JSON.stringify(turn.report) }],
    ),
  );
}

/** One that waits under its id is replaced where it stands; one that has ended stays as it is. */
export function writeOutbox(
  writer: Writer,
  messages: readonly { readonly message: OutboxMessage; readonly at: string }[],
): Promise<void> {
  return runFor(
    writer,
    `INSERT INTO outbox (id, channel, state, queued_at, expires_at, body)
     SELECT value ->> 'id', value ->> 'channel', 'waiting', value ->> 'at', value ->> 'expiresAt', value ->> 'body'
     FROM json_each(?) WHERE true ORDER BY key
     ON CONFLICT (id) DO UPDATE SET channel = excluded.channel, expires_at = excluded.expires_at, body = excluded.body
     WHERE state = 'waiting'`,
    messages.map(({ message, at }) => ({
      id: message.id,
      channel: message.channel,
      at,
      expiresAt: message.expiresAt,
      body: JSON.stringify(message.body),
    })),
  );
}

async function runFor(writer: Writer, sql: string, rows: readonly object[]): Promise<void> {
  if (rows.length > 0) await writer.run(sql, [JSON.stringify(rows)]);
}
