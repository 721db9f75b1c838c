import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type {
  EpisodeQuery,
  Erasure,
  ErasureCounts,
  FoundEpisode,
  MemoryChanges,
  MemoryFigures,
  MemoryLogEntry,
  MemoryStore,
  MemoryWrite,
  Tombstone,
} from '../../app/ports/memory-store.ts';
import type { Episode } from '../../domain/memory/episode.ts';
import type { Fact } from '../../domain/memory/fact.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { Health } from '../../runtime/service.ts';
import { KEPT_LOG } from './memory-bounds.ts';
import { erasePerson } from './memory-erasure.ts';
import { MemoryFile, type MemoryParts } from './memory-file.ts';
import {
  arrivalOf,
  readChanges,
  readEpisodes,
  readFacts,
  readFigures,
  readLog,
  readTombstones,
} from './memory-reads.ts';
import { INTO_MEMORY, insertOnce, memoryRows } from './memory-rows.ts';
import { searchEpisodes } from './memory-search.ts';

/** So many places of sweeps are known by the id they ended with, also when that episode was forgotten since. */
const KEPT_PLACES = 64;

/**
 * What is remembered, in `memory.db`: a file of its own, so that neither its size nor its damage is any of `state.db`'s.
 * What one capture leaves is one statement and one sync of the disk.
 */
export class SqliteMemoryStore implements MemoryStore {
  readonly name = 'memory';
  readonly #file: MemoryFile;
  readonly #clocks: Clocks;
  readonly #places = new Map<string, number>();

  constructor({ file }: { readonly file: string }, parts: MemoryParts) {
    this.#file = new MemoryFile(file, parts);
    this.#clocks = parts.clocks;
  }

  start(): Promise<void> {
    return this.#file.start();
  }

  stop(): Promise<void> {
    return this.#file.stop();
  }

  /** Checks the whole file; a damaged one is set aside, what can be read of it saved into a new one, and false. */
  check(): Promise<boolean> {
    return this.#file.check();
  }

  health(): Health {
    return this.#file.health();
  }

  commit(write: MemoryWrite): Promise<'written' | 'repeated'> {
    return this.#file.use('writing', async ({ database, frequencies }) => {
      const tombstone = { id: randomUUID(), at: this.#clocks.wall().getTime() };
      const rows = memoryRows(write, tombstone);
      const outcome = await database.writeOne(
        (writer) => insertOnce(writer.runView(INTO_MEMORY, rows)),
        'session',
      );
      if (outcome === 'repeated') return outcome;
      if (write.forgotten === undefined) frequencies.added(write.episodes ?? []);
      else frequencies.forgetAll();
      return outcome;
    });
  }

  async episode(id: string): Promise<Episode | undefined> {
    const [found] = await this.#episodes('WHERE id = ?', [id]);
    return found;
  }

  search(query: EpisodeQuery): Promise<readonly FoundEpisode[]> {
    return this.#file.use('searching', ({ database, frequencies }) =>
      searchEpisodes(database, frequencies, query),
    );
  }

  frequencies(terms: readonly string[]) {
    return this.#file.use('searching', async ({ frequencies }) => {
      const [{ episodes }, holding] = await Promise.all([frequencies.extent(), frequencies.of(terms)]);
      return { episodes, holding };
    });
  }

  factsNow(): Promise<readonly Fact[]> {
    return this.#facts('WHERE superseded_at IS NULL ORDER BY recorded_at, arrival');
  }

  factsFrom(episodeId: string): Promise<readonly Fact[]> {
    return this.#facts("WHERE body ->> '$.episodeId' = ? ORDER BY recorded_at, arrival", [episodeId]);
  }

  factsOf(subject: string, limit: number): Promise<readonly Fact[]> {
    return this.#facts('WHERE subject = ? ORDER BY recorded_at, arrival LIMIT ?', [subject, limit]);
  }

  pendingFacts(limit: number): Promise<readonly Fact[]> {
    return this.#facts(
      "WHERE superseded_at IS NULL AND status = 'pending' ORDER BY recorded_at, arrival LIMIT ?",
      [limit],
    );
  }

  candidates(beforeMs: number, limit: number): Promise<readonly Episode[]> {
    return this.#episodes('WHERE candidate_since < ? ORDER BY candidate_since, arrival LIMIT ?', [
      Math.ceil(beforeMs),
      limit,
    ]);
  }

  episodesAfter(after: string | undefined, limit: number): Promise<readonly Episode[]> {
    return this.#file.use('reading', async ({ database }) => {
      const place =
        after === undefined ? undefined : (this.#places.get(after) ?? (await arrivalOf(database, after)));
      const found = await readEpisodes(database, 'WHERE arrival > ? ORDER BY arrival LIMIT ?', [
        place ?? 0,
        limit,
      ]);
      const last = found.at(-1);
      const reached = last === undefined ? undefined : await arrivalOf(database, last.id);
      if (last !== undefined && reached !== undefined) this.#rememberPlace(last.id, reached);
      return found;
    });
  }

  log(limit: number): Promise<readonly MemoryLogEntry[]> {
    return this.#file.use('reading', ({ database }) => readLog(database, Math.min(limit, KEPT_LOG)));
  }

  figures(): Promise<MemoryFigures> {
    return this.#file.use('reading', ({ database }) => readFigures(database, this.#file.bytes()));
  }

  tombstones(limit: number): Promise<readonly Tombstone[]> {
    return this.#file.use('reading', ({ database }) => readTombstones(database, limit));
  }

  changesAfter(seq: number, limit: number): Promise<MemoryChanges> {
    return this.#file.use('reading', ({ database }) => readChanges(database, seq, limit));
  }

  async erase(person: Erasure): Promise<ErasureCounts> {
    const counts = await this.#file.use('erasing in', async ({ database, frequencies }) => {
      const tombstone = { id: randomUUID(), atMs: this.#clocks.wall().getTime() };
      const erased = await database.write((writer) => erasePerson(writer, person, tombstone), 'session');
      frequencies.forgetAll();
      return erased;
    });
    const files = this.#removeDamaged();
    return { ...counts, files, cleared: await this.#file.clear() };
  }

  /** What could be read of them was saved when they were set aside; what could not may be of the person who is erased. */
  #removeDamaged(): number {
    const { file } = this.#file;
    const aside = readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.damaged-`));
    for (const name of aside) rmSync(join(dirname(file), name), { recursive: true, force: true });
    return aside.filter((name) => !/-(?:wal|shm)$/u.test(name)).length;
  }

  #episodes(where: string, parameters: readonly (string | number)[]): Promise<Episode[]> {
    return this.#file.use('reading', ({ database }) => readEpisodes(database, where, parameters));
  }

  #facts(where: string, parameters: readonly (string | number)[] = []): Promise<Fact[]> {
    return this.#file.use('reading', ({ database }) => readFacts(database, where, parameters));
  }

  #rememberPlace(id: string, arrival: number): void {
    this.#places.delete(id);
    this.#places.set(id, arrival);
    const [oldest] = this.#places.keys();
    if (this.#places.size > KEPT_PLACES && oldest !== undefined) this.#places.delete(oldest);
  }
}
