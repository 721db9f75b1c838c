import { z } from 'zod';
import type { OutboxMessage, OutboxStanding, OutboxStore } from '../../app/ports/session-store.ts';
import { jsonObjectSchema } from '../../domain/json.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Database } from './database.ts';
import { ErasedNames } from './erased-names.ts';
import { readRow } from './session-rows.ts';
import { writeOutbox } from './session-writes.ts';

const rowSchema = z.object({
  id: z.string(),
  channel: z.string(),
  attempts: z.int(),
  queued_at: z.string(),
  expires_at: z.string().nullable(),
  body: z.string(),
});

const standingSchema = z.object({
  state: z.enum(['waiting', 'delivered', 'set aside']),
  last_fault: z.string().nullable(),
});

interface Parts {
  readonly database: Database;
  readonly clocks: Clocks;
  readonly logger: Logger;
  readonly erased?: ErasedNames;
}

/** The outbox in `state.db`. A message that has ended keeps its id for as long as `prune` leaves it: it is not sent again. */
export class SqliteOutbox implements OutboxStore {
  readonly #database: Database;
  readonly #clocks: Clocks;
  readonly #logger: Logger;
  readonly #erased: ErasedNames;

  constructor({ database, clocks, logger, erased = new ErasedNames() }: Parts) {
    this.#database = database;
    this.#clocks = clocks;
    this.#logger = logger;
    this.#erased = erased;
  }

  async waiting(
    channel: string,
    limit: number,
  ): Promise<readonly (OutboxMessage & { readonly attempts: number; readonly queuedAt: string })[]> {
    const rows = await this.#database.all(
      rowSchema,
      `SELECT id, channel, attempts, queued_at, expires_at, body FROM outbox
       WHERE channel = ? AND state = 'waiting' ORDER BY arrival LIMIT ?`,
      [channel, limit],
    );
    const messages = [];
    for (const { id, attempts, queued_at: queuedAt, expires_at: expiresAt, body } of rows) {
      const read = readRow(jsonObjectSchema, body);
      if (read.ok) {
        messages.push({
          id,
          channel,
          body: read.value,
          attempts,
          queuedAt,
          ...(expiresAt === null ? {} : { expiresAt }),
        });
        continue;
      }
      this.#logger.error(
        { channel, id, fault: read.fault },
        'a message of the outbox cannot be read and is set aside',
      );
      // Left where it is it would stand in the way of all behind it.
      await this.failed(id, `it cannot be read: ${read.fault}`, true);
    }
    return messages;
  }

  async add(message: OutboxMessage): Promise<OutboxStanding> {
    const at = this.#clocks.wall().toISOString();
    const [row] = await this.#database.write(async (writer) => {
      await writeOutbox(writer, message, at, this.#erased.bodyOf);
      return writer.all(standingSchema, 'SELECT state, last_fault FROM outbox WHERE id = ?', [message.id]);
    }, 'session');
    if (row === undefined) throw new Error('a message that was just written is not there');
    const { state, last_fault: why } = row;
    return state === 'set aside' ? { state, why: why ?? '' } : { state };
  }

  async delivered(id: string): Promise<void> {
    await this.#database.write(
      (writer) =>
        writer.run(
          "UPDATE outbox SET state = 'delivered', attempts = attempts + 1, ended_at = ? WHERE id = ? AND state = 'waiting'",
          [this.#clocks.wall().toISOString(), id],
        ),
      'session',
    );
  }

  async failed(id: string, why: string, final: boolean): Promise<void> {
    await this.#database.write(
      (writer) =>
        writer.run(
          `UPDATE outbox SET attempts = attempts + 1, last_fault = ?, state = iif(?, 'set aside', state),
             ended_at = iif(?, ?, ended_at) WHERE id = ? AND state = 'waiting'`,
          [this.#erased.textOf(why), Number(final), Number(final), this.#clocks.wall().toISOString(), id],
        ),
      'session',
    );
  }

  async backlog(): Promise<Readonly<Record<string, number>>> {
    const rows = await this.#database.all(
      z.object({ channel: z.string(), count: z.int() }),
      "SELECT channel, count(*) AS count FROM outbox WHERE state = 'waiting' GROUP BY channel",
    );
    return Object.fromEntries(rows.map(({ channel, count }) => [channel, count]));
  }

  async prune(endedBefore: string): Promise<number> {
    return await this.#database.write(
      (writer) => writer.run('DELETE FROM outbox WHERE ended_at IS NOT NULL AND ended_at < ?', [endedBefore]),
      'audit',
    );
  }
}
