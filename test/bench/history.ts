/**
 * Seven days of 200 points at one sample a second, after 23 days at one a minute (whose sums are as many and as long),
 * through the real store with a virtual clock: eight minutes; then "the maximum of yesterday" of every point, cold and warm, and the store's part in the event loop at the
 * normal pace. The answers are compared with what the generated values add up to. The peer is a plain SQLite table with a
 * row a sample, written and asked in the same run.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Database } from '../../src/adapters/sqlite/database.ts';
import { insertMany } from '../../src/adapters/sqlite/history-rows.ts';
import { SqliteHistoryStore } from '../../src/adapters/sqlite/sqlite-history-store.ts';
import type { Sample } from '../../src/domain/history/sample.ts';
import type { PointValue } from '../../src/domain/plc/reading.ts';
import { type Clocks, systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { percentile, report } from './report.ts';

const POINTS = 200;
const RAW_DAYS = 7;
const SPARSE_DAYS = 23;
const SPARSE_STEP_MS = 60_000;
const DAY_MS = 86_400_000;
const FLUSH_S = 10;
const START_MS = Date.UTC(2026, 2, 1);
const LIVE_S = 15;
const PEER_POINTS = 5;
const BUDGET = { maximum_yesterday_p95_ms: 10, bytes_per_point_day: 130_000, wrong_answers: 0 };

/** xorshift32: fast, and the same in every run. */
let state = 0x9e3779b9;
function random(): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 4_294_967_296;
}

/** A point of a line: what it measures moves like the thing it stands for, and is read with so many decimals. */
interface Signal {
  next(): PointValue;
}

function walk(centre: number, step: number, noise: number, decimals: number): Signal {
  const power = 10 ** decimals;
  let level = centre;
  return {
    next: () => {
      level += (random() - 0.5) * step + (centre - level) * 0.001;
      return Math.round((level + (random() + random() - 1) * noise) * power) / power;
    },
  };
}

function counter(chance: number): Signal {
  let count = 0;
  return { next: () => (random() < chance ? ++count : count) };
}

function toggle(chance: number): Signal {
  let on = false;
  return {
    next: () => {
      if (random() < chance) on = !on;
      return on;
    },
  };
}

function signalOf(point: number): Signal {
  switch (point % 10) {
    case 0:
    case 1:
    case 2:
      return walk(60 + point / 10, 0.1, 0.2, 1); // temperature
    case 3:
    case 4:
      return walk(4, 0.02, 0.03, 2); // pressure
    case 5:
      return walk(1480, 4, 3, 0); // speed
    case 6:
      return walk(12, 0.1, 0.15, 2); // current
    case 7:
      return counter(0.4);
    default:
      return toggle(point % 10 === 8 ? 0.02 : 0.002);
  }
}

interface Yesterday {
  readonly day: number;
  max: number;
  maxAtMs: number;
  integral: number;
  samples: number;
  /** The sample before, whose value holds until the next. */
  beforeMs: number;
  before: number;
}

const directory = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
const file = join(directory, 'history.db');
let nowMs = START_MS;
const system = systemClocks();
const clocks: Clocks = { ...system, wall: () => new Date(nowMs), monotonicMs: () => nowMs - START_MS };
const parts = {
  clocks,
  scheduler: systemScheduler,
  logger: silentLogger(),
  clockState: () => 'synced' as const,
};
const options = { file, flushIntervalMs: 2_000_000_000, checkpointSamples: Number.MAX_SAFE_INTEGER };
let store = new SqliteHistoryStore(options, parts);
await store.start();

const refs = Array.from({ length: POINTS }, (_, n) => ({ machine: `m${n % 20}`, point: `p${n}` }));
const signals = refs.map((_, n) => signalOf(n));
let seq = 0;
let appended = 0;
let appendMs = 0;

/** A round of readings, each a little off its second as in life. */
function round(
  atMs: number,
  holdMs: number,
  jitterMs: number,
  peek?: (n: number, at: number, value: PointValue) => void,
): void {
  const samples: Sample[] = [];
  for (let n = 0; n < POINTS; n += 1) {
    const ref = refs[n];
    const signal = signals[n];
    if (ref === undefined || signal === undefined) continue;
    // The points of a machine are read in one request.
    const at = atMs + ((n * 7) % 20) + Math.floor(random() * jitterMs);
    const value = signal.next();
    seq += 1;
    peek?.(n, at, value);
    samples.push({
      ref,
      value,
      quality: 'good',
      atMs: at,
      clock: 'synced',
      bootId: clocks.bootId,
      monotonicMs: at - START_MS,
      seq,
      holdMs,
    });
  }
  const startedMs = performance.now();
  store.append(samples);
  appendMs += performance.now() - startedMs;
  appended += samples.length;
}

