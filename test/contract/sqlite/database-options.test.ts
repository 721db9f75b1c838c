import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { Database, type DatabaseOptions } from '../../../src/adapters/sqlite/database.ts';

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
