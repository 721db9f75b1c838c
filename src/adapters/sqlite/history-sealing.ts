import { z } from 'zod';
import { Bucket } from '../../domain/history/bucket.ts';
import { readBuckets, writeBuckets } from '../../domain/history/bucket-codec.ts';
import { BucketSink, type Carry, foldRun } from '../../domain/history/fold.ts';
import { RunWriter } from '../../domain/history/run-codec.ts';
import type { SampleRun } from '../../domain/history/sample-run.ts';
import type { PointValue } from '../../domain/plc/reading.ts';
import type { Database, Writer } from './database.ts';
import {
  HOUR_COLUMNS,
  HOUR_MS,
  HOUR_UPSERT,
  hourRow,
  insertMany,
  MINUTE_MS,
  packColumns,
  unpackColumns,
} from './history-rows.ts';
import { carryBody, type RecentHour, type Series } from './history-series.ts';
import type { Parameter } from './statement-cache.ts';

const MINUTES_AN_HOUR = HOUR_MS / MINUTE_MS;
const runWriter = new RunWriter();
const minuteRowSchema = z.object({ hour: z.int(), data: z.instanceof(Buffer) });

/** Everything that turns the runs of one series into blocks and adds them to its hours and minutes. */
export interface Sealed {
  readonly series: Series;
  readonly blocks: readonly (readonly Parameter[])[];
  readonly hours: readonly (readonly Parameter[])[];
  readonly minutes: readonly (readonly Parameter[])[];
  readonly carryRows: readonly (readonly Parameter[])[];
  readonly carries: ReadonlyMap<number, Carry>;
  readonly recentHour: RecentHour | undefined;
}

/** A run as a block: the runs' columns, and the good value before it for counting changes. */
export function packBlock(run: SampleRun, lastGood: PointValue | undefined): Buffer {
  runWriter.clear();
  runWriter.add(run);
  const lead = lastGood === undefined ? '' : JSON.stringify(lastGood);
  return packColumns([...runWriter.columns(), Buffer.from(lead)], 'apart');
}

/** Works out what is to be written; reads the minutes that are to be added to where they are not at hand. */
export async function seal(
  database: Database,
  series: Series,
  runs: readonly SampleRun[],
  opS: number,
): Promise<Sealed> {
  const carries = new Map(series.carries);
  const lastRuns = new Map<number, SampleRun>();
  const sinks = new Map<number, BucketSink>();
  const blocks: Parameter[][] = [];
  for (const run of runs) {
    if (run.length === 0) continue;
    const { timeline, boot, holdMs } = run.key;
    const before = carries.get(timeline);
    let sink = sinks.get(timeline);
    if (sink === undefined) {
      sink = new BucketSink(MINUTE_MS);
      sinks.set(timeline, sink);
    }
    const carry = foldRun(sink, before, run);
    if (carry === undefined) continue;
    carries.set(timeline, carry);
    lastRuns.set(timeline, run);
    const endMs = run.timesMs.at(-1) ?? 0;
    const data = packBlock(run, before?.lastGood);
    const startMs = run.timesMs[0] ?? 0;
    blocks.push([series.id, timeline, startMs, endMs, endMs + holdMs, boot, run.length, opS, data]);
  }
  const hours: Parameter[][] = [];
  const minutes: Parameter[][] = [];
  let recentHour = series.recentHour;
  for (const [timeline, sink] of sinks) {
    for (const [hour, added] of byHour(sink.buckets)) {
      const known = await minutesOf(database, series, timeline, hour);
      const merged = new Map(known.buckets);
      const minutesPerStep = known.stepMs / MINUTE_MS;
      for (const [number, bucket] of added) {
        const place = Math.floor(number / minutesPerStep);
        const sum = Bucket.sum([merged.get(place) ?? new Bucket(), bucket]);
        merged.set(place, sum);
      }
      const data = packColumns(writeBuckets({ stepMs: known.stepMs, buckets: merged }), 'together');
      minutes.push([series.id, timeline, hour, known.stepMs, data]);
      const total = Bucket.sum([...merged].sort(([a], [b]) => a - b).map(([, bucket]) => bucket));
      hours.push([series.id, timeline, hour, ...hourRow(total)]);
      if (known.stepMs === MINUTE_MS) recentHour = { timeline, hour, minutes: merged };
    }
  }
  const carryRows = [...lastRuns].flatMap(([timeline, run]) => {
    const carry = carries.get(timeline);
    return carry === undefined ? [] : [[series.id, timeline, carryBody(carry, run)]];
  });
  return { series, blocks, hours, minutes, carryRows, carries, recentHour };
}

export async function writeSealed(writer: Writer, sealed: readonly Sealed[]): Promise<void> {
  await insertMany(
    writer,
    'INSERT INTO block (series, timeline, start_ms, end_ms, reach_ms, boot, samples, op_s, data)',
    sealed.flatMap(({ blocks }) => blocks),
  );
  await writeSums(writer, sealed);
}

/** Hours, minutes and the ends of the blocks, without the blocks. */
export async function writeSums(writer: Writer, sealed: readonly Sealed[]): Promise<void> {
  await insertMany(
    writer,
    `INSERT INTO hour (series, timeline, hour, ${HOUR_COLUMNS})`,
    sealed.flatMap(({ hours }) => hours),
    HOUR_UPSERT,
  );
  await insertMany(
    writer,
    'INSERT INTO minute (series, timeline, hour, step_ms, data)',
    sealed.flatMap(({ minutes }) => minutes),
    'ON CONFLICT (series, timeline, hour) DO UPDATE SET step_ms = excluded.step_ms, data = excluded.data',
  );
  await insertMany(
    writer,
    'INSERT INTO carry (series, timeline, body)',
    sealed.flatMap(({ carryRows }) => carryRows),
    'ON CONFLICT (series, timeline) DO UPDATE SET body = excluded.body',
  );
}

function byHour(minutes: ReadonlyMap<number, Bucket>): Map<number, [number, Bucket][]> {
  const hours = new Map<number, [number, Bucket][]>();
  for (const entry of minutes) {
    const hour = Math.floor(entry[0] / MINUTES_AN_HOUR);
    const found = hours.get(hour);
    if (found === undefined) hours.set(hour, [entry]);
    else found.push(entry);
  }
  return hours;
}

async function minutesOf(
  database: Database,
  series: Series,
  timeline: number,
  hour: number,
): Promise<{ readonly stepMs: number; readonly buckets: ReadonlyMap<number, Bucket> }> {
  const { recentHour } = series;
  if (recentHour?.timeline === timeline && recentHour.hour === hour)
    return { stepMs: MINUTE_MS, buckets: recentHour.minutes };
  const [row] = await database.all(
    minuteRowSchema,
    'SELECT hour, data FROM minute WHERE series = ? AND timeline = ? AND hour = ?',
    [series.id, timeline, hour],
  );
  return row === undefined ? { stepMs: MINUTE_MS, buckets: new Map() } : readBuckets(unpackColumns(row.data));
}
