import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database.ts';
import { PLC_LOG_MIGRATION, SqlitePlcLogStore } from '../../../src/adapters/sqlite/sqlite-plc-log-store.ts';
import type { NewLogEntry } from '../../../src/app/ports/plc-log-store.ts';

const ref = { machine: 'press', log: 'events' };

let directory: string;
let database: Database;
let store: SqlitePlcLogStore;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-plc-log-rows-'));
  ({ database } = await Database.open(join(directory, 'plc-log.db'), [PLC_LOG_MIGRATION], new Date()));
  store = new SqlitePlcLogStore(database);
  await store.append(ref, { next: 3, epoch: 1, anchor: undefined }, [
    recordOf(1),
    recordOf(2),
    {
      ref,
      kind: 'overrun',
      atMs: 3_000,
      arrivedAtMs: 3_100,
      bootId: 'boot',
      seq: 3,
      lost: 4,
      exact: true,
    },
  ]);
});

afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

function recordOf(position: number): NewLogEntry {
  return {
    ref,
    kind: 'record',
    atMs: position * 1_000,
    arrivedAtMs: position * 1_000 + 100,
    bootId: 'boot',
    seq: position,
    epoch: 1,
    position,
    slot: position,
    raw: `000${position}`,
    atSource: 'plc',
    plcTime: null,
    plcAtMs: position * 1_000,
    clockOffsetMs: null,
    correctedAtMs: null,
    sequence: position,
    code: 70 + position,
    values: { load: 5 },
    badFields: [],
  };
}

function change(assignment: string, where: string): Promise<number> {
  return database.write((writer) => writer.run(`UPDATE plc_log_entry SET ${assignment} WHERE ${where}`));
}

describe('rows of a PLC log that cannot be read any more', () => {
  it.each(['{}', '{"sequ', '', '[]', 'null'])(
    'a log goes on behind a body %j, its sequence unknown',
    async (body) => {
      await change(`body = '${body}'`, "kind = 'record'");
      expect(await store.load(ref, 16)).toEqual({
        cursor: { next: 3, epoch: 1, anchor: undefined },
        seen: [
          [1, '0001'],
          [2, '0002'],
        ],
        lastSequence: null,
      });
    },
  );

  it('such a record is given with its code and its arrival, and its fields as unreadable', async () => {
    await change("body = '{}'", 'position = 2');
    const known = {
      id: 2,
      kind: 'record',
      code: 72,
      raw: '0002',
      atMs: 2_100,
      atSource: 'arrival',
      sequence: null,
      values: {},
      badFields: ['all fields'],
    };
    const others = [{ id: 1, values: { load: 5 } }, known, { id: 3, lost: 4 }];
    expect(await store.latest({ limit: 9 })).toMatchObject(others);
    expect(await store.between({ limit: 9 })).toMatchObject(others);
    expect(await store.unhandled('voice', 9, 'oldest')).toMatchObject(others);
  });

  it('such a gap is given as one of unknown size', async () => {
    await change("body = '{}'", "kind = 'overrun'");
    expect((await store.latest({ limit: 9 })).at(-1)).toMatchObject({
      kind: 'overrun',
      lost: 0,
      exact: false,
    });
  });

  it('a row without its registers is left out, and what comes after it is still handed over', async () => {
    await change('raw = NULL', 'position = 1');
    expect((await store.load(ref, 16)).seen).toEqual([[2, '0002']]);
    expect((await store.latest({ limit: 9 })).map(({ id }) => id)).toEqual([2, 3]);
    expect((await store.unhandled('voice', 1, 'oldest')).map(({ id }) => id)).toEqual([2]);
    expect((await store.unhandled('voice', 2, 'oldest')).map(({ id }) => id)).toEqual([2, 3]);
  });
});
