import type { HistoryAggregate, TimeRange } from '../../src/app/ports/history-store.ts';
import type { Sample } from '../../src/domain/history/sample.ts';

/**
 * What a list of samples of one point, in the order they came, adds up to over a period: worked out sample by sample, the
 * slow and obvious way. A value holds until the next sample, at most for its hold, and not over a restart.
 */
export function bruteAggregate(
  samples: readonly Sample[],
  { fromMs, toMs }: TimeRange,
  nowMs: number,
): Omit<HistoryAggregate, 'undatedSamples'> {
  let [count, changes, coveredMs, numberMs, integral, trueMs] = [0, 0, 0, 0, 0, 0];
  let min: { value: number; atMs: number } | undefined;
  let max: { value: number; atMs: number } | undefined;
  let last: { value: number | boolean | string; atMs: number } | undefined;
  let lastGood: Sample['value'];
  const seen = (value: number | boolean | string, atMs: number): void => {
    if (typeof value === 'number') {
      if (min === undefined || value < min.value) min = { value, atMs };
      if (max === undefined || value > max.value) max = { value, atMs };
    }
    if (last === undefined || atMs >= last.atMs) last = { value, atMs };
  };
  samples.forEach((sample, i) => {
    if (sample.quality !== 'good' || sample.value === undefined) return;
    const { value, atMs } = sample;
    if (atMs >= fromMs && atMs < toMs) {
      count += 1;
      if (lastGood !== undefined && lastGood !== value) changes += 1;
      seen(value, atMs);
    }
    lastGood = value;
    const next = samples[i + 1];
    const untilMs = next === undefined ? nowMs : next.bootId === sample.bootId ? next.atMs : atMs;
    const from = Math.max(atMs, fromMs);
    const to = Math.min(untilMs, atMs + (sample.holdMs ?? 90_000), toMs);
    if (to <= from) return;
    seen(value, from);
    coveredMs += to - from;
    if (typeof value === 'number') {
      numberMs += to - from;
      integral += value * (to - from);
    } else if (value === true) trueMs += to - from;
  });
  return {
    samples: count,
    changes,
    coveredS: coveredMs / 1000,
    coverage: coveredMs / (toMs - fromMs),
    ...(last === undefined ? {} : { last }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(numberMs === 0 ? {} : { mean: integral / numberMs }),
    ...(typeof last?.value === 'boolean' ? { trueS: trueMs / 1000 } : {}),
  };
}
