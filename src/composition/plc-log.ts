import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../adapters/sqlite/database.ts';
import { PLC_LOG_MIGRATION, SqlitePlcLogStore } from '../adapters/sqlite/sqlite-plc-log-store.ts';
import { PlcLogReader } from '../app/plc/plc-log-reader.ts';
import type { PlcBus } from '../app/ports/plc-bus.ts';
import type { PlcLogStore } from '../app/ports/plc-log-store.ts';
import type { Config } from '../config/config-schema.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import { isEdgeError } from '../runtime/edge-error.ts';
import type { Service } from '../runtime/service.ts';
import type { Runtime } from './runtime.ts';

/** The PLC log records that a daemon has kept, while it runs or afterwards. */
export interface KeptPlcLogs {
  readonly store: PlcLogStore;
  close(): Promise<void>;
}

/** Undefined when nothing was ever kept. Throws EdgeError STATE_DB_FAILED; nothing is changed. */
export async function openKeptPlcLogs(config: Pick<Config, 'state_dir'>): Promise<KeptPlcLogs | undefined> {
  const file = fileOf(config);
  if (!existsSync(file)) return undefined;
  const database = await Database.openForReading(file);
  return { store: new SqlitePlcLogStore(database), close: () => database.close() };
}

/** The logs that a daemon follows. */
export interface FollowedPlcLogs {
  /** In the order of their start. */
  readonly services: readonly Service[];
  /** Undefined where no log is followed. */
  readonly store: PlcLogStore | undefined;
}

/** Follows the logs of a plant, to be started after the bus; none where the plant has no logs. */
export async function composePlcLogs(
  config: Pick<Config, 'state_dir'>,
  plant: PlantModel,
  bus: Pick<PlcBus, 'read' | 'readFile'>,
  runtime: Runtime,
): Promise<FollowedPlcLogs> {
  if (plant.logs().length === 0) return { services: [], store: undefined };
  const file = fileOf(config);
  try {
    const { database, damaged } = await Database.open(file, [PLC_LOG_MIGRATION], runtime.clocks.wall());
    const store = new SqlitePlcLogStore(database);
    const reader = new PlcLogReader({ ...runtime, plant, bus, store });
    return { services: [fileService(database, damaged), reader], store };
  } catch (error) {
    if (!isEdgeError(error)) throw error;
    // Values, alarms and voice do not need it.
    runtime.logger.error({ error: error.message, hint: error.hint }, 'the event logs are not followed');
    return { services: [downService(error.message)], store: undefined };
  }
}

const FILE_NAME = 'plc log file';

function fileService(database: Database, damaged: string | undefined): Service {
  return {
    name: FILE_NAME,
    start: async () => undefined,
    stop: () => database.close(),
    health: () => {
      const found = database.health();
      if (database.isRemoved())
        return {
          ...found,
          status: 'down',
          detail: `${database.file} was removed while it was open; restart`,
        };
      if (found.status !== 'ok' || damaged === undefined) return found;
      const detail = `plc-log.db was damaged and is set aside as ${damaged}; a new one was begun`;
      return { ...found, status: 'degraded', detail };
    },
  };
}

function downService(detail: string): Service {
  return {
    name: FILE_NAME,
    start: async () => undefined,
    stop: async () => undefined,
    health: () => ({ status: 'down', detail }),
  };
}

function fileOf({ state_dir }: Pick<Config, 'state_dir'>): string {
  return join(state_dir, 'plc-log.db');
}
