import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Bucket } from '../../../../src/domain/history/bucket.ts';
import { readBuckets, writeBuckets } from '../../../../src/domain/history/bucket-codec.ts';
import { BucketSink, foldRun, PeriodSink } from '../../../../src/domain/history/fold.ts';
import { SampleRun } from '../../../../src/domain/history/sample-run.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 15);
const anyValues = fc.oneof(
  fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }), { maxLength: 40 }),
  fc.array(
    fc.integer({ min: -999, max: 999 }).map((n) => n / 10),
    { maxLength: 40 },
  ),
  fc.array(fc.boolean(), { maxLength: 40 }),
  fc.array(fc.constantFrom('run', 'stop', '故障', ''), { maxLength: 40 }),
);

/** A run of good samples, each so long after the one before. */
function runOf(values: readonly (number | boolean | string)[], steps: readonly number[]): SampleRun {
  const run = new SampleRun({ series: 1, boot: 1, timeline: 0, holdMs: 90_000 });
  let atMs = START_MS;
  for (const [i, value] of values.entries()) {
    run.push(atMs, atMs, i, value, 'good', undefined);
    atMs += steps[i % steps.length] ?? 1000;
  }
  return run;
}

const anySteps = fc.array(fc.nat(200_000), { minLength: 1, maxLength: 10 });

it('buckets come back from their columns as they were', () => {
  fc.assert(
    fc.property(anyValues, anySteps, (values, steps) => {
      const sink = new BucketSink(MINUTE_MS);
      foldRun(sink, undefined, runOf(values, steps));
      const back = readBuckets(writeBuckets({ stepMs: MINUTE_MS, buckets: sink.buckets }));
      expect(back.stepMs).toBe(MINUTE_MS);
      expect(back.buckets).toEqual(new Map([...sink.buckets].sort(([a], [b]) => a - b)));
    }),
  );
});

it('the buckets of a period add up to the period', () => {
  fc.assert(
    fc.property(anyValues, anySteps, (values, steps) => {
      const run = runOf(values, steps);
      const sink = new BucketSink(MINUTE_MS);
      foldRun(sink, undefined, run);
      const whole = new PeriodSink(START_MS, START_MS + 86_400_000);
      foldRun(whole, undefined, run);
      const sum = Bucket.sum(sink.buckets.values());
      const { integral, ...exact } = whole.bucket;
      const { integral: own, lastAtMs, ...others } = sum;
      const { lastAtMs: _, ...expected } = exact;
      expect(others).toEqual(expected);
      expect(own).toBeCloseTo(integral, -3);
    }),
  );
});

it('a value holds over the edge of a bucket, but not longer than its hold', () => {
  const run = runOf([5, 7], [200_000]);
  const sink = new BucketSink(MINUTE_MS);
  foldRun(sink, undefined, run);
  const covered = [...sink.buckets.values()].map(({ coveredMs, max }) => [coveredMs, max]);
  expect(covered).toEqual([
    [60_000, 5],
    [30_000, 5],
    [0, 7],
  ]);
});
