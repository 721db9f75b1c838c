import { z } from 'zod';
import type { TimeRange } from '../../app/ports/history-store.ts';
import { Bucket } from '../../domain/history/bucket.ts';
import { readBuckets } from '../../domain/history/bucket-codec.ts';
import { type Carry, foldOpenEnd, foldRun, PeriodSink } from '../../domain/history/fold.ts';
import { readRuns } from '../../domain/history/run-codec.ts';
import { MAX_RUN_SPAN_MS, type SampleRun } from '../../domain/history/sample-run.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { Database } from './database.ts';
import { MAX_HOLD_MS } from './history-limits.ts';
import { bucketOf, HOUR_COLUMNS, HOUR_MS, hourSchema, MINUTE_MS, unpackColumns } from './history-rows.ts';
import type { Series } from './history-series.ts';
import type { Parameter } from './statement-cache.ts';

/** Columns of the blob of a block before the good value that led into it. */
const RUN_COLUMNS = 5;
/** So many checkpoints may end while one question is read, before it is given up. */
const TRIES = 5;

const numbers = z.number().nullable();
const rowSchema = hourSchema
  .extend({ samples: numbers, changes: numbers, covered_ms: numbers, number_ms: numbers, integral: numbers })
  .extend({ true_ms: numbers, part: z.enum(['now', 'hour', 'minute', 'block', 'next']) })
  .extend({ timeline: z.int(), place: z.number(), edge: z.int(), data: z.instanceof(Buffer).nullable() });
type Row = z.output<typeof rowSchema>;

const NO_SUMS = HOUR_COLUMNS.split(', ')
  .map(() => 'NULL')
  .join(', ');

/** A run of a block, and the newest good value before it. */
export interface StoredRun {
  readonly run: SampleRun;
  readonly lead: Carry['lastGood'];
}

const leadSchema = z.union([z.number(), z.boolean(), z.string()]);

export function readBlock(data: Uint8Array): StoredRun {
  const columns = unpackColumns(data);
  const [run] = readRuns(columns.slice(0, RUN_COLUMNS));
  if (run === undefined) throw new RangeError('a block holds no run');
  const lead = Buffer.from(columns[RUN_COLUMNS] ?? []).toString();
  return { run, lead: lead === '' ? undefined : leadSchema.parse(JSON.parse(lead)) };
}

/** What memory held of a series at one moment, and the generation of the file that it goes with. */
interface Snapshot {
  readonly generation: number;
  readonly carries: ReadonlyMap<number, Carry>;
  readonly nextCarries: ReadonlyMap<number, Carry>;
  readonly sealing: readonly Part[];
  readonly head: readonly Part[];
}

/** Runs grow at their end only: their length then is the moment. */
interface Part {
  readonly run: SampleRun;
  readonly length: number;
}

function partOf(run: SampleRun): Part {
  return { run, length: run.length };
}

function snapshotOf(series: Series, generation: number): Snapshot {
  return {
    generation,
    carries: new Map(series.carries),
    nextCarries: series.nextCarries ?? new Map(series.carries),
    sealing: series.sealing.map(partOf),
    head: series.head.map(partOf),
  };
}

export interface PeriodQuestion {
  readonly series: Series;
  readonly range: TimeRange;
  readonly timelines: readonly number[];
  /** The generation of the file that memory goes with, at the moment it is called. */
  readonly generation: () => number;
  readonly nowMs: number;
  readonly currentBoot: number | undefined;
}

/** Everything known of a series over a period: one statement for the file, and what memory holds beyond it. */
export async function bucketOverPeriod(database: Database, question: PeriodQuestion): Promise<Bucket> {
  const { series, range, timelines } = question;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const snapshot = snapshotOf(series, question.generation());
    const { sql, parameters } = statementFor(series.id, timelines, range);
    const rows = await database.all(rowSchema, sql, parameters);
    const generation = rows.find(({ part }) => part === 'now')?.place;
    const isWritten = generation === snapshot.generation + 1;
    // More than one transaction ended in between: what memory held then fits nothing.
    if (generation !== snapshot.generation && !isWritten) continue;
    const carries = isWritten ? snapshot.nextCarries : snapshot.carries;
    const parts = isWritten ? snapshot.head : [...snapshot.sealing, ...snapshot.head];
    return answer(rows, carries, parts, question);
  }
  throw new EdgeError('STATE_DB_BUSY', `${database.file} changes faster than it can be read`, {
    retry: 'safe',
    hint: 'ask again',
  });
}

