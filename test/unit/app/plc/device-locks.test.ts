import { describe, expect, it } from 'vitest';
import { DeviceLocks } from '../../../../src/app/plc/device-locks.ts';
import { JumpingTime } from '../../../support/jumping-time.ts';

/** Never comes to the end of a wait. */
const PATIENT = { after: () => () => undefined };

async function settledNow<T>(promise: Promise<T>): Promise<T | 'waits'> {
  return Promise.race([promise, new Promise<'waits'>((resolve) => setImmediate(() => resolve('waits')))]);
}

describe('the locks of devices', () => {
  it('are had by one at a time, all or none, first come first served', async () => {
    const locks = new DeviceLocks(PATIENT);
    const first = await locks.acquire(['a'], 1);
    const second = locks.acquire(['a', 'b'], 1);
    // b is free, but the one before waits for it too.
    const third = locks.acquire(['b'], 1);
    const other = await settledNow(locks.acquire(['c'], 1));
    expect(other).toBeTypeOf('function');
    expect(await settledNow(third)).toBe('waits');
    first?.();
    const release = await settledNow(second);
    if (typeof release !== 'function') throw new Error('still waits');
    expect(await settledNow(third)).toBe('waits');
    release();
    release();
    expect(await settledNow(third)).toBeTypeOf('function');
    expect(await settledNow(locks.acquire(['b'], 1))).toBe('waits');
  });

  it('are given up after the wait, and those behind go on without the one that left', async () => {
    const locks = new DeviceLocks(new JumpingTime());
    const first = await locks.acquire(['a'], 1_000);
    const second = locks.acquire(['a', 'b'], 1_000);
    const third = locks.acquire(['b'], 2_000);
    expect(await second).toBeUndefined();
    expect(await third).toBeTypeOf('function');
    first?.();
    expect(await locks.acquire(['a'], 1_000)).toBeTypeOf('function');
  });

  it('turn the next one away when too many wait', async () => {
    const locks = new DeviceLocks(PATIENT);
    await locks.acquire(['a'], 1);
    const waiting = Array.from({ length: 64 }, () => locks.acquire(['a'], 1));
    expect(await locks.acquire(['a'], 1)).toBeUndefined();
    expect(await settledNow(Promise.race(waiting))).toBe('waits');
  });
});
