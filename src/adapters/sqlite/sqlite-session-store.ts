import { z } from 'zod';
import type {
  SessionChange,
  SessionEvent,
  SessionStore,
  StoredSession,
} from '../../app/ports/session-store.ts';
import { type JsonObject, jsonObjectSchema } from '../../domain/json.ts';
import type { SessionRecord } from '../../domain/session/session-record.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { ChainEnd } from './audit-chain.ts';
import type { Database, Writer } from './database.ts';
import { ErasedNames } from './erased-names.ts';
import { type ReadRow, readAction, readMessage, readRow, readSession } from './session-rows.ts';
import { type PreparedChange, prepareChange, standingOf, writeAll } from './session-writes.ts';
import type { SqliteAudit } from './sqlite-audit.ts';
import { isStale, machineHint } from './sqlite-failure.ts';

interface Waiting extends PreparedChange {
  resolve(outcome: 'committed' | 'conflict'): void;
  reject(error: unknown): void;
}

interface Parts {
  readonly database: Database;
  readonly audit: SqliteAudit;
  readonly clocks: Clocks;
  readonly logger: Logger;
  readonly erased?: ErasedNames;
}

/** So many changes may wait: more than that, and the disk is slower than people speak. */
const MAX_WAITING = 2_000;
/** So many share one transaction: it bounds what an alarm waits for. */
const MAX_ROUND = 256;
/** So many sessions are removed in one transaction. */
const PRUNED_AT_ONCE = 100;

const bodySchema = z.object({ id: z.string(), body: z.string() });
const wholeSchema = bodySchema.extend({ actions: z.string(), messages: z.string() });
const bodiesSchema = z.array(z.string());

/** A session with its ledger and messages in one statement: what it shows is of one moment. */
const WHOLE = `SELECT id, body,
  (SELECT json_group_array(body) FROM (SELECT body FROM action WHERE session_id = session.id ORDER BY arrival)) AS actions,
  (SELECT json_group_array(body) FROM (SELECT body FROM session_message WHERE session_id = session.id ORDER BY seq)) AS messages
  FROM session`;

/**
 * Sessions in `state.db`. Changes that wait share one transaction, and in it one statement a table. Reads see only what is
 * on disk when the database has a reader of its own.
 */
export class SqliteSessionStore implements SessionStore {
  readonly #database: Database;
  readonly #audit: SqliteAudit;
  readonly #clocks: Clocks;
  readonly #logger: Logger;
  readonly #erased: ErasedNames;
  readonly #waiting: Waiting[] = [];
  #isWriting = false;

  constructor({ database, audit, clocks, logger, erased = new ErasedNames() }: Parts) {
    this.#database = database;
    this.#audit = audit;
    this.#clocks = clocks;
    this.#logger = logger;
    this.#erased = erased;
  }

  commit(change: SessionChange): Promise<'committed' | 'conflict'> {
    const { session, actions = [], audit = [] } = change;
    const stranger = actions.find(({ sessionId }) => sessionId !== session.id);
    if (stranger !== undefined)
      throw new TypeError(`action ${stranger.id} is of session ${stranger.sessionId}, not of ${session.id}`);
    if (this.#waiting.length >= MAX_WAITING) {
      const hint = 'the disk is slower than what is to be recorded: look for a flood of requests';
      return Promise.reject(
        new EdgeError('STATE_DB_BUSY', 'too many changes of sessions wait', { hint, retry: 'safe' }),
      );
    }
    const entries = audit.map(({ kind, detail }) =>
      this.#audit.entry(kind, { ...detail, session_id: session.id }),
    );
    // Made ready here: what is done while others are being written costs no transaction any time.
    const prepared = prepareChange(change, entries, this.#clocks.wall().toISOString(), this.#erased.bodyOf);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...prepared, resolve, reject });
      if (!this.#isWriting) void this.#writeWaiting();
    });
  }

