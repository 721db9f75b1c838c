import { z } from 'zod';
import type { PseudonymStore } from '../../app/ports/pseudonym-store.ts';
import type { Database } from './database.ts';

const rowSchema = z.object({ person_id: z.string(), pseudonym: z.string() });

/** Pseudonyms in `state.db`. */
export class SqlitePseudonymStore implements PseudonymStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async all(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#database.all(rowSchema, 'SELECT person_id, pseudonym FROM person_pseudonym');
    return new Map(rows.map(({ person_id, pseudonym }) => [person_id, pseudonym]));
  }

  async add(pseudonyms: ReadonlyMap<string, string>): Promise<void> {
    await this.#database.write(
      (writer) =>
        writer.run(
          `INSERT OR IGNORE INTO person_pseudonym (person_id, pseudonym)
           SELECT value ->> 0, value ->> 1 FROM json_each(?)`,
          [JSON.stringify([...pseudonyms])],
        ),
      'audit',
    );
  }
}
