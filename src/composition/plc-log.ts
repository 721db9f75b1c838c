import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../adapters/sqlite/database.ts';
import { PLC_LOG_MIGRATION, SqlitePlcLogStore } from '../adapters/sqlite/sqlite-plc-log-store.ts';
import type { PlcLogStore } from '../app/ports/plc-log-store.ts';
import type { Config } from '../config/config-schema.ts';

/** The PLC log records that a daemon has kept, while it runs or afterwards. */
export interface KeptPlcLogs {
  readonly store: PlcLogStore;
  close(): Promise<void>;
}

/** Undefined when nothing was ever kept. Throws the EdgeErrors of `Database.open`. */
export async function openKeptPlcLogs(config: Pick<Config, 'state_dir'>): Promise<KeptPlcLogs | undefined> {
  const file = join(config.state_dir, 'history.db');
  if (!existsSync(file)) return undefined;
  const { database } = await Database.open(file, [PLC_LOG_MIGRATION], new Date());
  return { store: new SqlitePlcLogStore(database), close: () => database.close() };
}
