import { z } from 'zod';
import type { BegunErasure, ErasureLedger } from '../../app/ports/personal-store.ts';
import { personSchema } from '../../domain/people/person.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { Database } from './database.ts';
import { writeOutbox } from './session-writes.ts';
import type { SqliteAudit } from './sqlite-audit.ts';

interface Parts {
  readonly database: Database;
  readonly audit: SqliteAudit;
  readonly clocks: Clocks;
}

const rowSchema = z.object({ request: z.string(), person_key: z.string(), pending: z.string() });
const pendingSchema = z.strictObject({
  id: z.string(),
  person: personSchema.optional(),
  also: z.array(z.string()),
  pseudonym: z.string(),
});

/** Erasures in `state.db`. */
export class SqliteErasureLedger implements ErasureLedger {
  readonly #database: Database;
  readonly #audit: SqliteAudit;
  readonly #clocks: Clocks;

  constructor({ database, audit, clocks }: Parts) {
    this.#database = database;
    this.#audit = audit;
    this.#clocks = clocks;
  }

  async begin({ request, key, person }: BegunErasure): Promise<void> {
    const at = this.#clocks.wall().toISOString();
    await this.#database.overwriteDeleted(true);
    await this.#database.write(async (writer) => {
      await writer.run('INSERT INTO erasure (request, person_key, begun_at, pending) VALUES (?, ?, ?, ?)', [
        request,
        key,
        at,
        JSON.stringify(person),
      ]);
      await writeOutbox(
        writer,
        { id: `erase-${request}`, channel: 'memory', body: { kind: 'erase', person: key, at } },
        at,
        JSON.stringify,
      );
      await this.#audit.appendIn(writer, 'memory.erase.begun', { id: request, pseudonym: person.pseudonym });
    }, 'audit');
  }

  async unfinished(): Promise<readonly BegunErasure[]> {
    const rows = await this.#database.all(
      rowSchema,
      `SELECT request, person_key, pending FROM erasure
       WHERE ended_at IS NULL AND pending IS NOT NULL ORDER BY begun_at, request`,
    );
    if (rows.length > 0) await this.#database.overwriteDeleted(true);
    // One that had ended may have been cut off before the log was emptied of it.
    else if ((await this.keys()).length > 0) await this.#database.emptyLog();
    return rows.map(({ request, person_key: key, pending }) => {
      const { person, ...rest } = pendingSchema.parse(JSON.parse(pending));
      return { request, key, person: { ...rest, person } };
    });
  }

  async end({ request, person }: BegunErasure, counts: Readonly<Record<string, number>>): Promise<void> {
    await this.#database.write(async (writer) => {
      await writer.run('DELETE FROM person_pseudonym WHERE person_id = ?', [person.id]);
      await writer.run('UPDATE erasure SET pending = NULL, ended_at = ? WHERE request = ?', [
        this.#clocks.wall().toISOString(),
        request,
      ]);
      await this.#audit.appendIn(writer, 'memory.erase.ended', { id: request, counts });
    }, 'audit');
    await this.#database.emptyLog();
    await this.#database.overwriteDeleted(false);
  }

  async purge(): Promise<void> {
    await this.#database.rebuild();
    await this.#database.emptyLog();
  }

  async keys(): Promise<readonly string[]> {
    const rows = await this.#database.all(
      z.object({ person_key: z.string() }),
      'SELECT DISTINCT person_key FROM erasure ORDER BY person_key',
    );
    return rows.map(({ person_key: key }) => key);
  }
}
