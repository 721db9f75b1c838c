import { join } from 'node:path';
import { ModbusPlcBus } from '../../src/adapters/modbus/modbus-plc-bus.ts';
import { Database } from '../../src/adapters/sqlite/database.ts';
import { PLC_LOG_MIGRATION, SqlitePlcLogStore } from '../../src/adapters/sqlite/sqlite-plc-log-store.ts';
import { PlcLogReader } from '../../src/app/plc/plc-log-reader.ts';
import type { PlcBus } from '../../src/app/ports/plc-bus.ts';
import type { PlcLogEntry, PlcLogRecord } from '../../src/app/ports/plc-log-store.ts';
import type { PlantModel } from '../../src/domain/plc/plant-model.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';

export interface StartedLogReader {
  readonly reader: PlcLogReader;
  readonly store: SqlitePlcLogStore;
  stop(): Promise<void>;
}

/** A reader with a database and a bus of its own; started unless told otherwise. */
export async function startLogReader(
  plant: PlantModel,
  directory: string,
  given: {
    readonly bus?: Pick<PlcBus, 'read' | 'readFile'>;
    readonly before?: (reader: PlcLogReader) => void;
  } = {},
): Promise<StartedLogReader> {
  const runtime = { clocks: systemClocks(), scheduler: systemScheduler, logger: silentLogger() };
  const { database } = await Database.open(join(directory, 'plc-log.db'), [PLC_LOG_MIGRATION], new Date());
  const store = new SqlitePlcLogStore(database);
  const modbus = new ModbusPlcBus({ plant }, runtime);
  const bus =
    given.bus ??
    ({
      read: (device, span, call) => modbus.read(device, span, call),
      readFile: () => Promise.reject(new Error('no file is read here')),
    } satisfies Pick<PlcBus, 'read' | 'readFile'>);
  const reader = new PlcLogReader({ plant, bus, store, ...runtime });
  given.before?.(reader);
  if (given.bus === undefined) await modbus.start(new AbortController().signal);
  await reader.start(new AbortController().signal);
  return {
    reader,
    store,
    async stop() {
      await reader.stop(1_000);
      await modbus.stop(1_000);
      await database.close();
    },
  };
}

export function recordsOf(entries: readonly PlcLogEntry[]): PlcLogRecord[] {
  return entries.flatMap((entry) => (entry.kind === 'record' ? [entry] : []));
}

/** The number that each record of the ring carries twice; throws for one that is of two records. */
export function numbersOf(entries: readonly PlcLogEntry[]): number[] {
  return recordsOf(entries).map(({ values }) => {
    const { number, number_again: again } = values;
    if (typeof number !== 'number' || number !== again) throw new Error(`torn: ${JSON.stringify(values)}`);
    return number;
  });
}
