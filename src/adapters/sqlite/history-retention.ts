import { setImmediate as breathe } from 'node:timers/promises';
import { z } from 'zod';
import { Bucket } from '../../domain/history/bucket.ts';
import { readBuckets, writeBuckets } from '../../domain/history/bucket-codec.ts';
import type { Database, Writer } from './database.ts';
import type { HistoryLimits } from './history-limits.ts';
import { HOUR_MS, MINUTE_MS, packColumns, unpackColumns } from './history-rows.ts';

const DAY_MS = 86_400_000;
const THINNED_STEP_MS = 15 * MINUTE_MS;
/** So much is dropped in one transaction: a few milliseconds of the writer. */
const BLOCKS_A_STEP = 200;
const HOURS_A_STEP = 200;
const THINNED_A_STEP = 50;
/** Pages given back to the disk in one transaction. */
const PAGES_A_STEP = 500;
/** So many small transactions follow one checkpoint at most: the rest waits for the next. */
const MAX_STEPS = 50;
/** All sums are looked through within about a day of hourly checkpoints. */
const SUMS_SHARE = 24;
/** Below the ceiling by this share, so that a checkpoint still fits under it. */
const ROOM = 0.95;

const droppedSchema = z.object({ samples: z.int() });
const minuteSchema = z.object({ id: z.int(), data: z.instanceof(Buffer) });
const oldestSchema = z.object({ hour: z.int().nullable() });
const sizeSchema = z.object({ pages: z.int(), free: z.int(), page_size: z.int() });

export interface FileSize {
  /** Of the file on the disk. */
  readonly bytes: number;
  /** Of what is in use in it. */
  readonly usedBytes: number;
}

interface Dropped {
  readonly samples: number;
  readonly hours: number;
  /** Why: `age`, or the file was at its `size`. */
  readonly because: 'age' | 'size';
}

