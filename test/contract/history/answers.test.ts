import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryAggregate } from '../../../src/app/ports/history-store.ts';
import type { Sample } from '../../../src/domain/history/sample.ts';
import { bruteAggregate } from '../../support/brute-history.ts';
import { HistorySite } from '../../support/history-site.ts';

const ref = { machine: 'oven', point: 'temperature' };
const HOUR_MS = 3_600_000;

/** One thing that happens: time passes, then a sample comes or the store is told to write or start again. */
const anyStep = fc.record({
  afterMs: fc.oneof(fc.nat(2000), fc.nat(120_000), fc.nat(HOUR_MS)),
  does: fc.oneof(
    { weight: 30, arbitrary: fc.constant('sample' as const) },
    { weight: 3, arbitrary: fc.constantFrom('flush' as const, 'checkpoint' as const) },
    { weight: 1, arbitrary: fc.constantFrom('restart' as const, 'reboot' as const) },
  ),
  value: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: -500, max: 500 }).map((n) => n / 10) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  ),
  holdMs: fc.constantFrom(90_000, 90_000, 90_000, 5000),
});

function expectSame(answer: HistoryAggregate | undefined, brute: ReturnType<typeof bruteAggregate>): void {
  const { mean, coverage, ...exact } = brute;
  expect(answer).toMatchObject(exact);
  expect(answer?.coverage).toBeCloseTo(coverage, 9);
  if (mean === undefined) expect(answer?.mean).toBeUndefined();
  else expect(answer?.mean).toBeCloseTo(mean, 9);
  if (exact.min === undefined) expect(answer?.min).toBeUndefined();
  if (exact.last === undefined) expect(answer?.last).toBeUndefined();
}

const HELD_OVER = (
  [
    ['sample', 0],
    ['flush', 0],
    ['sample', 1_380_000],
    ['restart', 0],
    ['checkpoint', 0],
  ] as const
).map(([does, afterMs]) => ({ does, afterMs, value: 0, holdMs: 90_000 as const }));

