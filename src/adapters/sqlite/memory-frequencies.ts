import { z } from 'zod';
import type { IndexedEpisode } from '../../app/ports/memory-store.ts';
import type { Database } from './database.ts';

const holdingSchema = z.object({ term: z.string(), doc: z.int() });
const extentSchema = z.object({ episodes: z.int(), usualLength: z.number(), latestMs: z.int().nullable() });

/** So many terms' counts are kept, those asked for last. */
const KEPT = 8192;

/** How much is there. */
export interface Extent {
  readonly episodes: number;
  /** Terms of an episode and around it, of the newest ones. */
  readonly usualLength: number;
  /** When the last of them happened. */
  readonly latestMs: number | null;
}

const EXTENT = `SELECT (SELECT count(*) FROM episode) AS episodes, (SELECT max(at) FROM episode) AS latestMs,
    coalesce(avg(2 + length(text) - length(replace(text, ' ', ''))), 1.0) AS usualLength
  FROM (SELECT terms || around AS text FROM episode_text ORDER BY arrival DESC LIMIT 200)`;

/**
 * How many episodes hold a term. SQLite counts one by walking all of them, which takes milliseconds for a common word, so a
 * count is made once and then follows what is written.
 */
export class MemoryFrequencies {
  readonly #database: Database;
  /** The one asked for last stands last. */
  readonly #counts = new Map<string, number>();
  #extent: Extent | undefined;
  /** A count that was made while something was written is not kept. */
  #writes = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  async extent(): Promise<Extent> {
    if (this.#extent !== undefined) return this.#extent;
    const writes = this.#writes;
    const [extent = { episodes: 0, usualLength: 1, latestMs: null }] = await this.#database.all(
      extentSchema,
      EXTENT,
    );
    if (writes === this.#writes) this.#extent = extent;
    return extent;
  }

  /** Of each term that any episode holds. */
  async of(terms: readonly string[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    const unknown: string[] = [];
    for (const term of terms) {
      const known = this.#counts.get(term);
      if (known === undefined) unknown.push(term);
      else this.#keep(term, known);
      if (known !== undefined && known > 0) counts.set(term, known);
    }
    if (unknown.length === 0) return counts;
    const writes = this.#writes;
    const rows = await this.#database.all(
      holdingSchema,
      "SELECT term, doc FROM episode_term WHERE term IN (SELECT value FROM json_each(?)) AND col = 'terms'",
      [JSON.stringify(unknown)],
    );
    for (const { term, doc } of rows) counts.set(term, doc);
    if (writes === this.#writes) for (const term of unknown) this.#keep(term, counts.get(term) ?? 0);
    return counts;
  }

  /** New episodes were written. */
  added(written: readonly IndexedEpisode[]): void {
    this.#writes += 1;
    const extent = this.#extent;
    if (extent !== undefined && written.length > 0)
      this.#extent = {
        ...extent,
        episodes: extent.episodes + written.length,
        latestMs: Math.max(extent.latestMs ?? 0, ...written.map(({ episode }) => episode.atMs)),
      };
    for (const { terms: text } of written) {
      for (const term of new Set(splitTerms(text))) {
        const count = this.#counts.get(term);
        if (count !== undefined) this.#counts.set(term, count + 1);
      }
    }
  }

  /** Something was removed, or it is not known what was written. */
  forgetAll(): void {
    this.#writes += 1;
    this.#extent = undefined;
    this.#counts.clear();
  }

  #keep(term: string, count: number): void {
    this.#counts.delete(term);
    this.#counts.set(term, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > KEPT && oldest !== undefined) this.#counts.delete(oldest);
  }
}

/** The terms of a text of them, as the full text knows them. */
export function splitTerms(text: string): string[] {
  return text
    .toLowerCase()
    .split(' ')
    .filter((term) => term !== '');
}
