import { join } from 'node:path';
import { Database } from '../adapters/sqlite/database.ts';
import { SqliteAlarmStore } from '../adapters/sqlite/sqlite-alarm-store.ts';
import { SqliteAudit } from '../adapters/sqlite/sqlite-audit.ts';
import { STATE_MIGRATIONS } from '../adapters/sqlite/state-migrations.ts';
import { clockState } from '../adapters/systemd/clock-state.ts';
import type { Config } from '../config/config-schema.ts';
import type { Clocks } from '../runtime/clocks.ts';
import type { Health, Service } from '../runtime/service.ts';

/** `state.db` and what is kept in it. */
export interface Storage {
  readonly service: Service;
  readonly audit: SqliteAudit;
  readonly alarms: SqliteAlarmStore;
  /** Resolves when a write has reached the disk: the progress that the watchdog asks about. */
  checkWrite(): Promise<void>;
}

/** Opens the file at once, so that whoever is composed after it can hold its parts. */
export async function openStorage(config: Pick<Config, 'state_dir'>, clocks: Clocks): Promise<Storage> {
  const { database, damaged } = await Database.open(
    join(config.state_dir, 'state.db'),
    STATE_MIGRATIONS,
    clocks.wall(),
  );
  const health = (): Health =>
    damaged === undefined
      ? { status: 'ok', detail: database.file }
      : {
          status: 'degraded',
          detail: `state.db was damaged and set aside as ${damaged}; a new one was begun`,
        };
  return {
    service: { name: 'database', start: async () => undefined, stop: () => database.close(), health },
    audit: new SqliteAudit(database, clocks, clockState),
    alarms: new SqliteAlarmStore(database),
    checkWrite: () =>
      database.write(async (writer) => void (await writer.run('UPDATE audit SET seq = seq WHERE seq = -1'))),
  };
}