describe('answers from history', () => {
  it('equal what the samples add up to one by one, over any period, whatever was written when', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 5, maxLength: 120 }),
        fc.array(
          fc.tuple(
            fc.double({ min: -0.1, max: 1.1, noNaN: true }),
            fc.double({ min: 0, max: 1, noNaN: true }),
          ),
          {
            minLength: 4,
            maxLength: 8,
          },
        ),
        fc.boolean(),
        async (steps, periods, isWhole) => {
          const site = new HistorySite();
          let store = await site.open();
          const told: Sample[] = [];
          const startMs = site.nowMs;
          let boots = 1;
          for (const step of steps) {
            site.advance(step.afterMs);
            if (step.does === 'flush') await store.flush();
            else if (step.does === 'checkpoint') await store.checkpoint();
            else if (step.does === 'restart' || step.does === 'reboot') {
              await store.stop();
              if (step.does === 'reboot') site.reboot(`boot ${++boots}`);
              store = await site.open();
            } else {
              const sample = site.sample(step.value, { holdMs: step.holdMs });
              told.push(sample);
              store.append([sample]);
            }
          }
          const lengthMs = site.nowMs - startMs;
          // The open end of a life that is over covers nothing: nobody was reading.
          const isOver = steps.findLastIndex(({ does }) => does === 'restart' || does === 'reboot');
          const isOpen = steps.findLastIndex(({ does }) => does === 'sample') > isOver;
          for (const [start, length] of periods) {
            const step = isWhole ? 60_000 : 1;
            const fromMs = Math.round((startMs + start * lengthMs) / step) * step;
            const toMs = fromMs + Math.max(step, Math.round((length * lengthMs) / step) * step);
            const answer = await store.aggregate(ref, { fromMs, toMs });
            if (told.length === 0) expect(answer).toBeUndefined();
            else {
              const end = told.at(-1)?.atMs ?? 0;
              expectSame(answer, bruteAggregate(told, { fromMs, toMs }, isOpen ? site.nowMs : end));
            }
            const found = await store.samples(ref, { fromMs, toMs }, 1000);
            const expected = told.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
            expect(found.map(({ value, atMs, seq }) => ({ value, atMs, seq }))).toEqual(
              expected.map(({ value, atMs, seq }) => ({ value, atMs, seq })),
            );
          }
          await store.stop();
          site.remove();
        },
      ),
      {
        numRuns: 60,
        // A value that still holds in the next minute was taken in the one before.
        examples: [[HELD_OVER, [[0, 90 / 1380]], false]],
      },
    );
  });

  let site: HistorySite;
  beforeEach(() => {
    site = new HistorySite();
  });
  afterEach(() => site.remove());

  it('say how much of a period is covered: bad and missing readings are gaps', async () => {
    const store = await site.open();
    const fromMs = site.nowMs;
    for (let s = 0; s < 60; s += 1) {
      store.append([
        site.sample(s >= 20 && s < 30 ? undefined : s, { reason: s >= 20 && s < 30 ? 'timeout' : undefined }),
      ]);
      site.advance(1000);
    }
    const answer = await store.aggregate(ref, { fromMs, toMs: site.nowMs });
    expect(answer).toMatchObject({
      samples: 50,
      coveredS: 50,
      max: { value: 59 },
      min: { value: 0, atMs: fromMs },
    });
    expect(answer?.coverage).toBeCloseTo(50 / 60);
    await store.stop();
  });

  it('count the changes of text and the seconds of true, and have no maximum for them', async () => {
    const store = await site.open();
    const fromMs = site.nowMs;
    const states = ['run', 'run', 'stop', 'run'];
    for (const [n, state] of states.entries()) {
      store.append([
        site.sample(state, { ref: { machine: 'oven', point: 'state' } }),
        site.sample(n < 3, { ref: { machine: 'oven', point: 'heating' } }),
      ]);
      site.advance(10_000);
      if (n === 1) await store.checkpoint();
    }
    await store.checkpoint();
    const range = { fromMs, toMs: site.nowMs };
    const state = await store.aggregate({ machine: 'oven', point: 'state' }, range);
    expect(state).toMatchObject({ changes: 2, last: { value: 'run' }, samples: 4 });
    expect(state).not.toHaveProperty('max');
    expect(await store.aggregate({ machine: 'oven', point: 'heating' }, range)).toMatchObject({
      trueS: 30,
      changes: 1,
      last: { value: false },
    });
    await store.stop();
  });

  it('lose and double nothing when the clock jumps, forward or back', async () => {
    const store = await site.open();
    const fromMs = site.nowMs - HOUR_MS;
    for (const jumpMs of [0, 600_000, -1_200_000, 0, 86_400_000, -86_400_000]) {
      site.nowMs += jumpMs;
      for (let s = 0; s < 30; s += 1) {
        store.append([site.sample(s)]);
        site.advance(1000);
      }
      await store.checkpoint();
    }
    const range = { fromMs, toMs: fromMs + 5 * 86_400_000 };
    const found = await store.samples(ref, range, 1000);
    expect(found).toHaveLength(180);
    expect(new Set(found.map(({ seq }) => seq)).size).toBe(180);
    expect(await store.aggregate(ref, range)).toMatchObject({ samples: 180 });
    await store.stop();
  });

  it('know the newest sample at once, and after a restart', async () => {
    let store = await site.open();
    store.append([site.sample(20), site.sample(undefined, { reason: 'timeout' })]);
    expect(store.latest(ref)).toMatchObject({ quality: 'bad', reason: 'timeout' });
    await store.flush();
    await store.stop();
    store = await site.open();
    expect(store.latest(ref)).toMatchObject({ quality: 'bad', reason: 'timeout', seq: 2, bootId: 'boot 1' });
    expect(store.points()).toMatchObject([{ ref, latest: { seq: 2 } }]);
    expect(store.latest({ machine: 'oven', point: 'none' })).toBeUndefined();
    await store.stop();
  });

  it('refuse what has no time, and keep a good sample without a number as bad', async () => {
    const store = await site.open();
    store.append([site.sample(1, { atMs: Number.NaN }), site.sample(Number.NaN), site.sample(3)]);
    expect(store.health().figures).toMatchObject({ refused: 1 });
    const found = await store.samples(ref, { fromMs: site.nowMs, toMs: site.nowMs + 1 }, 10);
    expect(found.map(({ quality, reason }) => [quality, reason])).toEqual([
      ['bad', 'not_a_number'],
      ['good', undefined],
    ]);
    await store.stop();
  });
});
