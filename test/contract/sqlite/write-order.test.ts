import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Database } from '../../../src/adapters/sqlite/database.ts';
import { SqliteAlarmStore } from '../../../src/adapters/sqlite/sqlite-alarm-store.ts';
import { SqliteAudit } from '../../../src/adapters/sqlite/sqlite-audit.ts';
import { STATE_MIGRATIONS } from '../../../src/adapters/sqlite/state-migrations.ts';
import type { AlarmEvent } from '../../../src/domain/alarm/alarm-event.ts';
import { systemClocks } from '../../../src/runtime/clocks.ts';

const alarm = (id: string): AlarmEvent => ({
  id,
  source: 'oven',
  name: 'overheat',
  state: 'raised',
  priority: 'critical',
  text: 'temperature high',
  received_at: '2026-01-02T03:04:05.000Z',
});

/** Transactions in the write-ahead log: frames whose header gives the size of the file after a commit (SQLite file format, 4.1). */
function commitsIn(log: string): number {
  const bytes = readFileSync(log);
  const pageSize = bytes.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + 24 + pageSize <= bytes.length; at += 24 + pageSize) {
    if (bytes.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}

describe('the order in which writes reach the disk', () => {
  let directory: string;
  let file: string;
  let database: Database;
  let audit: SqliteAudit;
  let alarms: SqliteAlarmStore;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hermes-writes-'));
    file = join(directory, 'state.db');
    database = (await Database.open(file, STATE_MIGRATIONS, new Date())).database;
    audit = new SqliteAudit(database, systemClocks(), () => 'unsynced');
    alarms = new SqliteAlarmStore(database);
  });
  afterEach(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });

  const appendMany = (count: number, settled: () => void = () => undefined): Promise<void>[] =>
    Array.from({ length: count }, (_, n) => audit.append('turn.started', { n }).finally(settled));

  it('writes audit entries that wait together in one transaction, in the order they were given', async () => {
    const before = commitsIn(`${file}-wal`);
    await Promise.all(appendMany(200));
    expect(commitsIn(`${file}-wal`) - before).toBe(1);
    expect((await audit.entries('turn.started', 300)).map(({ detail }) => detail)).toEqual(
      Array.from({ length: 200 }, (_, n) => ({ n })),
    );
    expect(await audit.firstBreak()).toBeUndefined();
  });

  it('writes alarms that wait together in one transaction, and still knows a duplicate among them', async () => {
    const before = commitsIn(`${file}-wal`);
    const outcomes = await Promise.all(['1', '2', '1', '3'].map((id) => alarms.record(alarm(id))));
    expect(outcomes).toEqual(['new', 'new', 'duplicate', 'new']);
    expect(commitsIn(`${file}-wal`) - before).toBe(1);
  });

  it('lets an alarm wait for no more than the transaction that runs', async () => {
    let written = 0;
    const entries = appendMany(2000, () => {
      written += 1;
    });
    await entries[0];
    const writtenBefore = written;
    await alarms.record(alarm('1'));
    expect(written - writtenBefore).toBeLessThanOrEqual(2 * 256);
    await Promise.all(entries);
    expect(await audit.firstBreak()).toBeUndefined();
  });

  it('gives the audit its turn in a flood of alarms', async () => {
    const outcomes: string[] = [];
    const flood = Array.from({ length: 5000 }, (_, n) =>
      alarms.record(alarm(String(n))).then(() => outcomes.push('alarm')),
    );
    await audit.append('tool.called', {});
    expect(outcomes.length).toBeLessThanOrEqual(9 * 256);
    await Promise.all(flood);
  });

  it('refuses an audit entry when 2000 wait, counts it, and still takes alarms', async () => {
    const entries = appendMany(2000);
    const refused = audit.append('turn.started', { n: 2000 });
    expect(database.health().figures).toMatchObject({ waiting_audit: 2000, refused: 1 });
    await expect(refused).rejects.toMatchObject({ code: 'STATE_DB_BUSY' });
    expect(await alarms.record(alarm('1'))).toBe('new');
    await Promise.all(entries);
    expect(database.health().figures).toMatchObject({ waiting_audit: 0, refused: 1 });
    await audit.append('turn.started', { n: 2001 });
    expect(await audit.firstBreak()).toBeUndefined();
  });

  it('writes all that waits before it closes, in few transactions', async () => {
    const entries = appendMany(2000);
    const recorded = alarms.record(alarm('1'));
    await database.close();
    expect(await recorded).toBe('new');
    await Promise.all(entries);
    expect(database.health().figures?.['transactions']).toBe(9);
    database = (await Database.open(file, STATE_MIGRATIONS, new Date())).database;
    const [row] = await database.all(z.object({ count: z.int() }), 'SELECT count(*) AS count FROM audit');
    expect(row?.count).toBe(2000);
  });

  it('writes the others of a group without the one that fails', async () => {
    const good = alarms.record(alarm('1'));
    const bad = database.write(async (writer) => {
      await writer.run("INSERT INTO alarm_event (key, body) VALUES ('bad', 'x')");
      throw new Error('half way');
    });
    const after = alarms.record(alarm('2'));
    await expect(bad).rejects.toThrow('half way');
    expect([await good, await after]).toEqual(['new', 'new']);
    expect((await alarms.unannounced(10)).map(({ id }) => id)).toEqual(['1', '2']);
    expect(database.health().status).toBe('ok');
  });
});
