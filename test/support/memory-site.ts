import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/adapters/sqlite/database.ts';
import { SqliteMemoryStore } from '../../src/adapters/sqlite/sqlite-memory-store.ts';
import type { EpisodeQuery, IndexedEpisode } from '../../src/app/ports/memory-store.ts';
import { type Episode, episodeSchema } from '../../src/domain/memory/episode.ts';
import { type Fact, factSchema } from '../../src/domain/memory/fact.ts';
import { systemClocks } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { ManualScheduler } from './manual-scheduler.ts';

export const MEMORY_START_MS = Date.UTC(2026, 0, 15, 6);

/** An episode a minute; `changes` says what the test is about. Its terms are the words of its text. */
export function indexed(n: number, changes: Partial<Episode> = {}, around = ''): IndexedEpisode {
  const atMs = changes.atMs ?? MEMORY_START_MS + n * 60_000;
  const episode = episodeSchema.parse({
    id: `episode-${n}`,
    atMs,
    recordedAtMs: atMs,
    confirmedAtMs: atMs,
    kind: 'note',
    source: 'operator',
    origin: { kind: 'turn', id: `turn-${n}` },
    scope: 'site',
    userId: 'station-1',
    language: 'en',
    text: `note ${n}`,
    summary: `note ${n}`,
    entities: [],
    deeds: [],
    class: 'episode',
    isKey: false,
    ...changes,
  });
  return { episode, terms: episode.text.toLowerCase(), around };
}

export function fact(n: number, changes: Partial<Fact> = {}): Fact {
  return factSchema.parse({
    id: `fact-${n}`,
    scope: 'site',
    subject: 'machine:pump-7',
    predicate: 'location',
    value: `hall ${n}`,
    text: `pump 7 is in hall ${n}`,
    language: 'en',
    validFromMs: MEMORY_START_MS + n,
    recordedAtMs: MEMORY_START_MS + n,
    confirmedAtMs: MEMORY_START_MS + n,
    told: 1,
    source: 'operator',
    origin: { kind: 'turn', id: `turn-${n}` },
    userId: 'station-1',
    status: 'verified',
    class: 'machine',
    confidence: 1,
    ...changes,
  });
}

export function asked(changes: Partial<EpisodeQuery>): EpisodeQuery {
  return { terms: [], entities: [], scopes: ['site'], limit: 20, byTime: false, ...changes };
}

/** A memory store on a file of its own. */
export class MemorySite {
  readonly directory: string;
  readonly file: string;
  readonly scheduler = new ManualScheduler();
  #store: SqliteMemoryStore | undefined;
  #database: Database | undefined;

  constructor(directory = mkdtempSync(join(tmpdir(), 'hermes-memory-'))) {
    this.directory = directory;
    this.file = join(directory, 'memory.db');
  }

  /** Opens the file as another life of the program would. */
  async open(): Promise<SqliteMemoryStore> {
    await this.#store?.stop();
    const store = new SqliteMemoryStore(
      { file: this.file },
      {
        clocks: systemClocks(),
        scheduler: this.scheduler,
        logger: silentLogger(),
        openDatabase: async (...how) => {
          const opened = await Database.open(...how);
          this.#database = opened.database;
          return opened;
        },
      },
    );
    this.#store = store;
    await store.start();
    return store;
  }

  /** The file as the store has it open. */
  get database(): Database {
    if (this.#database === undefined) throw new Error('the store is not open');
    return this.#database;
  }

  async remove(): Promise<void> {
    await this.#store?.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
