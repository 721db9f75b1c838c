import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Database } from '../../../src/adapters/sqlite/database.ts';
import { SqliteAudit } from '../../../src/adapters/sqlite/sqlite-audit.ts';
import { STATE_MIGRATIONS } from '../../../src/adapters/sqlite/state-migrations.ts';
import { openStorage, type Storage } from '../../../src/composition/storage.ts';
import { type Clocks, systemClocks } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-trouble-'));
  file = join(directory, 'state.db');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('a state database whose disk fails', () => {
  let database: Database;
  let audit: SqliteAudit;

  beforeEach(async () => {
    database = (await Database.open(file, STATE_MIGRATIONS, new Date())).database;
    audit = new SqliteAudit(database, systemClocks(), () => 'unsynced');
  });
  afterEach(() => database.close());

  const setting = (sql: string) => database.all(z.unknown(), sql);
  const large = { text: 'x'.repeat(100_000) };

  it('names a full disk as the cause, is down until a write works, and chains on', async () => {
    await audit.append('turn.started', { n: 1 });
    // SQLite reports its own limit of pages exactly as it reports a full disk.
    await setting('PRAGMA max_page_count = 1');
    await expect(audit.append('turn.started', large)).rejects.toMatchObject({
      code: 'STATE_DB_FAILED',
      message: expect.stringContaining('SQLITE_FULL'),
      hint: expect.stringContaining('free space'),
    });
    expect(database.health()).toMatchObject({
      status: 'down',
      detail: expect.stringMatching(/SQLITE_FULL.*the disk is full/u),
    });
    await database.write((writer) => writer.run('UPDATE audit SET seq = seq WHERE seq = -1'));
    expect(database.health().status).toBe('down');

    await setting('PRAGMA max_page_count = 100000');
    await audit.append('turn.started', large);
    expect(database.health().status).toBe('ok');
    expect(await audit.firstBreak()).toBeUndefined();
    expect(await audit.entries('turn.started', 10)).toHaveLength(2);
  });

  it('tells everyone in a group that the disk is full, and goes on', async () => {
    await setting('PRAGMA max_page_count = 1');
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map((n) => audit.append('turn.started', { n, large })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await setting('PRAGMA max_page_count = 100000');
    await audit.append('turn.started', large);
    expect(await audit.firstBreak()).toBeUndefined();
  });

  it('names a file that may only be read as the cause', async () => {
    await setting('PRAGMA query_only = ON');
    await expect(audit.append('turn.started', {})).rejects.toMatchObject({
      hint: expect.stringContaining('read-only'),
    });
    expect(database.health()).toMatchObject({
      status: 'down',
      detail: expect.stringContaining('SQLITE_READONLY'),
    });
  });
});

describe('a state database that cannot be prepared', () => {
  it.each([
    ['max_page_count = 1', 'SQLITE_FULL', 'free space'],
    ['query_only = ON', 'SQLITE_READONLY', 'read-only'],
  ])('names the cause and what to do: PRAGMA %s', async (pragma, code, hint) => {
    await expect(
      Database.open(file, [`PRAGMA ${pragma}; CREATE TABLE t (n INTEGER) STRICT`], new Date()),
    ).rejects.toMatchObject({
      code: 'STATE_DB_FAILED',
      message: expect.stringContaining(code),
      hint: expect.stringContaining(hint),
    });
  });

  it('is not called damaged while another program holds it', async () => {
    const other = new sqlite3.Database(file);
    await new Promise<void>((resolve, reject) => {
      other.exec('CREATE TABLE t (n INTEGER) STRICT; BEGIN EXCLUSIVE', (error) =>
        error === null ? resolve() : reject(error),
      );
    });
    const reason = {
      code: 'STATE_DB_FAILED',
      message: expect.stringContaining('SQLITE_BUSY'),
      hint: 'another program holds the file: end it',
    };
    const openings = [Database.openForReading(file), Database.open(file, STATE_MIGRATIONS, new Date())];
    expect(await Promise.allSettled(openings)).toMatchObject([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    await new Promise<void>((resolve) => other.close(() => resolve()));
  });
});

describe('a state database that is removed while it is open', () => {
  let storage: Storage;
  let nowMs: number;

  beforeEach(async () => {
    nowMs = 0;
    const clocks: Clocks = { ...systemClocks(), monotonicMs: () => nowMs };
    storage = await openStorage({ state_dir: directory }, { clocks, logger: silentLogger() });
  });
  afterEach(() => storage.service.stop(1000));

  const REMOVED = 'state.db was removed while it was open; restart';

  it('is down, and has no progress to show the watchdog, within three seconds', async () => {
    await storage.checkWrite();
    expect(storage.service.health().status).toBe('ok');
    rmSync(directory, { recursive: true });
    nowMs += 3000;
    await expect(storage.checkWrite()).rejects.toMatchObject({ code: 'STATE_DB_FAILED', message: REMOVED });
    expect(storage.service.health()).toMatchObject({ status: 'down', detail: REMOVED });
  });

  it('is down as well when another file has taken its place, and ok again when its own is back', async () => {
    renameSync(file, `${file}.moved`);
    await (await Database.open(file, STATE_MIGRATIONS, new Date())).database.close();
    nowMs += 3000;
    expect(storage.service.health()).toMatchObject({ status: 'down', detail: REMOVED });
    renameSync(`${file}.moved`, file);
    nowMs += 3000;
    expect(storage.service.health().status).toBe('ok');
  });
});
