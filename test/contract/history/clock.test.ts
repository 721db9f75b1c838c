import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SqliteHistoryStore } from '../../../src/adapters/sqlite/sqlite-history-store.ts';
import type { Sample } from '../../../src/domain/history/sample.ts';
import { bruteAggregate } from '../../support/brute-history.ts';
import { eventually } from '../../support/eventually.ts';
import { HistorySite } from '../../support/history-site.ts';

const ref = { machine: 'oven', point: 'temperature' };
const TRUE_MS = Date.UTC(2026, 0, 15, 6);
/** What a machine without a battery believes when it is switched on. */
const BELIEVED_MS = Date.UTC(2024, 5, 1);

let site: HistorySite;
beforeEach(() => {
  site = new HistorySite();
  site.clock = 'unsynced';
  site.nowMs = BELIEVED_MS;
});
afterEach(() => site.remove());

function record(store: SqliteHistoryStore, seconds: number, from = 0): Sample[] {
  return Array.from({ length: seconds }, (_, s) => {
    const sample = site.sample((from + s) / 10);
    store.append([sample]);
    site.advance(1000);
    return sample;
  });
}

/** The network is there: the wall clock jumps to the right time. */
function setClock(): void {
  site.nowMs = TRUE_MS + site.monotonicMs;
  site.clock = 'synced';
}

const everything = { fromMs: BELIEVED_MS - 1000, toMs: TRUE_MS + 86_400_000 };
const theDay = { fromMs: TRUE_MS, toMs: TRUE_MS + 600_000 };

describe('samples recorded before the clock was set', () => {
  it.each(['in memory only', 'in the journal', 'in blocks', 'in blocks, over a restart of the program'])(
    'get their right time once it is, and so do the sums (%s)',
    async (where) => {
      let store = await site.open();
      const early = record(store, 120);
      if (where === 'in the journal') await store.flush();
      if (where.startsWith('in blocks')) await store.checkpoint();
      if (where.endsWith('program')) {
        await store.stop();
        store = await site.open();
      }
      expect(await store.aggregate(ref, everything)).toMatchObject({ samples: 0, undatedSamples: 120 });
      expect(await store.samples(ref, everything, 1000)).toEqual([]);
      expect(await store.undatedSamples(ref, 1000)).toHaveLength(120);
      setClock();
      const late = record(store, 120, 120);
      await eventually(
        'the times are corrected',
        async () => (await store.undatedSamples(ref, 1)).length === 0,
      );
      await store.checkpoint();
      const told = [...early.map((sample, s) => ({ ...sample, atMs: TRUE_MS + s * 1000 })), ...late];
      const found = await store.samples(ref, everything, 1000);
      expect(found.map(({ atMs, value, clock }) => [atMs, value, clock])).toEqual(
        told.map(({ atMs, value }) => [atMs, value, 'synced']),
      );
      const { mean = Number.NaN, coverage, ...exact } = bruteAggregate(told, theDay, site.nowMs);
      const answer = await store.aggregate(ref, theDay);
      expect(answer).toMatchObject({ ...exact, undatedSamples: 0 });
      expect(answer?.mean).toBeCloseTo(mean, 9);
      await store.stop();
      store = await site.open();
      expect(await store.aggregate(ref, theDay)).toMatchObject({ samples: 240, undatedSamples: 0 });
      await store.stop();
    },
  );

  it('stay apart, in order, and are told of when the machine was switched off before', async () => {
    let store = await site.open();
    record(store, 60);
    await store.stop();
    site.reboot('boot 2');
    site.nowMs = BELIEVED_MS;
    store = await site.open();
    record(store, 60, 600);
    setClock();
    record(store, 60, 900);
    await eventually(
      'the second boot is corrected',
      async () => (await store.undatedSamples(ref, 1000)).length === 60,
    );
    await store.checkpoint();
    const answer = await store.aggregate(ref, everything);
    expect(answer).toMatchObject({ samples: 120, undatedSamples: 60, min: { value: 60 } });
    const undated = await store.undatedSamples(ref, 1000);
    expect(undated.map(({ bootId, seq, clock }) => [bootId, seq, clock])).toEqual(
      Array.from({ length: 60 }, (_, i) => ['boot 1', i + 1, 'unsynced']),
    );
    expect(await store.aggregate(ref, everything, { undated: 'include' })).toMatchObject({
      samples: 180,
      min: { value: 0 },
    });
    await store.stop();
  });

  it('go on being corrected when the program dies half way', async () => {
    let store = await site.open();
    const refs = Array.from({ length: 20 }, (_, n) => ({ machine: 'oven', point: `p${n}` }));
    for (const own of refs) store.append([site.sample(1, { ref: own })]);
    await store.checkpoint();
    setClock();
    store.append([site.sample(2, { ref: { machine: 'oven', point: 'p0' } })]);
    // The first of the corrections is on disk, the others wait in line when the program stops.
    await store.flush();
    await store.stop();
    store = await site.open();
    await eventually('all are corrected', () => store.health().figures?.['undated'] === 0);
    for (const own of refs)
      expect((await store.samples(own, theDay, 10)).map(({ atMs }) => atMs)[0]).toBe(TRUE_MS);
    await store.stop();
  });
});
