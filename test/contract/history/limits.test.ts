import { closeSync, openSync, readdirSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Database } from '../../../src/adapters/sqlite/database.ts';
import { HISTORY_MIGRATIONS } from '../../../src/adapters/sqlite/history-migrations.ts';
import type { SqliteHistoryStore } from '../../../src/adapters/sqlite/sqlite-history-store.ts';
import { HistorySite } from '../../support/history-site.ts';

const ref = { machine: 'oven', point: 'temperature' };
const DAY_MS = 86_400_000;

let site: HistorySite;
beforeEach(() => {
  site = new HistorySite();
});
afterEach(() => site.remove());

function hourOf(store: SqliteHistoryStore, points: number, stepMs: number): void {
  for (let ms = 0; ms < 3_600_000; ms += stepMs) {
    for (let p = 0; p < points; p += 1) {
      const value = Math.round(Math.random() * 1e6) / 10;
      store.append([site.sample(value, { ref: p === 0 ? ref : { machine: 'oven', point: `p${p}` } })]);
    }
    site.advance(stepMs);
  }
}

describe('what is kept, and for how long', () => {
  it('samples for rawDays, sums by the minute for minuteDays, by the hour for aggregateDays', async () => {
    const store = await site.open({ rawDays: 1, minuteDays: 2, aggregateDays: 4 });
    const startMs = site.nowMs;
    for (let hour = 0; hour < 24 * 6; hour += 1) {
      hourOf(store, 1, 60_000);
      await store.checkpoint();
    }
    const day = (n: number) => ({ fromMs: startMs + n * DAY_MS, toMs: startMs + (n + 1) * DAY_MS });
    expect(await store.samples(ref, day(4), 2000)).toHaveLength(0);
    expect(await store.samples(ref, day(5), 2000)).toHaveLength(1440);
    expect(await store.aggregate(ref, day(3))).toMatchObject({ samples: 1440 });
    expect(await store.aggregate(ref, day(0))).toMatchObject({ samples: 0, coveredS: 0 });
    // Three days ago only quarters are left: ten minutes of one cannot be told, and the answer does not pretend.
    const quarterMs = startMs + 3 * DAY_MS + 15 * 60_000;
    const quarter = { fromMs: quarterMs, toMs: quarterMs + 15 * 60_000 };
    expect(await store.aggregate(ref, quarter)).toMatchObject({ samples: 15, coveredS: 900 });
    const part = { fromMs: quarterMs, toMs: quarterMs + 10 * 60_000 };
    expect(await store.aggregate(ref, part)).toMatchObject({ samples: 0, coveredS: 0 });
    const { figures } = store.health();
    expect(figures?.['aged_samples']).toBeGreaterThanOrEqual(4 * 1440);
    expect(figures?.['aged_hours']).toBeGreaterThanOrEqual(24);
    await store.stop();
  });

  it('stays under its ceiling: the oldest samples go first, then the oldest sums, and it says so', async () => {
    const maxBytes = 1_500_000;
    const store = await site.open({ maxBytes });
    const startMs = site.nowMs;
    for (let hour = 0; hour < 60; hour += 1) {
      hourOf(store, 10, 5000);
      await store.checkpoint();
      expect(statSync(site.file).size).toBeLessThanOrEqual(maxBytes);
    }
    const { figures } = store.health();
    expect(figures?.['shed_samples']).toBeGreaterThan(0);
    expect(await store.samples(ref, { fromMs: startMs, toMs: startMs + 3_600_000 }, 10)).toEqual([]);
    const lastHour = { fromMs: site.nowMs - 3_600_000, toMs: site.nowMs };
    expect(await store.samples(ref, lastHour, 1000)).toHaveLength(720);
    expect(await store.aggregate(ref, lastHour)).toMatchObject({ samples: 720 });
    await store.stop();
  });

  it('states what a sample and a point take on the disk', async () => {
    const store = await site.open();
    for (let hour = 0; hour < 4; hour += 1) {
      hourOf(store, 2, 1000);
      await store.checkpoint();
    }
    const { figures } = store.health();
    expect(figures?.['bytes_per_sample']).toBeGreaterThan(1);
    expect(figures?.['bytes_per_point_day']).toBeCloseTo((figures?.['bytes_per_sample'] ?? 0) * 86_400, 0);
    await store.stop();
  });
});

