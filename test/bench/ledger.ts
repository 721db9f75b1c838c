/**
 * How long a step of a session takes until it is on disk while 200 sessions write, each about five times a second: the
 * session, an action, a message, a line for the outbox and two audit entries. Beside it all 200 at the same moment, and, in
 * the same run, plain SQLite that gives each step a transaction of its own. Ends with one JSON line.
 */
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import sqlite3 from 'sqlite3';
import type { SessionChange } from '../../src/app/ports/session-store.ts';
import { actionRecord, messageRecord, sessionRecord } from '../support/session-records.ts';
import { openState, scratchDirectory } from '../support/state-site.ts';
import { percentile, report } from './report.ts';

const SESSIONS = 200;
const BETWEEN_STEPS_MS = 200;
const RUN_MS = 8000;
const PEER_RUN_MS = 4000;
const BUDGET_P95_MS = 5;

type Commit = (change: SessionChange) => Promise<void>;

function changeOf(id: string, version: number): SessionChange {
  return {
    session: sessionRecord(id, { version, summary: 'asked for the temperature of oven 1' }),
    actions: [
      actionRecord(
        `${id}-${Math.ceil(version / 2)}`,
        id,
        version % 2 === 1 ? { status: 'running' } : { status: 'done', result: { value: 181.5 } },
      ),
    ],
    messages: [messageRecord(version, '一号炉的温度是一百八十一点五度')],
    outbox: [{ id: `${id}-${version}`, channel: 'memory', body: { machine: 'oven-1' } }],
    audit: [
      { kind: 'session.change', detail: { version } },
      { kind: 'action.begun', detail: { version } },
    ],
  };
}

/** Milliseconds that each step took, of sessions that pause for a random time between their steps. */
async function run(commit: Commit, forMs: number): Promise<number[]> {
  const tookMs: number[] = [];
  const endMs = performance.now() + forMs;
  await Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      const id = randomUUID();
      for (let version = 1; ; version += 1) {
        await sleep(-Math.log(1 - Math.random()) * BETWEEN_STEPS_MS);
        const startedMs = performance.now();
        if (startedMs > endMs) return;
        await commit(changeOf(id, version));
        tookMs.push(performance.now() - startedMs);
      }
    }),
  );
  return tookMs;
}

/** Milliseconds that each step took when all sessions write at one moment, again and again. */
async function runBursts(commit: Commit): Promise<number[]> {
  const tookMs: number[] = [];
  const ids = Array.from({ length: SESSIONS }, () => randomUUID());
  for (let version = 1; version <= 20; version += 1) {
    const startedMs = performance.now();
    await Promise.all(
      ids.map((id) => commit(changeOf(id, version)).then(() => tookMs.push(performance.now() - startedMs))),
    );
  }
  return tookMs;
}

/** The same rows by plain SQLite, WAL and FULL, a transaction a step. */
async function openPeer(directory: string): Promise<{ commit: Commit; close(): Promise<void> }> {
  const handle = new sqlite3.Database(join(directory, 'peer.db'));
  const exec = (sql: string) =>
    new Promise<void>((resolve, reject) =>
      handle.exec(sql, (error) => (error === null ? resolve() : reject(error))),
    );
  const put = (sql: string, values: readonly (string | number)[]) =>
    new Promise<void>((resolve, reject) =>
      handle.run(sql, values, (error) => (error === null ? resolve() : reject(error))),
    );
  await exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE session (id TEXT PRIMARY KEY, version INTEGER, body TEXT) STRICT;
    CREATE TABLE action (id TEXT PRIMARY KEY, session_id TEXT, body TEXT) STRICT;
    CREATE INDEX of_session ON action (session_id);
    CREATE TABLE message (session_id TEXT, seq INTEGER, body TEXT, PRIMARY KEY (session_id, seq)) STRICT;
    CREATE TABLE outbox (id TEXT PRIMARY KEY, channel TEXT, body TEXT) STRICT;
    CREATE TABLE audit (seq INTEGER PRIMARY KEY, detail TEXT, hash TEXT) STRICT;`);
  let last = Promise.resolve();
  const write = async (change: SessionChange): Promise<void> => {
    const { session, actions = [], messages = [], outbox = [], audit = [] } = change;
    await exec('BEGIN IMMEDIATE');
    await put(
      'INSERT INTO session VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET version = excluded.version, body = excluded.body',
      [session.id, session.version, JSON.stringify(session)],
    );
    for (const action of actions)
      await put('INSERT INTO action VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body', [
        action.id,
        session.id,
        JSON.stringify(action),
      ]);
    for (const message of messages)
      await put('INSERT INTO message VALUES (?, ?, ?)', [session.id, message.seq, JSON.stringify(message)]);
    for (const message of outbox)
      await put('INSERT INTO outbox VALUES (?, ?, ?)', [
        message.id,
        message.channel,
        JSON.stringify(message.body),
      ]);
    for (const entry of audit) {
      const detail = JSON.stringify(entry.detail);
      await put('INSERT INTO audit (detail, hash) VALUES (?, ?)', [
        detail,
        createHash('sha256').update(detail).digest('hex'),
      ]);
    }
    await exec('COMMIT');
  };
  return {
    commit: (change) => {
      last = last.then(() => write(change));
      return last;
    },
    close: () => new Promise((resolve) => handle.close(() => resolve())),
  };
}

const directory = scratchDirectory();
const state = await openState(directory.path);
const commit: Commit = async (change) => {
  if ((await state.sessions.commit(change)) !== 'committed')
    throw new Error('a conflict without a second writer');
};
const peer = await openPeer(directory.path);
await run(commit, 1000);
const tookMs = await run(commit, RUN_MS);
const transactionsBefore = state.database.health().figures?.['transactions'] ?? 0;
const burstMs = await runBursts(commit);
const transactions = (state.database.health().figures?.['transactions'] ?? 0) - transactionsBefore;
const peerMs = await run(peer.commit, PEER_RUN_MS);
const peerBurstMs = await runBursts(peer.commit);
await peer.close();
const chainBreak = await state.audit.firstBreak();
await state.database.close();
directory.remove();

// A ledger whose audit does not hold has measured something else.
if (chainBreak !== undefined) throw new Error(`the audit breaks at ${chainBreak}`);
report(
  'ledger',
  {
    p50_ms: percentile(tookMs, 0.5),
    p95_ms: percentile(tookMs, 0.95),
    p99_ms: percentile(tookMs, 0.99),
    steps_per_s: tookMs.length / (RUN_MS / 1000),
    burst_p95_ms: percentile(burstMs, 0.95),
    burst_steps_per_transaction: burstMs.length / transactions,
    peer_p95_ms: percentile(peerMs, 0.95),
    peer_steps_per_s: peerMs.length / (PEER_RUN_MS / 1000),
    peer_burst_p95_ms: percentile(peerBurstMs, 0.95),
    sessions: SESSIONS,
  },
  { p95_ms: BUDGET_P95_MS },
);
