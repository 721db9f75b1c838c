import { z } from 'zod';
import { hasEnded } from '../../domain/workflow/workflow-state.ts';
import type { Logger } from '../../runtime/logger.ts';
import {
  type WorkflowSnapshot,
  type WorkflowStore,
  workflowSnapshotSchema,
} from '../../tooling/workflow/workflow-store.ts';
import type { Database } from './database.ts';
import { ErasedNames } from './erased-names.ts';
import { readRow } from './session-rows.ts';

const rowSchema = z.object({ id: z.string(), body: z.string() });

interface Parts {
  readonly database: Database;
  readonly logger: Logger;
  readonly erased?: ErasedNames;
}

/** Workflows in `state.db`. */
export class SqliteWorkflowStore implements WorkflowStore {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #erased: ErasedNames;

  constructor({ database, logger, erased = new ErasedNames() }: Parts) {
    this.#database = database;
    this.#logger = logger;
    this.#erased = erased;
  }

  async save(snapshot: WorkflowSnapshot): Promise<void> {
    await this.#database.write(
      (writer) =>
        writer.run(
          `INSERT INTO workflow (id, saved, ended, saved_at, body) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET saved = excluded.saved, ended = excluded.ended, saved_at = excluded.saved_at,
             body = excluded.body WHERE excluded.saved > workflow.saved`,
          [
            snapshot.id,
            snapshot.number,
            Number(hasEnded(snapshot.state)),
            snapshot.savedAt,
            this.#erased.bodyOf(snapshot),
          ],
        ),
      'session',
    );
  }

  async latest(id: string): Promise<WorkflowSnapshot | undefined> {
    const rows = await this.#database.all(rowSchema, 'SELECT id, body FROM workflow WHERE id = ?', [id]);
    return this.#read(rows)[0];
  }

  async unfinished(): Promise<readonly WorkflowSnapshot[]> {
    const rows = await this.#database.all(
      rowSchema,
      'SELECT id, body FROM workflow WHERE ended = 0 ORDER BY saved_at',
    );
    return this.#read(rows);
  }

  async recent(limit: number): Promise<readonly WorkflowSnapshot[]> {
    const rows = await this.#database.all(
      rowSchema,
      'SELECT id, body FROM workflow ORDER BY saved_at DESC, id LIMIT ?',
      [limit],
    );
    return this.#read(rows);
  }

  async prune(savedBefore: string): Promise<number> {
    return await this.#database.write(
      (writer) => writer.run('DELETE FROM workflow WHERE ended = 1 AND saved_at < ?', [savedBefore]),
      'audit',
    );
  }

  #read(rows: readonly z.infer<typeof rowSchema>[]): readonly WorkflowSnapshot[] {
    return rows.flatMap(({ id, body }) => {
      const read = readRow(workflowSnapshotSchema, body);
      if (read.ok) return [read.value];
      this.#logger.error({ workflow: id, fault: read.fault }, 'a workflow cannot be read and is left out');
      return [];
    });
  }
}