describe('a disk that fails', () => {
  it('that is full is told in health; history goes on from memory, and writes again by itself', async () => {
    const store = await site.open({ maxSamplesInMemory: 3000 });
    store.append([site.sample(1)]);
    await site.ring();
    expect(store.health().status).toBe('ok');
    site.advance(1000);
    await site.limitPages(1);
    const fromMs = site.nowMs;
    hourOf(store, 1, 2000);
    await site.ring();
    expect(store.health()).toMatchObject({
      status: 'down',
      detail: expect.stringMatching(/SQLITE_FULL.*free space/u),
    });
    expect(await store.aggregate(ref, { fromMs, toMs: site.nowMs })).toMatchObject({ samples: 1800 });
    hourOf(store, 1, 2000);
    expect(store.health().figures).toMatchObject({ dropped: 601, samples_in_memory: 3000 });
    await site.limitPages(1_000_000);
    await site.ring();
    expect(store.health()).toMatchObject({ status: 'ok', figures: { unflushed: 0 } });
    await store.checkpoint();
    expect(await store.samples(ref, { fromMs: fromMs - 1000, toMs: site.nowMs }, 9999)).toHaveLength(3000);
    await store.stop();
  });

  it('or a file that cannot be opened keeps samples in memory until it can', async () => {
    const blocked = new HistorySite();
    blocked.remove();
    writeFileSync(blocked.directory, 'a file where the directory should be');
    const store = await blocked.open();
    expect(store.health()).toMatchObject({ status: 'down', detail: expect.stringContaining('cannot make') });
    store.append([blocked.sample(7)]);
    blocked.remove();
    await blocked.ring();
    expect(store.health().status).toBe('ok');
    const range = { fromMs: blocked.nowMs, toMs: blocked.nowMs + 1 };
    expect(await store.samples(ref, range, 9)).toMatchObject([{ value: 7, bootId: 'boot 1' }]);
    await store.stop();
    blocked.remove();
  });
});

describe('a damaged history.db', () => {
  it('that is no database is set aside at the start and a new one begun', async () => {
    writeFileSync(site.file, 'no database at all, but long enough to be looked at by SQLite as one');
    const store = await site.open();
    expect(store.health()).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('set aside as'),
    });
    store.append([site.sample(1)]);
    await store.checkpoint();
    expect(readdirSync(site.directory).some((name) => name.includes('.damaged-'))).toBe(true);
    await store.stop();
  });

  it('that is torn inside is found by the check, set aside, and goes on with what memory holds', async () => {
    let store = await site.open();
    for (let hour = 0; hour < 3; hour += 1) {
      hourOf(store, 10, 5000);
      await store.checkpoint();
    }
    expect(await store.check()).toBe(true);
    await store.stop();
    const handle = openSync(site.file, 'r+');
    for (let page = 12; page < 24; page += 1)
      writeSync(handle, Buffer.alloc(3000, 0xa5), 0, 3000, page * 4096 + 100);
    closeSync(handle);
    store = await site.open();
    store.append([site.sample(41)]);
    const isWhole = await store.check();
    expect(isWhole && store.health().status === 'ok').toBe(false);
    expect(store.health()).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('set aside'),
    });
    store.append([site.sample(42)]);
    await store.checkpoint();
    const found = await store.samples(ref, { fromMs: site.nowMs, toMs: site.nowMs + 1 }, 9);
    expect(found.map(({ value }) => value)).toContain(42);
    expect(await store.check()).toBe(true);
    await store.stop();
  });

  it('from a newer program is left alone: history is down and says why', async () => {
    const { database } = await Database.open(site.file, [...HISTORY_MIGRATIONS, 'SELECT 1'], new Date());
    await database.all(z.unknown(), 'SELECT 1');
    await database.close();
    const store = await site.open();
    expect(store.health()).toMatchObject({
      status: 'down',
      detail: expect.stringContaining('newer program'),
    });
    await expect(store.stop()).resolves.toBeUndefined();
    expect(readdirSync(site.directory).some((name) => name.includes('.damaged-'))).toBe(false);
  });
});
