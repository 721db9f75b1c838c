import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Database } from '../../../src/adapters/sqlite/database.ts';
import { SqliteAlarmStore } from '../../../src/adapters/sqlite/sqlite-alarm-store.ts';
import { SqliteAudit } from '../../../src/adapters/sqlite/sqlite-audit.ts';
import { STATE_MIGRATIONS } from '../../../src/adapters/sqlite/state-migrations.ts';
import { type AlarmEvent, alarmEventSchema } from '../../../src/domain/alarm/alarm-event.ts';
import { systemClocks } from '../../../src/runtime/clocks.ts';

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-state-'));
  file = join(directory, 'below', 'state.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

const open = () => Database.open(file, STATE_MIGRATIONS, new Date('2026-01-02T03:04:05Z'));

describe('the state database', () => {
  it('survives a power cut: WAL, and synchronous FULL', async () => {
    const { database } = await open();
    const [journal] = await database.all(z.object({ journal_mode: z.string() }), 'PRAGMA journal_mode');
    const [synchronous] = await database.all(z.object({ synchronous: z.int() }), 'PRAGMA synchronous');
    await database.close();
    expect(journal?.journal_mode).toBe('wal');
    expect(synchronous?.synchronous).toBe(2);
  });

  it('undoes a transaction that fails half way and goes on with the next', async () => {
    const { database } = await open();
    const bad = database.write(async (writer) => {
      await writer.run("INSERT INTO alarm_event (key, body) VALUES ('a', 'x')");
      throw new Error('half way');
    });
    const good = database.write((writer) =>
      writer.run("INSERT INTO alarm_event (key, body) VALUES ('b', 'y')"),
    );
    await expect(bad).rejects.toThrow('half way');
    await good;
    const rows = await database.all(z.object({ key: z.string() }), 'SELECT key FROM alarm_event');
    await database.close();
    expect(rows).toEqual([{ key: 'b' }]);
  });

  it('sets a damaged file aside and begins a new one', async () => {
    await (await open()).database.close();
    writeFileSync(file, 'this is no database, and long enough to be looked at as one '.repeat(40));
    const { database, damaged } = await open();
    await database.close();
    expect(damaged).toBe(`${file}.damaged-2026-01-02T03-04-05-000Z`);
    expect(readdirSync(join(directory, 'below'))).toContain('state.db.damaged-2026-01-02T03-04-05-000Z');
  });

  it('takes a file of zero length, as a power cut leaves it, for a new one', async () => {
    await (await open()).database.close();
    writeFileSync(file, '');
    const { database, damaged } = await open();
    await database.close();
    expect(damaged).toBeUndefined();
  });

  it('refuses the file of a newer program', async () => {
    const { database } = await Database.open(
      file,
      [...STATE_MIGRATIONS, 'CREATE TABLE later (a INTEGER) STRICT'],
      new Date(),
    );
    await database.close();
    await expect(open()).rejects.toMatchObject({
      code: 'STATE_DB_FAILED',
      message: expect.stringContaining(`version ${STATE_MIGRATIONS.length + 1}`),
    });
  });

  it('is opened by several programs at once, also where a file of an older one is brought to the newest', async () => {
    const older = await Database.open(file, STATE_MIGRATIONS.slice(0, 6), new Date());
    const rows = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => `s_${n % 300}`));
    await older.database.write((writer) =>
      writer.run(
        "INSERT INTO action (id, session_id, status, body) SELECT 'a_' || key, value, 'done', '{}' FROM json_each(?)",
        [rows],
      ),
    );
    await older.database.close();
    const opened = await Promise.all([open(), open(), open()]);
    for (const { database, damaged } of opened) {
      expect(damaged).toBeUndefined();
      expect(
        await database.all(z.object({ n: z.int() }), 'SELECT count(DISTINCT session_id) AS n FROM action'),
      ).toEqual([{ n: 300 }]);
      expect(await database.all(z.object({ user_version: z.int() }), 'PRAGMA user_version')).toEqual([
        { user_version: STATE_MIGRATIONS.length },
      ]);
    }
    await Promise.all(opened.map(({ database }) => database.close()));
  });

  it('is begun by several programs at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const opened = await Promise.all([open(), open(), open()]);
      await Promise.all(opened.map(({ database }) => database.close()));
      rmSync(join(directory, 'below'), { recursive: true });
    }
  });

  it('says which directory it cannot make', async () => {
    writeFileSync(join(directory, 'below'), 'a file stands in the way');
    await expect(open()).rejects.toMatchObject({
      code: 'STATE_DB_FAILED',
      message: expect.stringContaining('below'),
    });
  });
});

describe('the audit', () => {
  it('chains entries over restarts, and shows where one was changed', async () => {
    for (const run of [1, 2]) {
      const { database } = await open();
      const audit = new SqliteAudit(database, systemClocks(), () => 'unsynced');
      await Promise.all([1, 2, 3].map((n) => audit.append('turn.started', { run, n })));
      expect(await audit.firstBreak()).toBeUndefined();
      await database.close();
    }
    const { database } = await open();
    const audit = new SqliteAudit(database, systemClocks(), () => 'unsynced');
    const entries = await audit.entries('turn.started', 100);
    expect(entries.map((entry) => entry.detail)).toEqual(
      [1, 2].flatMap((run) => [1, 2, 3].map((n) => ({ run, n }))),
    );
    await database.write((writer) => writer.run("UPDATE audit SET detail = '{}' WHERE seq = 4"));
    expect(await audit.firstBreak()).toBe(4);
    await database.write((writer) => writer.run('DELETE FROM audit WHERE seq = 2'));
    expect(await audit.firstBreak()).toBe(3);
    await database.close();
  });
});

