import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database.ts';
import { SqliteAudit } from '../../../src/adapters/sqlite/sqlite-audit.ts';
import { SqliteLockStore } from '../../../src/adapters/sqlite/sqlite-lock-store.ts';
import { STATE_MIGRATIONS } from '../../../src/adapters/sqlite/state-migrations.ts';
import { MachineLocks } from '../../../src/app/machine-locks.ts';
import type { LockStore } from '../../../src/app/ports/lock-store.ts';
import type { MachineLock } from '../../../src/domain/gate/machine-lock.ts';
import type { Caller } from '../../../src/domain/tool/tool-call.ts';
import { HandClock } from '../../support/hand-clock.ts';

type Who = Pick<Caller, 'role' | 'person' | 'station'>;
const at = (id: string, name: string, role: Caller['role']): Who => ({
  role,
  person: { id, name },
  station: 'microphone',
});
const WANG = at('wang', 'Wang', 'operator');
const LI = at('li', 'Li', 'maintainer');
const CHEN = at('chen', 'Chen', 'supervisor');
const NOBODY: Who = { role: 'supervisor', person: undefined, station: 'microphone' };

let directory: string;
let database: Database;
let audit: SqliteAudit;
let locks: MachineLocks;
let told: MachineLock[];

async function start(store: LockStore = new SqliteLockStore(database)): Promise<void> {
  locks = await MachineLocks.open({
    store,
    audit,
    clocks: new HandClock(),
    hasMachine: (id) => id === 'pump-3' || id === 'fan-1',
    onLocked: (lock) => told.push(lock),
  });
}
async function open(): Promise<void> {
  ({ database } = await Database.open(join(directory, 'state.db'), STATE_MIGRATIONS, new Date()));
  audit = new SqliteAudit(database, new HandClock(), () => 'synced');
  await start();
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-locks-'));
  told = [];
  await open();
});
afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

describe('a machine', () => {
  it('is locked by a named person, who is said with it, and survives a restart so', async () => {
    const lock = {
      machine: 'pump-3',
      by: { id: 'wang', name: 'Wang' },
      at: '2026-01-02T03:04:05.000Z',
      reason: 'seal',
    };
    expect(await locks.lock('pump-3', WANG, 'seal')).toEqual({ ok: true, lock });
    expect(told).toEqual([lock]);
    await database.close();
    await open();
    expect(locks.view).toEqual(new Map([['pump-3', lock]]));
  });

  it('is unlocked by who locked it or by a supervisor, and by nobody else', async () => {
    await locks.lock('pump-3', WANG);
    expect(await locks.unlock('pump-3', LI)).toMatchObject({ ok: false, reason: 'locked_by_other' });
    expect(await locks.unlock('pump-3', NOBODY)).toMatchObject({ ok: false, reason: 'unnamed' });
    expect(locks.view.get('pump-3')?.by.name).toBe('Wang');
    expect(await locks.unlock('pump-3', WANG)).toMatchObject({ ok: true });
    await locks.lock('pump-3', WANG);
    expect(await locks.unlock('pump-3', CHEN)).toMatchObject({ ok: true });
    await database.close();
    await open();
    expect(locks.view.size).toBe(0);
  });

  it('is locked by nobody in particular, by no guest, and not over the lock of another', async () => {
    expect(await locks.lock('pump-3', NOBODY)).toMatchObject({ ok: false, reason: 'unnamed' });
    expect(await locks.lock('pump-3', { ...WANG, role: 'guest' })).toMatchObject({ reason: 'unnamed' });
    expect(await locks.lock('mixer', WANG)).toMatchObject({ reason: 'unknown_machine' });
    await locks.lock('pump-3', WANG, 'seal');
    expect(await locks.lock('pump-3', CHEN)).toMatchObject({ reason: 'locked_by_other' });
    expect(await locks.lock('pump-3', WANG, 'bearing')).toMatchObject({ ok: true });
    expect(locks.view.get('pump-3')).toMatchObject({ by: { name: 'Wang' }, reason: 'bearing' });
    expect(await locks.unlock('fan-1', CHEN)).toMatchObject({ reason: 'not_locked' });
  });

  it('is locked for one of two who ask at once', async () => {
    const outcomes = await Promise.all([locks.lock('pump-3', WANG), locks.lock('pump-3', LI)]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('has every lock and unlock in the audit', async () => {
    await locks.lock('pump-3', WANG, 'seal');
    await locks.unlock('pump-3', CHEN);
    const [locked] = await audit.entries('machine.locked', 10);
    const [unlocked] = await audit.entries('machine.unlocked', 10);
    expect(locked?.detail).toMatchObject({ machine: 'pump-3', by: { id: 'wang' }, station: 'microphone' });
    expect(unlocked?.detail).toMatchObject({ machine: 'pump-3', by: { id: 'chen' } });
  });

  it('stays locked when the disk fails, whether it was to be locked or unlocked', async () => {
    const full: LockStore = {
      all: async () => [],
      put: async () => {
        throw new Error('the disk is full');
      },
      remove: async () => {
        throw new Error('the disk is full');
      },
    };
    await start(full);
    await expect(locks.lock('pump-3', WANG)).rejects.toThrow('the disk is full');
    expect(locks.view.has('pump-3')).toBe(true);
    await expect(locks.unlock('pump-3', WANG)).rejects.toThrow('the disk is full');
    expect(locks.view.has('pump-3')).toBe(true);
  });
});
