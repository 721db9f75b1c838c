import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/adapters/sqlite/database.ts';
import { SqliteMemoryStore } from '../../src/adapters/sqlite/sqlite-memory-store.ts';
import type {
  EpisodeQuery,
  IndexedEpisode,
  MemoryStore,
  MemoryWrite,
} from '../../src/app/ports/memory-store.ts';
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

/** What one capture leaves: an episode with words, an entity, a fact and an entry of the log. */
export function capture(n: number, words = ''): MemoryWrite {
  const machine = { kind: 'machine', text: 'p', id: `p${n}`, exact: true } as const;
  return {
    episodes: [indexed(n, { text: `own${n} 水泵 common ${words}`.trimEnd(), entities: [machine] })],
    facts: [fact(n, { subject: `machine:p${n}` })],
    log: [
      {
        action: 'capture',
        target: `episode-${n}`,
        source: 'operator',
        atMs: n,
        bytesBefore: 1,
        bytesAfter: 1,
      },
    ],
  };
}

/** How `capture(n)` is there: `whole`, `absent`, or what of it is there. */
export async function presence(store: MemoryStore, n: number): Promise<string> {
  const id = `episode-${n}`;
  const [words, about, facts, log, { changes }] = await Promise.all([
    store.search(asked({ terms: [`own${n}`] })),
    store.search(asked({ entities: [`machine:p${n}`] })),
    store.factsOf(`machine:p${n}`, 9),
    store.log(50_000),
    store.changesAfter(0, 200_000),
  ]);
  const parts = {
    episode: (await store.episode(id)) === undefined ? 0 : 1,
    words: words.length,
    about: about.length,
    fact: facts.length,
    log: log.filter(({ target }) => target === id).length,
    episodeChange: changes.filter((change) => change.id === id).length,
    factChange: changes.filter((change) => change.id === `fact-${n}`).length,
  };
  const counts = Object.values(parts);
  if (counts.every((count) => count === 1)) return 'whole';
  return counts.every((count) => count === 0) ? 'absent' : JSON.stringify(parts);
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