let writeMs = 0;
async function timed(work: Promise<void>): Promise<void> {
  const startedMs = performance.now();
  await work;
  writeMs += performance.now() - startedMs;
}

// The weeks before, of which only the sums remain.
for (let atMs = START_MS; atMs < START_MS + SPARSE_DAYS * DAY_MS; atMs += SPARSE_STEP_MS) {
  nowMs = atMs;
  round(atMs, 90_000, 4);
  if (((atMs - START_MS) / SPARSE_STEP_MS) % 720 === 719) await store.checkpoint();
}
await store.checkpoint();
const rawStartMs = START_MS + SPARSE_DAYS * DAY_MS;
/** A yesterday begins at six: neither at midnight, nor where a block happens to begin. */
const DAY_STARTS_MS = 6 * 3_600_000;
const dayOf = (atMs: number): number => Math.floor((atMs - rawStartMs - DAY_STARTS_MS) / DAY_MS);
/** Of each point the day that runs and the one before. */
const running: Yesterday[] = refs.map(() => emptyDay(-1));
const ended: Yesterday[] = refs.map(() => emptyDay(-2));

function emptyDay(day: number): Yesterday {
  return {
    day,
    max: Number.NEGATIVE_INFINITY,
    maxAtMs: 0,
    integral: 0,
    samples: 0,
    beforeMs: Number.NaN,
    before: 0,
  };
}

/** The value before held from its time, or from the start of the day, until `toMs`. */
function hold(known: Yesterday, toMs: number): void {
  const fromMs = Math.max(known.beforeMs, rawStartMs + known.day * DAY_MS + DAY_STARTS_MS);
  if (!(toMs > fromMs)) return;
  known.integral += known.before * (toMs - fromMs);
  if (known.before > known.max) {
    known.max = known.before;
    known.maxAtMs = fromMs;
  }
}

function remember(n: number, at: number, value: PointValue): void {
  let known = running[n];
  if (known === undefined) return;
  const day = dayOf(at);
  if (day !== known.day) {
    hold(known, rawStartMs + day * DAY_MS + DAY_STARTS_MS);
    ended[n] = known;
    known = { ...emptyDay(day), beforeMs: known.beforeMs, before: known.before };
    running[n] = known;
  }
  hold(known, at);
  known.samples += 1;
  known.beforeMs = at;
  known.before = Number(value);
}

const sparseSamples = appended;
appendMs = 0;
const bytesBefore = statSync(file).size;
for (let day = 0; day < RAW_DAYS; day += 1) {
  for (let second = 1; second <= DAY_MS / 1000; second += 1) {
    const atMs = rawStartMs + day * DAY_MS + (second - 1) * 1000;
    nowMs = atMs + 100;
    round(atMs, 5000, 4, remember);
    if (second % 900 === 0) await timed(store.checkpoint());
    else if (second % FLUSH_S === 0) await timed(store.flush());
  }
  process.stderr.write(`day ${day + 1} of ${RAW_DAYS}: ${Math.round(performance.now() / 1000)} s\n`);
}
const rawEndMs = rawStartMs + RAW_DAYS * DAY_MS;
const yesterday = {
  fromMs: rawEndMs - 2 * DAY_MS + DAY_STARTS_MS,
  toMs: rawEndMs - DAY_MS + DAY_STARTS_MS,
};
nowMs = rawEndMs;
await timed(store.checkpoint());
const rawSamples = appended - sparseSamples;

// Cold: a new store, which has read nothing yet.
await store.stop();
const bytes = statSync(file).size;
store = new SqliteHistoryStore({ file, flushIntervalMs: 10_000 }, parts);
const openedMs = performance.now();
await store.start();
const startMs = performance.now() - openedMs;

let wrong = 0;
async function askAll(range: { fromMs: number; toMs: number }, check: boolean): Promise<number[]> {
  const took: number[] = [];
  for (const [n, ref] of refs.entries()) {
    const startedMs = performance.now();
    const answer = await store.aggregate(ref, range);
    took.push(performance.now() - startedMs);
    const known = ended[n];
    if (!check || known === undefined) continue;
    const isBool = n % 10 >= 8;
    const lengthMs = range.toMs - range.fromMs;
    const right =
      answer !== undefined &&
      answer.samples === known.samples &&
      answer.coveredS === lengthMs / 1000 &&
      (isBool
        ? answer.trueS === known.integral / 1000
        : answer.max?.value === known.max &&
          answer.max.atMs === known.maxAtMs &&
          Math.abs((answer.mean ?? Number.NaN) - known.integral / lengthMs) < 1e-9 * Math.abs(known.max));
    if (!right) {
      wrong += 1;
      process.stderr.write(`${ref.point}: ${JSON.stringify(answer)} is not ${JSON.stringify(known)}\n`);
    }
  }
  return took;
}
const coldMs = await askAll(yesterday, true);
const warmMs = await askAll(yesterday, true);
const raggedMs = await askAll({ fromMs: yesterday.fromMs + 123_456, toMs: yesterday.toMs - 654_321 }, false);
const monthMs = await askAll({ fromMs: START_MS, toMs: rawEndMs }, false);

