import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Database } from '../adapters/sqlite/database.ts';
import { ErasedNames } from '../adapters/sqlite/erased-names.ts';
import { SqliteAlarmStore } from '../adapters/sqlite/sqlite-alarm-store.ts';
import { SqliteAudit } from '../adapters/sqlite/sqlite-audit.ts';
import { SqliteOutbox } from '../adapters/sqlite/sqlite-outbox.ts';
import { SqlitePseudonymStore } from '../adapters/sqlite/sqlite-pseudonym-store.ts';
import { SqliteSessionStore } from '../adapters/sqlite/sqlite-session-store.ts';
import { SqliteWorkOrderStore } from '../adapters/sqlite/sqlite-work-order-store.ts';
import { SqliteWorkflowStore } from '../adapters/sqlite/sqlite-workflow-store.ts';
import { STATE_MIGRATIONS } from '../adapters/sqlite/state-migrations.ts';
import { clockState } from '../adapters/systemd/clock-state.ts';
import { Pseudonyms } from '../app/privacy/pseudonyms.ts';
import type { Config } from '../config/config-schema.ts';
import type { Person } from '../domain/people/person.ts';
import type { Clocks } from '../runtime/clocks.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Health, Service } from '../runtime/service.ts';

/** `state.db` and what is kept in it. */
export interface Storage {
  readonly service: Service;
  readonly audit: SqliteAudit;
  readonly pseudonyms: Pseudonyms;
  /** For the stores that other parts make: whom nothing may bring back. */
  readonly erased: ErasedNames;
  readonly alarms: SqliteAlarmStore;
  readonly sessions: SqliteSessionStore;
  readonly outbox: SqliteOutbox;
  /** For the stores that other parts make of it. */
  readonly database: Database;
  readonly workOrders: SqliteWorkOrderStore;
  readonly workflows: SqliteWorkflowStore;
  /**
   * Resolves when the writes that waited are through: the progress that the watchdog asks about. Rejects with EdgeError
   * STATE_DB_FAILED when the file was removed, which a restart mends; a full disk, which it does not, is left to `health`.
   */
  checkWrite(): Promise<void>;
}

/** So often at most the file at the path is compared with the one that is open. */
const REMOVAL_CHECK_MS = 3000;
const REMOVED = 'state.db was removed while it was open; restart';

/** Whom the audit is not to name. */
interface Named {
  readonly people: readonly Person[];
  /** Words that are no names of people, such as those of machines. */
  readonly keep: readonly string[];
}

/** Opens the file at once, so that whoever is composed after it can hold its parts. */
export async function openStorage(
  config: Pick<Config, 'state_dir'>,
  { clocks, logger }: { readonly clocks: Clocks; readonly logger: Logger },
  named: Named = { people: [], keep: [] },
): Promise<Storage> {
  const { database, damaged } = await Database.open(
    join(config.state_dir, 'state.db'),
    STATE_MIGRATIONS,
    clocks.wall(),
    { ownReader: true, prompt: true },
  );
  let removed = false;
  let checkedAtMs = clocks.monotonicMs();
  const isRemoved = (): boolean => {
    const nowMs = clocks.monotonicMs();
    if (nowMs - checkedAtMs >= REMOVAL_CHECK_MS) {
      checkedAtMs = nowMs;
      removed = database.isRemoved();
    }
    return removed;
  };
  const health = (): Health => {
    const found = database.health();
    if (isRemoved()) return { ...found, status: 'down', detail: REMOVED };
    if (found.status !== 'ok' || damaged === undefined) return found;
    const detail = `state.db was damaged and set aside as ${damaged}; a new one was begun`;
    return { ...found, status: 'degraded', detail };
  };
  // Before the first entry that could name somebody.
  const pseudonyms = await Pseudonyms.open({
    store: new SqlitePseudonymStore(database),
    ...named,
    random: randomBytes,
  });
  const audit = new SqliteAudit(database, clocks, clockState, (detail) => pseudonyms.hide(detail));
  const erased = new ErasedNames();
  const parts = { database, audit, clocks, logger, erased };
  return {
    service: { name: 'database', start: async () => undefined, stop: () => database.close(), health },
    audit,
    pseudonyms,
    erased,
    alarms: new SqliteAlarmStore(database),
    sessions: new SqliteSessionStore(parts),
    outbox: new SqliteOutbox(parts),
    database,
    workOrders: new SqliteWorkOrderStore(database),
    workflows: new SqliteWorkflowStore(parts),
    checkWrite: async () => {
      if (isRemoved()) throw new EdgeError('STATE_DB_FAILED', REMOVED, { hint: 'restart the daemon' });
      await database.write(
        async (writer) => void (await writer.run('UPDATE audit SET seq = seq WHERE seq = -1')),
        'check',
      );
    },
  };
}
