import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../adapters/sqlite/database.ts';
import { PLC_LOG_MIGRATION, SqlitePlcLogStore } from '../adapters/sqlite/sqlite-plc-log-store.ts';
import { PlcLogReader } from '../app/plc/plc-log-reader.ts';
import type { PlcBus } from '../app/ports/plc-bus.ts';
import type { PlcLogStore } from '../app/ports/plc-log-store.ts';
import type { Config } from '../config/config-schema.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { Service } from '../runtime/service.ts';
import type { Runtime } from './runtime.ts';

/** The PLC log records that a daemon has kept, while it runs or afterwards. */
export interface KeptPlcLogs {
  readonly store: PlcLogStore;
  close(): Promise<void>;
}

/** Undefined when nothing was ever kept. Throws the EdgeErrors of `Database.open`. */
export async function openKeptPlcLogs(config: Pick<Config, 'state_dir'>): Promise<KeptPlcLogs | undefined> {
  const file = fileOf(config);
  if (!existsSync(file)) return undefined;
  const { database } = await Database.open(file, [PLC_LOG_MIGRATION], new Date());
  return { store: new SqlitePlcLogStore(database), close: () => database.close() };
}

/** Follows the logs of a plant, to be started after the bus; none where the plant has no logs. */
export async function composePlcLogs(
  config: Pick<Config, 'state_dir'>,
  plant: PlantModel,
  bus: Pick<PlcBus, 'read' | 'readFile'>,
  runtime: Runtime,
): Promise<readonly Service[]> {
  if (plant.logs().length === 0) return [];
  const { database, damaged } = await Database.open(
    fileOf(config),
    [PLC_LOG_MIGRATION],
    runtime.clocks.wall(),
  );
  if (damaged !== undefined)
    runtime.logger.error({ aside: damaged }, 'plc-log.db was damaged and is set aside; a new one was begun');
  const file: Service = {
    name: 'plc log file',
    start: async () => undefined,
    stop: () => database.close(),
    health: () => database.health(),
  };
  return [file, new PlcLogReader({ ...runtime, plant, bus, store: new SqlitePlcLogStore(database) })];
}

function fileOf({ state_dir }: Pick<Config, 'state_dir'>): string {
  return join(state_dir, 'plc-log.db');
}