// The normal pace, in real time, with a flush every two seconds and a checkpoint in the middle.
await store.stop();
store = new SqliteHistoryStore(
  { file, flushIntervalMs: 2000 },
  { ...parts, clocks: { ...clocks, monotonicMs: system.monotonicMs } },
);
await store.start();
const delay = monitorEventLoopDelay({ resolution: 1 });
for (let atMs = rawEndMs; atMs < rawEndMs + 900_000; atMs += 1000) {
  nowMs = atMs;
  round(atMs, 5000, 4);
  if (atMs % 100_000 === 0) await breathe();
}
await store.flush();
delay.enable();
for (let second = 0; second < LIVE_S; second += 1) {
  nowMs = rawEndMs + 900_000 + second * 1000;
  round(nowMs, 5000, 4);
  if (second === 7) await store.checkpoint();
  await sleep(1000);
}
delay.disable();
const figuresNow = store.health().figures;
await store.stop();
rmSync(directory, { recursive: true });

// The peer: a row a sample, one day of a few points, the newest of them asked the same question.
const peerDirectory = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
const peerFile = join(peerDirectory, 'peer.db');
const { database: peer } = await Database.open(
  peerFile,
  [
    'CREATE TABLE sample (point INTEGER, at INTEGER, value REAL, PRIMARY KEY (point, at)) STRICT, WITHOUT ROWID;',
  ],
  new Date(),
  { synchronous: 'NORMAL' },
);
const peerStartedMs = performance.now();
for (let n = 0; n < PEER_POINTS; n += 1) {
  const signal = signalOf(n);
  const rows = Array.from({ length: DAY_MS / 1000 }, (_, s) => [
    n,
    rawStartMs + s * 1000 + Math.floor(random() * 4),
    Number(signal.next()),
  ]);
  for (let at = 0; at < rows.length; at += 2000)
    await peer.write((writer) =>
      insertMany(writer, 'INSERT INTO sample (point, at, value)', rows.slice(at, at + 2000)),
    );
}
const peerWriteUs = ((performance.now() - peerStartedMs) * 1000) / (PEER_POINTS * 86_400);
const peerMs: number[] = [];
for (let n = 0; n < 20 * PEER_POINTS; n += 1) {
  const startedMs = performance.now();
  await peer.all(
    z.object({ max: z.number(), at: z.int() }),
    'SELECT max(value) AS max, at FROM sample WHERE point = ? AND at >= ? AND at < ?',
    [n % PEER_POINTS, rawStartMs, rawStartMs + DAY_MS],
  );
  peerMs.push(performance.now() - startedMs);
}
await peer.close();
const peerBytes = statSync(peerFile).size / (PEER_POINTS * 86_400);
rmSync(peerDirectory, { recursive: true });

const bytesPerSample = (bytes - bytesBefore) / rawSamples;
report(
  'history',
  {
    raw_days: RAW_DAYS,
    raw_samples: rawSamples,
    aggregate_days: RAW_DAYS + SPARSE_DAYS,
    sparse_days_step_s: SPARSE_STEP_MS / 1000,
    size_mb: bytes / 1e6,
    bytes_per_sample: bytesPerSample,
    bytes_per_point_day: (bytes - bytesBefore) / POINTS / RAW_DAYS,
    maximum_yesterday_p95_ms: Math.max(percentile(coldMs, 0.95), percentile(warmMs, 0.95)),
    cold_p50_ms: percentile(coldMs, 0.5),
    warm_p50_ms: percentile(warmMs, 0.5),
    ragged_p95_ms: percentile(raggedMs, 0.95),
    month_p95_ms: percentile(monthMs, 0.95),
    write_us_per_sample: ((appendMs + writeMs) * 1000) / rawSamples,
    append_us_per_sample: (appendMs * 1000) / rawSamples,
    event_loop_p99_ms: delay.percentile(99) / 1e6,
    event_loop_max_ms: delay.max / 1e6,
    start_ms: startMs,
    live_unflushed: figuresNow?.['unflushed'] ?? Number.NaN,
    wrong_answers: wrong,
    peer_bytes_per_sample: peerBytes,
    peer_maximum_day_p95_ms: percentile(peerMs, 0.95),
    peer_write_us_per_sample: peerWriteUs,
    size_over_peer: bytesPerSample / peerBytes,
    query_over_peer: percentile(warmMs, 0.95) / percentile(peerMs, 0.95),
  },
  BUDGET,
);
