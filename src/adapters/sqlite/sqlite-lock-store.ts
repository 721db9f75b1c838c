import { z } from 'zod';
import type { LockStore } from '../../app/ports/lock-store.ts';
import { MAX_LOCK_REASON, type MachineLock } from '../../domain/gate/machine-lock.ts';
import type { Database } from './database.ts';

const rowSchema = z.object({
  machine: z.string(),
  person_id: z.string(),
  person_name: z.string(),
  at: z.string(),
  reason: z.string().nullable(),
});

/** An empty cell, as only somebody else than this program writes it, is a lock all the same. */
const NOBODY = { id: 'unknown', name: 'unknown' };

/** Locks of machines in `state.db`. */
export class SqliteLockStore implements LockStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async all(): Promise<readonly MachineLock[]> {
    const rows = await this.#database.all(rowSchema, 'SELECT * FROM machine_lock ORDER BY machine');
    return rows.map(({ machine, person_id, person_name, at, reason }) => ({
      machine,
      by: { id: person_id || NOBODY.id, name: person_name || NOBODY.name },
      at,
      ...(reason === null ? {} : { reason: reason.slice(0, MAX_LOCK_REASON) }),
    }));
  }

  async put({ machine, by, at, reason }: MachineLock): Promise<void> {
    await this.#database.write((writer) =>
      writer.run(
        `INSERT INTO machine_lock (machine, person_id, person_name, at, reason) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (machine) DO UPDATE SET
           person_id = excluded.person_id, person_name = excluded.person_name, at = excluded.at, reason = excluded.reason`,
        [machine, by.id, by.name, at, reason ?? null],
      ),
    );
  }

  async remove(machine: string): Promise<void> {
    await this.#database.write((writer) =>
      writer.run('DELETE FROM machine_lock WHERE machine = ?', [machine]),
    );
  }
}
