import { SqliteCaptureInbox } from '../adapters/sqlite/sqlite-capture-inbox.ts';
import { LevelsOfMemory } from '../app/memory/memory-levels.ts';
import { MemoryReports } from '../app/memory/memory-reports.ts';
import type { ProcedureRepository } from '../app/ports/procedure-repository.ts';
import type { PersonEraser } from '../app/privacy/person-eraser.ts';
import type { Memory } from './memory.ts';
import type { Runtime } from './runtime.ts';
import type { Site } from './site.ts';
import type { Storage } from './storage.ts';

interface Parts {
  readonly site: Site;
  readonly storage: Storage;
  readonly memory: Memory;
  readonly procedures: ProcedureRepository;
  readonly eraser: PersonEraser;
}

/** Memory as the command line asks for it. */
export function composeMemoryReports(
  { site, storage, memory, procedures, eraser }: Parts,
  { clocks, logger }: Runtime,
): MemoryReports {
  const { config, plant, people } = site;
  const { desk, store, archive, working, forgetter, feed } = memory;
  const { keep_days: archiveDays, max_size_mb: archiveMb } = config.memory.archive;
  const levels = new LevelsOfMemory({
    store,
    working,
    inbox: new SqliteCaptureInbox({ database: storage.database, clocks, logger }),
    archive,
    procedures,
    lastSweepAgeMs: () => forgetter.lastSweepAgeMs,
    rejectedWrites: () => feed.health().figures?.['rejected'] ?? 0,
    clocks,
    settings: { archiveDays, archiveMaxBytes: archiveMb * 1e6 },
  });
  return new MemoryReports({
    desk,
    levels,
    store,
    archive,
    eraser,
    plant,
    people,
    role: config.stations.ask,
    clocks,
  });
}