function answer(
  rows: readonly Row[],
  carries: ReadonlyMap<number, Carry>,
  parts: readonly Part[],
  { range, timelines, nowMs, currentBoot }: PeriodQuestion,
): Bucket {
  const { fromMs, toMs } = range;
  const total = new Bucket();
  for (const row of rows) {
    if (row.part === 'hour') total.merge(bucketOf(hourSchema.parse(row)));
    else if (row.part === 'minute' && row.data !== null) {
      const { stepMs, buckets } = readBuckets(unpackColumns(row.data));
      for (const [number, bucket] of buckets)
        if (number * stepMs >= fromMs && (number + 1) * stepMs <= toMs) total.merge(bucket);
    }
  }
  for (const timeline of timelines) {
    const carry = carries.get(timeline);
    for (const [edge, [edgeFromMs, edgeToMs]] of raggedEdges(range).entries()) {
      const own = rows.filter((row) => row.timeline === timeline && row.edge === edge);
      foldEdge(new PeriodSink(edgeFromMs, edgeToMs, total), own, carry, edgeToMs);
    }
    const sink = new PeriodSink(fromMs, toMs, total);
    let end = carry;
    for (const { run, length } of parts)
      if (run.key.timeline === timeline) end = foldRun(sink, end, run, 0, length);
    if (end?.boot === currentBoot) foldOpenEnd(sink, end, Math.max(nowMs, end?.atMs ?? nowMs));
  }
  // What was taken before the period holds from its start.
  total.lastAtMs = Math.max(total.lastAtMs, fromMs);
  return total;
}

/** The samples of the blocks around a minute of which only a part was asked for. */
function foldEdge(sink: PeriodSink, rows: readonly Row[], carry: Carry | undefined, edgeToMs: number): void {
  let end: Carry | undefined;
  const blocks = rows.filter(({ part }) => part === 'block').sort((a, b) => a.place - b.place);
  for (const { data } of blocks) {
    if (data === null) continue;
    const { run, lead } = readBlock(data);
    end = foldRun(sink, end ?? leadingIn(lead), run);
  }
  // The end of the last block is where memory goes on; the end of an earlier one holds until the block after it.
  if (end === undefined || (end.seq === carry?.seq && end.boot === carry.boot)) return;
  const next = rows.find(({ part }) => part === 'next');
  if (next?.samples === end.boot) foldOpenEnd(sink, end, Math.min(edgeToMs, next.place));
}

function leadingIn(lastGood: Carry['lastGood']): Carry {
  return { atMs: 0, seq: 0, boot: -1, holdMs: 0, value: undefined, lastGood };
}

/** The parts of minutes at the ends of a range. */
function raggedEdges({ fromMs, toMs }: TimeRange): (readonly [number, number])[] {
  const firstWholeMs = Math.ceil(fromMs / MINUTE_MS) * MINUTE_MS;
  const lastWholeMs = Math.floor(toMs / MINUTE_MS) * MINUTE_MS;
  if (firstWholeMs > lastWholeMs) return [[fromMs, toMs]];
  const edges: (readonly [number, number])[] = [];
  if (fromMs < firstWholeMs) edges.push([fromMs, firstWholeMs]);
  if (lastWholeMs < toMs) edges.push([lastWholeMs, toMs]);
  return edges;
}

/** Whole hours from their sums, the rest from minutes, and parts of minutes from blocks; the indexes lead to each. */
function statementFor(
  series: number,
  timelines: readonly number[],
  range: TimeRange,
): { readonly sql: string; readonly parameters: Parameter[] } {
  const { fromMs, toMs } = range;
  const firstHour = Math.ceil(fromMs / HOUR_MS);
  const endHour = Math.floor(toMs / HOUR_MS);
  const partHours = [
    ...(fromMs % HOUR_MS === 0 ? [] : [Math.floor(fromMs / HOUR_MS)]),
    ...(toMs % HOUR_MS === 0 ? [] : [endHour]),
  ];
  const own = timelines.join(',');
  const where = `series = ${series} AND timeline IN (${own})`;
  const parts = [
    `SELECT 'now' AS part, 0 AS timeline, value AS place, -1 AS edge, ${NO_SUMS_NAMED}, NULL AS data FROM meta WHERE key = 'generation'`,
  ];
  const parameters: Parameter[] = [];
  if (firstHour < endHour) {
    parts.push(
      `SELECT 'hour', timeline, hour, -1, ${HOUR_COLUMNS}, NULL FROM hour WHERE ${where} AND hour >= ? AND hour < ?`,
    );
    parameters.push(firstHour, endHour);
  }
  if (partHours.length > 0) {
    parts.push(
      `SELECT 'minute', timeline, hour, -1, ${NO_SUMS}, data FROM minute WHERE ${where} AND hour IN (${partHours.map(() => '?').join(',')})`,
    );
    parameters.push(...partHours);
  }
  for (const [edge, [edgeFromMs, edgeToMs]] of raggedEdges(range).entries()) {
    parts.push(
      `SELECT 'block', timeline, id, ${edge}, ${NO_SUMS}, data FROM block WHERE ${where} AND start_ms >= ? AND start_ms < ? AND reach_ms >= ?`,
    );
    parameters.push(edgeFromMs - MAX_RUN_SPAN_MS - MAX_HOLD_MS, edgeToMs, edgeFromMs);
    for (const timeline of timelines) {
      parts.push(
        `SELECT * FROM (SELECT 'next', timeline, start_ms, ${edge}, boot, ${NO_SUMS.replace('NULL, ', '')}, NULL FROM block WHERE series = ${series} AND timeline = ${timeline} AND start_ms >= ? ORDER BY start_ms LIMIT 1)`,
      );
      parameters.push(edgeToMs);
    }
  }
  return { sql: parts.join(' UNION ALL '), parameters };
}

const NO_SUMS_NAMED = HOUR_COLUMNS.split(', ')
  .map((column) => `NULL AS ${column}`)
  .join(', ');
