import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/adapters/sqlite/database.ts';
import { SqliteAudit } from '../../src/adapters/sqlite/sqlite-audit.ts';
import { SqliteOutbox } from '../../src/adapters/sqlite/sqlite-outbox.ts';
import { SqliteSessionStore } from '../../src/adapters/sqlite/sqlite-session-store.ts';
import { STATE_MIGRATIONS } from '../../src/adapters/sqlite/state-migrations.ts';
import { systemClocks } from '../../src/runtime/clocks.ts';
import { type Logger, silentLogger } from '../../src/runtime/logger.ts';

/** `state.db` in a directory, opened as the daemon opens it. */
export async function openState(directory: string, logger: Logger = silentLogger()) {
  const file = join(directory, 'state.db');
  const clocks = systemClocks();
  const { database } = await Database.open(file, STATE_MIGRATIONS, new Date(), {
    ownReader: true,
    prompt: true,
  });
  const audit = new SqliteAudit(database, clocks, () => 'unsynced');
  const parts = { database, audit, clocks, logger };
  return { file, database, audit, sessions: new SqliteSessionStore(parts), outbox: new SqliteOutbox(parts) };
}

/** An empty directory below the system's own for such, and how to remove it. */
export function scratchDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'hermes-state-'));
  return { path, remove: () => rmSync(path, { recursive: true }) };
}
