import { join } from 'node:path';
import { openKeyedHash } from '../../src/adapters/files/keyed-hash.ts';
import type { GitProcedures } from '../../src/adapters/git/git-procedures.ts';
import { SqliteCaptureInbox } from '../../src/adapters/sqlite/sqlite-capture-inbox.ts';
import { SessionContext } from '../../src/app/engine/session-context.ts';
import { memoryPersonalStores } from '../../src/app/memory/memory-personal-stores.ts';
import type { CaptureInbox } from '../../src/app/ports/capture-inbox.ts';
import type { PersonalStore } from '../../src/app/ports/personal-store.ts';
import type { PersonEraser } from '../../src/app/privacy/person-eraser.ts';
import { composeGuard } from '../../src/composition/gate.ts';
import { composeMemory, type Memory } from '../../src/composition/memory.ts';
import { composeEraser, namedPeople } from '../../src/composition/privacy.ts';
import { composeProcedures, pseudonymReports } from '../../src/composition/procedures.ts';
import { loadSite } from '../../src/composition/site.ts';
import { openStorage, type Storage } from '../../src/composition/storage.ts';
import { configSchema } from '../../src/config/config-schema.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { demoPlant } from './plant-file.ts';

/** All that remembers people, as the daemon has it, with its state below `directory` and `people.csv` in it. */
export interface ErasingSite {
  readonly storage: Storage;
  readonly memory: Memory;
  readonly inbox: CaptureInbox;
  readonly procedures: GitProcedures;
  /** With `more` behind the stores of memory. */
  eraserWith(more?: readonly PersonalStore[]): PersonEraser;
  stop(): Promise<void>;
}

export async function openErasingSite(directory: string): Promise<ErasingSite> {
  const runtime = {
    clocks: systemClocks(),
    scheduler: systemScheduler,
    logger: silentLogger(),
    context: new SessionContext(),
  };
  const stateDirectory = join(directory, 'state');
  const config = configSchema.parse({
    state_dir: stateDirectory,
    people: join(directory, 'people.csv'),
    stations: { microphone: 'operator' },
  });
  const site = loadSite(config, demoPlant());
  const storage = await openStorage(config, runtime, namedPeople(site));
  const guard = await composeGuard(
    config,
    { plant: site.plant, storage, findPerson: async () => undefined },
    runtime,
  );
  const memory = composeMemory({ site, storage }, runtime);
  const inbox = new SqliteCaptureInbox({ database: storage.database, ...runtime });
  const procedures = composeProcedures(config, pseudonymReports(storage.pseudonyms), runtime);
  await memory.store.start();
  await memory.cache.start();
  await procedures.start();
  const stores = memoryPersonalStores({
    ...memory,
    inbox,
    procedures,
    hash: openKeyedHash({ stateDirectory, credentialsDirectory: undefined }),
  });
  return {
    storage,
    memory,
    inbox,
    procedures,
    eraserWith: (more = []) =>
      composeEraser({ site, storage, guard, stores: [...stores, ...more] }, runtime).eraser,
    stop: async () => {
      await procedures.stop();
      await memory.feed.stop();
      await memory.cache.stop();
      await memory.store.stop();
      await storage.database.close();
    },
  };
}
