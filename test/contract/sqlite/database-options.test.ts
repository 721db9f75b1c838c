import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { Database, type DatabaseOptions } from '../../../src/adapters/sqlite/database.ts';
import { eventually } from '../../support/eventually.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-options-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const MIGRATIONS = ['CREATE TABLE t (n INTEGER) STRICT;'];
const open = async (options: DatabaseOptions) =>
  (await Database.open(join(directory, 'x.db'), MIGRATIONS, new Date(), options)).database;
const countSchema = z.object({ n: z.int() });

it('a database that may lose its last commits, and gives pages back, is told apart from one that may not', async () => {
  const database = await open({ synchronous: 'NORMAL', shrinkable: true });
  const pragma = (name: string) =>
    database.write((writer) => writer.all(z.record(z.string(), z.unknown()), `PRAGMA ${name}`));
  expect(await pragma('synchronous')).toEqual([{ synchronous: 1 }]);
  expect(await pragma('auto_vacuum')).toEqual([{ auto_vacuum: 2 }]);
  await database.close();
});

it('its own reader sees whole transactions only', async () => {
  const database = await open({ ownReader: true });
  const count = () => database.all(countSchema, 'SELECT count(*) AS n FROM t');
  await database.write(async (writer) => {
    await writer.run('INSERT INTO t VALUES (1)');
    expect(await count()).toEqual([{ n: 0 }]);
    expect(await writer.all(countSchema, 'SELECT count(*) AS n FROM t')).toEqual([{ n: 1 }]);
  });
  expect(await count()).toEqual([{ n: 1 }]);
  expect(await database.check()).toBeUndefined();
  await database.close();
});

it('a prompt one is carried into its file beside the writer, and its log begins anew', async () => {
  const database = await open({ prompt: true });
  const file = join(directory, 'x.db');
  const before = statSync(file).size;
  for (let n = 0; n < 300; n += 1)
    await database.writeOne(
      (writer) =>
        writer.run('INSERT INTO t SELECT key FROM json_each(?)', [JSON.stringify(Array(500).fill(0))]),
      'session',
    );
  await eventually('it is carried over', () => statSync(file).size > before + 100_000);
  expect(database.health().figures).toMatchObject({ checkpoints_failed: 0, transactions: 300 });
  await database.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
});

it('work of one statement is a transaction by itself, shares one with others, and cannot have two', async () => {
  const database = await open({});
  const one = (n: number) =>
    database.writeOne((writer) => writer.run('INSERT INTO t VALUES (?)', [n]), 'session');
  await one(1);
  await Promise.all([one(2), database.write((writer) => writer.run('INSERT INTO t VALUES (3)'), 'session')]);
  expect(database.health().figures?.['transactions']).toBe(2);
  const two = database.writeOne(async (writer) => {
    await writer.run('INSERT INTO t VALUES (4)');
    await writer.run('INSERT INTO t VALUES (5)');
  }, 'session');
  await expect(two).rejects.toThrow('a second statement would be another transaction');
  const told: number[] = [];
  await database.write(async (writer) => {
    writer.onCommitted(() => told.push(1));
    await writer.run('INSERT INTO t VALUES (6)');
  });
  await database
    .write(async (writer) => {
      writer.onCommitted(() => told.push(2));
      await writer.run('INSERT INTO nowhere VALUES (7)');
    })
    .catch(() => undefined);
  expect(told).toEqual([1]);
  await database.close();
});