export async function sizeOf(database: Database): Promise<FileSize> {
  const [row] = await database.all(
    sizeSchema,
    `SELECT page_count AS pages, freelist_count AS free, page_size
     FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
  );
  const { pages, free, page_size: pageSize } = row ?? { pages: 0, free: 0, page_size: 0 };
  return { bytes: pages * pageSize, usedBytes: (pages - free) * pageSize };
}

/** What age and size take from the file, in steps of one small transaction each. */
export class HistoryRetention {
  readonly #limits: HistoryLimits;
  /** Sums are looked through one series after the other, over and over. */
  #turn = 0;
  readonly #figures = { aged_samples: 0, aged_hours: 0, shed_samples: 0, shed_hours: 0 };

  constructor(limits: HistoryLimits) {
    this.#limits = limits;
  }

  /** What was dropped since the program began. */
  get figures(): Readonly<Record<string, number>> {
    return { ...this.#figures };
  }

  /**
   * Drops what is too old, and the oldest when the file is too large: that is returned, for the log. `nowMs` is undefined
   * while the clock is not set; `opS` are the seconds of operation so far.
   */
  async keepWithin(
    database: Database,
    seriesIds: readonly number[],
    nowMs: number | undefined,
    opS: number,
  ): Promise<{ readonly samples: number; readonly hours: number }> {
    const figures = this.#figures;
    const shed = { samples: 0, hours: 0 };
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const dropped = await this.#step(database, seriesIds, nowMs, opS);
      if (dropped === undefined) break;
      if (dropped.because === 'age') figures.aged_samples += dropped.samples;
      else {
        shed.samples += dropped.samples;
        shed.hours += dropped.hours;
      }
      await breathe();
    }
    figures.shed_samples += shed.samples;
    figures.shed_hours += shed.hours;
    if (nowMs !== undefined) {
      for (let i = 0; i < seriesIds.length / SUMS_SHARE; i += 1) {
        const series = seriesIds[this.#turn++ % seriesIds.length] ?? 0;
        figures.aged_hours += await database.write((writer) => this.#ageSums(writer, series, nowMs), 'audit');
      }
      for (let step = 0; step < MAX_STEPS; step += 1) if ((await this.#thin(database, nowMs)) === 0) break;
    }
    return shed;
  }

  /** One small transaction; undefined when nothing is left to drop for now. */
  async #step(
    database: Database,
    seriesIds: readonly number[],
    nowMs: number | undefined,
    opS: number,
  ): Promise<Dropped | undefined> {
    const old = await database.write((writer) => this.#dropOldBlocks(writer, nowMs, opS), 'audit');
    if (old > 0) return { samples: old, hours: 0, because: 'age' };
    return this.#shrink(database, seriesIds);
  }

  async #dropOldBlocks(writer: Writer, nowMs: number | undefined, opS: number): Promise<number> {
    const keptS = this.#limits.rawDays * (DAY_MS / 1000);
    const dated =
      nowMs === undefined
        ? []
        : await writer.all(
            droppedSchema,
            `DELETE FROM block WHERE id IN (SELECT id FROM block WHERE timeline = 0 AND end_ms < ? LIMIT ${BLOCKS_A_STEP})
             RETURNING samples`,
            [nowMs - keptS * 1000],
          );
    // Nobody knows when these were, but not how long the machine has run since: they are at least that old.
    const undated = await writer.all(
      droppedSchema,
      `DELETE FROM block WHERE id IN (SELECT id FROM block WHERE timeline <> 0 AND op_s < ? LIMIT ${BLOCKS_A_STEP})
       RETURNING samples`,
      [opS - keptS],
    );
    return samplesIn(dated) + samplesIn(undated);
  }

  async #ageSums(writer: Writer, series: number, nowMs: number): Promise<number> {
    const oldestHour = Math.floor((nowMs - this.#limits.aggregateDays * DAY_MS) / HOUR_MS);
    const dropped = await writer.run('DELETE FROM hour WHERE series = ? AND timeline = 0 AND hour < ?', [
      series,
      oldestHour,
    ]);
    await writer.run('DELETE FROM minute WHERE series = ? AND timeline = 0 AND hour < ?', [
      series,
      oldestHour,
    ]);
    return dropped;
  }

  /** The number of rows thinned. */
  async #thin(database: Database, nowMs: number): Promise<number> {
    const keptMs = Math.max(this.#limits.minuteDays, this.#limits.rawDays) * DAY_MS;
    return database.write(async (writer) => {
      const fine = await writer.all(
        minuteSchema,
        `SELECT id, data FROM minute WHERE timeline = 0 AND step_ms = ${MINUTE_MS} AND hour < ? LIMIT ${THINNED_A_STEP}`,
        [Math.floor((nowMs - keptMs) / HOUR_MS)],
      );
      for (const { id, data } of fine)
        await writer.run('UPDATE minute SET step_ms = ?, data = ? WHERE id = ?', [
          THINNED_STEP_MS,
          thinned(data),
          id,
        ]);
      return fine.length;
    }, 'audit');
  }

  async #shrink(database: Database, seriesIds: readonly number[]): Promise<Dropped | undefined> {
    const { bytes, usedBytes } = await sizeOf(database);
    const limit = this.#limits.maxBytes * ROOM;
    if (usedBytes > limit) {
      const samples = await database.write(dropOldestBlocks, 'audit');
      if (samples > 0) return { samples, hours: 0, because: 'size' };
      const hours = await database.write((writer) => dropOldestHours(writer, seriesIds), 'audit');
      return hours > 0 ? { samples: 0, hours, because: 'size' } : undefined;
    }
    if (bytes <= limit) return undefined;
    await database.write(
      (writer) => writer.all(z.unknown(), `PRAGMA incremental_vacuum(${PAGES_A_STEP})`),
      'audit',
    );
    const after = await sizeOf(database);
    return after.bytes < bytes ? { samples: 0, hours: 0, because: 'size' } : undefined;
  }
}

async function dropOldestBlocks(writer: Writer): Promise<number> {
  for (const oldest of ['timeline = 0 ORDER BY end_ms', 'timeline <> 0 ORDER BY op_s']) {
    const rows = await writer.all(
      droppedSchema,
      `DELETE FROM block WHERE id IN (SELECT id FROM block WHERE ${oldest} LIMIT ${BLOCKS_A_STEP}) RETURNING samples`,
    );
    if (rows.length > 0) return samplesIn(rows);
  }
  return 0;
}

async function dropOldestHours(writer: Writer, seriesIds: readonly number[]): Promise<number> {
  let oldest: number | undefined;
  for (const series of seriesIds) {
    const [row] = await writer.all(
      oldestSchema,
      'SELECT min(hour) AS hour FROM hour WHERE series = ? AND timeline = 0',
      [series],
    );
    if (row?.hour != null && row.hour < (oldest ?? Number.POSITIVE_INFINITY)) oldest = row.hour;
  }
  if (oldest === undefined) return 0;
  const until = oldest + Math.max(1, Math.floor(HOURS_A_STEP / seriesIds.length));
  let dropped = 0;
  for (const series of seriesIds) {
    dropped += await writer.run('DELETE FROM hour WHERE series = ? AND timeline = 0 AND hour < ?', [
      series,
      until,
    ]);
    await writer.run('DELETE FROM minute WHERE series = ? AND timeline = 0 AND hour < ?', [series, until]);
  }
  return dropped;
}

function samplesIn(rows: readonly { readonly samples: number }[]): number {
  return rows.reduce((sum, { samples }) => sum + samples, 0);
}

function thinned(data: Buffer): Buffer {
  const { stepMs, buckets } = readBuckets(unpackColumns(data));
  const coarse = new Map<number, Bucket>();
  for (const [number, bucket] of [...buckets].sort(([a], [b]) => a - b)) {
    const place = Math.floor((number * stepMs) / THINNED_STEP_MS);
    coarse.set(place, Bucket.sum([coarse.get(place) ?? new Bucket(), bucket]));
  }
  return packColumns(writeBuckets({ stepMs: THINNED_STEP_MS, buckets: coarse }), 'together');
}
