/**
 * How long it takes to find a session, by id and by station, while 300 are live, each with a ledger and a conversation; what
 * one takes in memory; and, in the same run, a Map that holds each as JSON. Ends with one JSON line.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SessionTable } from '../../src/app/engine/session-table.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { actionRecord, messageRecord, sessionRecord } from '../support/session-records.ts';
import { percentile, report } from './report.ts';

const SESSIONS = 300;
const LOOKUPS = 100_000;
const BUDGET_P95_MS = 0.02;

function sessionOf(index: number) {
  const id = randomUUID();
  return {
    id,
    station: `line-${index}`,
    record: sessionRecord(id, { station: `line-${index}` }),
    actions: Array.from({ length: 10 }, (_, step) => actionRecord(`${id}.${step}`, id, { step })),
    messages: Array.from({ length: 20 }, (_, seq) =>
      messageRecord(seq, `what is the temperature of oven ${seq}`),
    ),
  };
}
type Session = ReturnType<typeof sessionOf>;

/** Milliseconds that each look-up took. */
function measure(
  sessions: readonly Session[],
  find: (session: Session, byStation: boolean) => unknown,
): number[] {
  const tookMs: number[] = [];
  for (let lookup = 0; lookup < LOOKUPS; lookup += 1) {
    const session = sessions[(lookup * 7919) % SESSIONS];
    if (session === undefined) throw new Error('no session to look for');
    const startedMs = performance.now();
    const found = find(session, lookup % 2 === 0);
    tookMs.push(performance.now() - startedMs);
    if (found === undefined) throw new Error(`${session.id} was not found`);
  }
  return tookMs;
}

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

function heapBytes(): number {
  if (typeof collectGarbage !== 'function') throw new Error('the collector cannot be called');
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const table = new SessionTable<Session>(
  { most: 512 },
  { clocks: systemClocks(), scheduler: systemScheduler, onLeft: () => undefined },
);
await sleep(100);
const before = heapBytes();
for (let index = 0; index < SESSIONS; index += 1) table.add(sessionOf(index));
const bytes = heapBytes() - before;
const sessions = table.all();

const find = ({ id, station }: Session, byStation: boolean): unknown =>
  byStation ? table.ofStation(station) : table.byId(id, station);
measure(sessions, find);
const tookMs = measure(sessions, find);
const texts = new Map(
  sessions.flatMap((session) => {
    const text = JSON.stringify(session);
    return [
      [session.id, text],
      [session.station, text],
    ];
  }),
);
const peerMs = measure(sessions, ({ id, station }, byStation) =>
  JSON.parse(texts.get(byStation ? station : id) ?? 'null'),
);
table.close();

report(
  'sessions',
  {
    lookup_p50_ms: percentile(tookMs, 0.5),
    lookup_p95_ms: percentile(tookMs, 0.95),
    lookup_p99_ms: percentile(tookMs, 0.99),
    peer_lookup_p95_ms: percentile(peerMs, 0.95),
    session_kb: bytes / SESSIONS / 1000,
    all_mb: bytes / 1e6,
    sessions: SESSIONS,
  },
  { lookup_p95_ms: BUDGET_P95_MS },
);
