import type { HistoryAggregate } from '../../app/ports/history-store.ts';
import type { Bucket } from '../../domain/history/bucket.ts';

/** The answer that a bucket over a period of this length makes. */
export function aggregateOf(bucket: Bucket, lengthMs: number, undatedSamples: number): HistoryAggregate {
  const coveredMs = Math.min(bucket.coveredMs, lengthMs);
  const { last } = bucket;
  return {
    samples: bucket.samples,
    coveredS: coveredMs / 1000,
    coverage: lengthMs === 0 ? 0 : coveredMs / lengthMs,
    changes: bucket.changes,
    ...(last === undefined ? {} : { last: { value: last, atMs: bucket.lastAtMs } }),
    ...(Number.isFinite(bucket.min)
      ? {
          min: { value: bucket.min, atMs: bucket.minAtMs },
          max: { value: bucket.max, atMs: bucket.maxAtMs },
        }
      : {}),
    ...(bucket.numberMs > 0 ? { mean: bucket.integral / bucket.numberMs } : {}),
    ...(typeof last === 'boolean' ? { trueS: bucket.trueMs / 1000 } : {}),
    undatedSamples,
  };
}