describe('the alarm store', () => {
  const event = (id: string, name = 'overheat'): AlarmEvent => ({
    id,
    source: 'oven',
    name,
    state: 'raised',
    priority: 'high',
    text: 'temperature high',
    received_at: '2026-01-02T03:04:05.000Z',
  });

  it('knows an event it has seen by alarm and id, also after a restart', async () => {
    const first = (await open()).database;
    expect(await new SqliteAlarmStore(first).record(event('1'))).toBe('new');
    await first.close();
    const { database } = await open();
    const store = new SqliteAlarmStore(database);
    expect(await store.record(event('1'))).toBe('duplicate');
    expect(await store.record(event('1', 'overpressure'))).toBe('new');
    await database.close();
  });

  it('takes the same words an hour later for news from a sender that counts from 1 again', async () => {
    const { database } = await open();
    const store = new SqliteAlarmStore(database);
    const at = (received_at: string): AlarmEvent => ({ ...event('1'), received_at });
    expect(await store.record(at('2026-01-02T03:00:00.000Z'))).toBe('new');
    expect(await store.record(at('2026-01-02T05:00:00.000Z'))).toBe('duplicate');
    await store.markAnnounced(event('1'));
    expect(await store.record(at('2026-01-02T03:59:59.000Z'))).toBe('duplicate');
    expect(await store.record(at('2026-01-02T04:00:01.000Z'))).toBe('new');
    expect((await store.unannounced(10)).map(({ received_at }) => received_at)).toEqual([
      '2026-01-02T04:00:01.000Z',
    ]);
    await database.close();
  });

  it('hands out what nobody has heard yet, oldest first', async () => {
    const { database } = await open();
    const store = new SqliteAlarmStore(database);
    for (const id of ['1', '2', '3']) await store.record(event(id));
    await store.markAnnounced(event('2'));
    expect((await store.unannounced(10)).map(({ id }) => id)).toEqual(['1', '3']);
    expect((await store.unannounced(1)).map(({ id }) => id)).toEqual(['1']);
    await database.close();
  });

  it('hands out the most urgent first', async () => {
    const { database } = await open();
    const store = new SqliteAlarmStore(database);
    for (const priority of ['low', 'high', 'critical', 'medium'] as const) {
      for (const n of [1, 2]) await store.record({ ...event(`${priority} ${n}`), priority });
    }
    expect((await store.unannounced(10)).map(({ id }) => id)).toEqual(
      ['critical', 'high', 'medium', 'low'].flatMap((priority) => [`${priority} 1`, `${priority} 2`]),
    );
    const [plan] = await database.all(
      z.object({ detail: z.string() }),
      'EXPLAIN QUERY PLAN SELECT arrival FROM alarm_event WHERE announced = 0 ORDER BY priority_rank, arrival LIMIT 9',
    );
    expect(plan?.detail).toContain('alarm_event_unannounced');
    await database.close();
  });

  it('orders what an older program recorded, also when a row cannot be read', async () => {
    const older = await Database.open(file, STATE_MIGRATIONS.slice(0, 1), new Date());
    for (const [key, body] of [
      ['low', JSON.stringify({ ...event('low'), priority: 'low' })],
      ['high', JSON.stringify(event('high'))],
      ['torn', '{"id":"torn","prio'],
      ['odd', '{"priority":7}'],
    ] as const) {
      await older.database.write((writer) =>
        writer.run('INSERT INTO alarm_event (key, body) VALUES (?, ?)', [
          JSON.stringify(['oven', 'overheat', key]),
          body,
        ]),
      );
    }
    await older.database.close();
    const { database } = await open();
    const waiting = await new SqliteAlarmStore(database).unannounced(10);
    await database.close();
    expect(waiting.map(({ id }) => id)).toEqual(['torn', 'odd', 'high', 'low']);
  });

  it.each([
    [
      'a body that is no JSON',
      '["oven","overheat","7"]',
      '{"id":',
      { source: 'oven', name: 'overheat', id: '7' },
    ],
    [
      'a body of another form',
      '["oven","overheat","7"]',
      '{}',
      { source: 'oven', name: 'overheat', id: '7' },
    ],
    ['a key that names nothing', 'x', 'y', { source: 'state.db', name: 'unreadable', id: 'row 1' }],
    [
      'an empty part in its key',
      '["","a","b"]',
      'y',
      { source: 'state.db', name: 'unreadable', id: 'row 1' },
    ],
  ])('hands out a row with %s as an alarm that cannot be read, once', async (_, key, body, named) => {
    const { database } = await open();
    const store = new SqliteAlarmStore(database);
    await database.write((writer) =>
      writer.run('INSERT INTO alarm_event (key, body) VALUES (?, ?)', [key, body]),
    );
    await store.record(event('8'));
    const [unreadable, readable] = await store.unannounced(10);
    expect(alarmEventSchema.parse(unreadable)).toMatchObject({
      ...named,
      state: 'raised',
      priority: 'critical',
      text: { en: 'an alarm that cannot be read', zh: '一条无法读取的报警' },
    });
    expect(readable?.id).toBe('8');
    if (unreadable !== undefined) await store.markAnnounced(unreadable);
    expect((await store.unannounced(10)).map(({ id }) => id)).toEqual(['8']);
    await database.close();
  });
});