  async #writeWaiting(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) await this.#writeRound();
    this.#isWriting = false;
  }

  async #writeRound(): Promise<void> {
    let round: readonly Waiting[] | undefined;
    // Taken when the transaction begins: what came while another one ran is in it.
    const taken = (): readonly Waiting[] => {
      round ??= this.#takeRound();
      return round;
    };
    try {
      const won = await this.#writeAtOnce(taken);
      for (const each of taken()) each.resolve(won.includes(each) ? 'committed' : 'conflict');
    } catch (error) {
      await this.#settleFailed(taken(), error);
    }
  }

  /** In the belief that no other writer interfered, which the file itself checks; when one did, with a look first. */
  async #writeAtOnce(taken: () => readonly Waiting[]): Promise<readonly Waiting[]> {
    try {
      return await this.#database.writeOne(async (writer) => {
        const round = taken();
        this.#keep(writer, await writeAll(writer, round, this.#audit.end));
        return round;
      }, 'session');
    } catch (error) {
      if (!isStale(error instanceof EdgeError ? error.cause : error)) throw error;
      return await this.#database.write((writer) => this.#writeWinners(writer, taken()), 'session');
    }
  }

  async #writeWinners(writer: Writer, round: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { winners, end } = await standingOf(writer, round);
    if (winners.length > 0) this.#keep(writer, await writeAll(writer, winners, end));
    return winners;
  }

  #keep(writer: Writer, end: ChainEnd): void {
    writer.onCommitted(() => this.#audit.endedWith(end));
  }

  /** The oldest that wait, up to the second one of a session: it is checked against what the first one wrote. */
  #takeRound(): readonly Waiting[] {
    const sessions = new Set<string>();
    for (const { session } of this.#waiting) {
      if (sessions.size >= MAX_ROUND || sessions.has(session)) break;
      sessions.add(session);
    }
    return this.#waiting.splice(0, sessions.size);
  }

  /** Where the machine is not at fault one of the changes is, and the others are written without it. */
  async #settleFailed(round: readonly Waiting[], error: unknown): Promise<void> {
    const cause = error instanceof EdgeError ? error.cause : error;
    if (round.length <= 1 || machineHint(cause) !== undefined) {
      for (const each of round) each.reject(error);
      return;
    }
    for (const each of round) {
      try {
        const won = await this.#database.write((writer) => this.#writeWinners(writer, [each]), 'session');
        each.resolve(won.length === 1 ? 'committed' : 'conflict');
      } catch (alone) {
        each.reject(alone);
      }
    }
  }

  async live(limit: number): Promise<readonly StoredSession[]> {
    const rows = await this.#database.all(
      wholeSchema,
      `${WHOLE} WHERE archived_at IS NULL ORDER BY touched DESC LIMIT ?`,
      [limit],
    );
    return rows.flatMap((row) => this.#whole(row) ?? []);
  }

  async session(id: string): Promise<StoredSession | undefined> {
    const [row] = await this.#database.all(wholeSchema, `${WHOLE} WHERE id = ?`, [id]);
    return row === undefined ? undefined : this.#whole(row);
  }

  async answeredTurn(turnId: string): Promise<JsonObject | undefined> {
    const [row] = await this.#database.all(
      z.object({ report: z.string() }),
      'SELECT report FROM turn WHERE turn_id = ?',
      [turnId],
    );
    return row === undefined ? undefined : this.#read(readRow(jsonObjectSchema, row.report), 'turn', turnId);
  }

  async list(limit: number): Promise<readonly SessionRecord[]> {
    const rows = await this.#database.all(
      bodySchema,
      'SELECT id, body FROM session ORDER BY touched DESC LIMIT ?',
      [limit],
    );
    return rows.flatMap((row) => this.#read(readSession(row.body), 'session', row.id) ?? []);
  }

  async timeline(id: string, limit: number): Promise<readonly SessionEvent[]> {
    const rows = await this.#database.all(
      z.object({ seq: z.int(), at: z.string(), kind: z.string(), detail: z.string() }),
      `SELECT seq, at, kind, detail FROM audit WHERE json_extract(detail, '$.session_id') = ?
         AND substr(json_extract(detail, '$.session_id'), 1, 8) = substr(?, 1, 8) ORDER BY seq DESC LIMIT ?`,
      [id, id, limit],
    );
    return rows
      .flatMap(({ seq, at, kind, detail: text }) => {
        const detail = this.#read(readRow(jsonObjectSchema, text), 'audit', String(seq));
        return detail === undefined ? [] : [{ at, kind, detail }];
      })
      .toReversed();
  }

  async prune(archivedBefore: string): Promise<number> {
    let removed = 0;
    for (;;) {
      const count = await this.#database.write(async (writer) => {
        const rows = await writer.all(
          z.object({ id: z.string() }),
          'SELECT id FROM session WHERE archived_at IS NOT NULL AND archived_at < ? ORDER BY archived_at LIMIT ?',
          [archivedBefore, PRUNED_AT_ONCE],
        );
        const ids = JSON.stringify(rows.map(({ id }) => id));
        for (const [table, column] of OF_A_SESSION)
          await writer.run(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`, [ids]);
        return rows.length;
      }, 'audit');
      removed += count;
      if (count < PRUNED_AT_ONCE) return removed;
    }
  }

  #whole(row: z.infer<typeof wholeSchema>): StoredSession | undefined {
    const session = this.#read(readSession(row.body), 'session', row.id);
    if (session === undefined) return undefined;
    const listed = bodiesSchema.parse(JSON.parse(row.actions));
    const said = bodiesSchema.parse(JSON.parse(row.messages));
    const actions = listed.flatMap((body) => this.#read(readAction(body), 'action', row.id) ?? []);
    const messages = said.flatMap((body) => this.#read(readMessage(body), 'session_message', row.id) ?? []);
    const unreadable = listed.length - actions.length + said.length - messages.length;
    return { session, actions, messages, unreadable };
  }

  #read<T>(row: ReadRow<T>, table: string, of: string): T | undefined {
    if (row.ok) return row.value;
    this.#logger.error({ table, of, fault: row.fault }, 'a row of state.db cannot be read and is left out');
    return undefined;
  }
}

const OF_A_SESSION = [
  ['action', 'session_id'],
  ['session_message', 'session_id'],
  ['turn', 'session_id'],
  ['session', 'id'],
] as const;
