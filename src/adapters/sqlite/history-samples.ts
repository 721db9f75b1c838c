import { z } from 'zod';
import type { TimeRange } from '../../app/ports/history-store.ts';
import type { Sample } from '../../domain/history/sample.ts';
import { MAX_RUN_SPAN_MS, type SampleRun } from '../../domain/history/sample-run.ts';
import type { Database } from './database.ts';
import { sampleAt } from './history-head.ts';
import { readBlock } from './history-query.ts';
import type { Series } from './history-series.ts';

export interface SamplesQuestion {
  readonly series: Series;
  readonly timeline: number;
  readonly range: TimeRange;
  readonly limit: number;
  readonly bootIds: ReadonlyMap<number, string>;
}

/** The samples of a range, oldest first, from blocks and from memory. */
export async function samplesOf(
  database: Database,
  { series, timeline, range, limit, bootIds }: SamplesQuestion,
): Promise<Sample[]> {
  const memory = [...series.sealing, ...series.head].filter(({ key }) => key.timeline === timeline);
  const found: Sample[] = [];
  const take = (run: SampleRun, isWanted: (sample: Sample) => boolean): void => {
    for (let i = 0; i < run.length; i += 1) {
      const atMs = run.timesMs[i] ?? 0;
      if (atMs < range.fromMs || atMs >= range.toMs) continue;
      const sample = sampleAt(series.ref, run, i, bootIds.get(run.key.boot) ?? '');
      if (isWanted(sample)) found.push(sample);
    }
  };
  let newestMs = Number.NEGATIVE_INFINITY;
  await eachStoredRun(database, series, timeline, range, (run) => {
    // Runs come in the order of their start: what begins after enough others have ended is not among the first.
    if (found.length >= limit && (run.timesMs[0] ?? 0) > newestMs) return false;
    take(run, () => true);
    newestMs = Math.max(newestMs, run.timesMs.at(-1) ?? newestMs);
    return true;
  });
  // A checkpoint that ended while the blocks were read has put into them what memory held.
  const stored = new Set(found.map(({ bootId, seq }) => `${seq} ${bootId}`));
  for (const run of memory) take(run, ({ bootId, seq }) => !stored.has(`${seq} ${bootId}`));
  return found.sort((a, b) => a.atMs - b.atMs || a.seq - b.seq).slice(0, Math.max(0, limit));
}

const blockRowSchema = z.object({ start_ms: z.number(), id: z.int(), data: z.instanceof(Buffer) });
/** So many blocks are read at a time: a quarter of an hour each at one sample a second. */
const BLOCKS_AT_A_TIME = 16;

/**
 * The samples in blocks of a timeline that begin within the range or shortly before, as runs in the order of their start;
 * `take` says whether it wants more.
 */
async function eachStoredRun(
  database: Database,
  series: Series,
  timeline: number,
  { fromMs, toMs }: TimeRange,
  take: (run: SampleRun) => boolean,
): Promise<void> {
  let afterMs = fromMs - MAX_RUN_SPAN_MS;
  let afterId = -1;
  for (;;) {
    const rows = await database.all(
      blockRowSchema,
      `SELECT start_ms, id, data FROM block WHERE series = ? AND timeline = ? AND (start_ms, id) > (?, ?)
       AND start_ms < ? AND end_ms >= ? ORDER BY start_ms, id LIMIT ${BLOCKS_AT_A_TIME}`,
      [series.id, timeline, afterMs, afterId, toMs, fromMs],
    );
    for (const row of rows) if (!take(readBlock(row.data).run)) return;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BLOCKS_AT_A_TIME) return;
    afterMs = last.start_ms;
    afterId = last.id;
  }
}
