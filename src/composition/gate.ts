import { SqliteLockStore } from '../adapters/sqlite/sqlite-lock-store.ts';
import { clockState } from '../adapters/systemd/clock-state.ts';
import { Badges, type FindPerson } from '../app/badges.ts';
import { MachineLocks } from '../app/machine-locks.ts';
import type { Config } from '../config/config-schema.ts';
import type { DeclaredOutput } from '../domain/gate/gate.ts';
import type { MachineLock } from '../domain/gate/machine-lock.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { WriteMode } from '../domain/plc/writing/write-order.ts';
import type { Role } from '../domain/tool/tool-call.ts';
import type { Runtime } from './runtime.ts';
import type { Storage } from './storage.ts';

/** What the gate asks besides the call itself. */
export interface Guard {
  readonly badges: Badges;
  readonly locks: MachineLocks;
  readonly writes: WriteMode;
  readonly declaredOutputs: readonly DeclaredOutput[];
}

interface Surroundings {
  readonly plant: PlantModel;
  readonly storage: Pick<Storage, 'audit' | 'database'>;
  readonly findPerson: FindPerson;
  readonly onLocked?: (lock: MachineLock) => void;
}

/** Rejects with EdgeError STATE_DB_FAILED when the locks cannot be read. */
export async function composeGuard(
  config: Pick<Config, 'plant' | 'stations' | 'automatic_outputs'>,
  { plant, storage, findPerson, onLocked }: Surroundings,
  { clocks }: Pick<Runtime, 'clocks'>,
): Promise<Guard> {
  const stations = new Map<string, Role>(Object.entries(config.stations));
  const { audit } = storage;
  return {
    badges: new Badges({
      stationRole: (station) => stations.get(station),
      findPerson,
      audit,
      clocks,
      clockState,
    }),
    locks: await MachineLocks.open({
      store: new SqliteLockStore(storage.database),
      audit,
      clocks,
      hasMachine: (id) => plant.machines.has(id),
      ...(onLocked === undefined ? {} : { onLocked }),
    }),
    writes: config.plant.writes,
    declaredOutputs: config.automatic_outputs,
  };
}
