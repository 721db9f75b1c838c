import sqlite3 from 'sqlite3';
import { z } from 'zod';
import type { IndexedEpisode, MemoryWrite } from '../../app/ports/memory-store.ts';
import type { Fact } from '../../domain/memory/fact.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { connect } from './database-file.ts';
import { bodySchema, episodeOf, factOf } from './memory-rows.ts';
import { StatementCache } from './statement-cache.ts';

/** What was saved from a damaged file. */
export interface Salvaged {
  readonly episodes: number;
  readonly facts: number;
  /** Whether time ran out before everything was looked at. */
  readonly isCutShort: boolean;
}

/** So many rows are read and written at once. */
const BATCH = 256;
/** So many reads may fail: each is a place of the file that cannot be read. */
const MOST_FAILURES = 2048;
const newestSchema = z.object({ newest: z.int().nullable() });
const placeSchema = z.looseObject({ arrival: z.int() });
const textSchema = bodySchema.extend({ terms: z.string(), around: z.string() });

/**
 * Reads what can still be read of a damaged `memory.db`, a batch of rows at a time, half a batch where that fails, and so on
 * down to the row, and hands it on to be written. Ends after `withinMs`.
 */
export async function salvage(
  aside: string,
  write: (found: MemoryWrite) => Promise<unknown>,
  clocks: Pick<Clocks, 'monotonicMs'>,
  withinMs: number,
): Promise<Salvaged> {
  let episodes = 0;
  let facts = 0;
  const handle = await connect(aside, sqlite3.OPEN_READONLY).catch(() => undefined);
  if (handle === undefined) return { episodes, facts, isCutShort: false };
  const reader = new DamagedFile(new StatementCache(handle), clocks, clocks.monotonicMs() + withinMs);
  try {
    await reader.prepare();
    // Facts first: they are few, and worth more each.
    for await (const rows of reader.rows('fact')) {
      const found = rows.flatMap((row): Fact[] => attempt(() => factOf(bodySchema.parse(row))));
      if (found.length > 0) await write({ facts: found, log: [] });
      facts += found.length;
    }
    for await (const rows of reader.rows('episode_text')) {
      const found = rows.flatMap((row): IndexedEpisode[] =>
        attempt(() => {
          const { body, terms, around } = textSchema.parse(row);
          return { episode: episodeOf({ body }), terms, around };
        }),
      );
      if (found.length > 0) await write({ episodes: found, log: [] });
      episodes += found.length;
    }
    return { episodes, facts, isCutShort: reader.isCutShort };
  } finally {
    await reader.close();
    await new Promise<void>((resolve) => handle.close(() => resolve()));
  }
}

/** What cannot be understood any more is not taken over. */
function attempt<T>(read: () => T): T[] {
  try {
    return [read()];
  } catch {
    return [];
  }
}

class DamagedFile {
  readonly #statements: StatementCache;
  readonly #clocks: Pick<Clocks, 'monotonicMs'>;
  readonly #untilMs: number;
  #failures = 0;

  constructor(statements: StatementCache, clocks: Pick<Clocks, 'monotonicMs'>, untilMs: number) {
    this.#statements = statements;
    this.#clocks = clocks;
    this.#untilMs = untilMs;
  }

  get isCutShort(): boolean {
    return this.#failures >= MOST_FAILURES || this.#clocks.monotonicMs() >= this.#untilMs;
  }

  /** Without this, SQLite reads nothing of a file that is shorter than it says (https://www.sqlite.org/recovery.html). */
  async prepare(): Promise<void> {
    await this.#statements.all('PRAGMA writable_schema = ON').catch(() => []);
  }

  /** Batches of the rows of a table that can be read, by arrival. */
  async *rows(table: 'fact' | 'episode_text'): AsyncGenerator<readonly unknown[]> {
    const newest = await this.#newest(table);
    const waiting: { readonly from: number; readonly to: number }[] = [];
    for (let from = 0; from <= newest && !this.isCutShort; from += BATCH) {
      waiting.push({ from, to: from + BATCH });
      for (let range = waiting.pop(); range !== undefined && !this.isCutShort; range = waiting.pop()) {
        const { from: low, to: high } = range;
        const rows = await this.#read(table, low, high);
        if (rows !== undefined) {
          if (rows.length > 0) yield rows;
        } else if (high - low > 1) {
          const middle = Math.floor((low + high) / 2);
          waiting.push({ from: middle, to: high }, { from: low, to: middle });
        }
      }
    }
  }

  async close(): Promise<void> {
    await this.#statements.close();
  }

  async #read(table: string, from: number, to: number): Promise<unknown[] | undefined> {
    try {
      return await this.#statements.all(
        `SELECT * FROM ${table} WHERE arrival >= ? AND arrival < ? ORDER BY arrival`,
        [from, to],
      );
    } catch {
      this.#failures += 1;
      return undefined;
    }
  }

  /** Where the last page of the table cannot be read, as far as its indexes, or what can be reached of it, tell. */
  async #newest(table: 'fact' | 'episode_text'): Promise<number> {
    const others =
      table === 'fact'
        ? ["SELECT max(arrival) AS newest FROM fact INDEXED BY fact_key WHERE subject >= ''"]
        : ['SELECT max(arrival) AS newest FROM episode', 'SELECT max(arrival) AS newest FROM entity'];
    for (const sql of [`SELECT max(arrival) AS newest FROM ${table}`, ...others]) {
      const [found] = await this.#statements.all(sql).catch(() => []);
      const newest = newestSchema.safeParse(found);
      if (newest.success) return newest.data.newest ?? 0;
    }
    return this.#reached(table);
  }

  async #reached(table: string): Promise<number> {
    let last = 0;
    for (let span = 1; span <= 2 ** 24; span *= 2) {
      const [found] = await this.#statements
        .all(`SELECT arrival FROM ${table} WHERE arrival >= ? ORDER BY arrival LIMIT 1`, [span])
        .catch(() => []);
      const place = placeSchema.safeParse(found);
      if (place.success) last = Math.max(last, place.data.arrival + BATCH);
    }
    return last * 2;
  }
}
