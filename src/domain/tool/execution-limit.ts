/**
 * The limit of a tool from the 95th percentile of its measured durations: 1.3 times as long, rounded up to ten
 * milliseconds (article 001: 416 to 420 ms). The percentile and not the mean, since durations are skewed.
 */
export function limitFromP95(p95Ms: number): number {
  return Math.ceil((p95Ms * 13) / 100) * 10;
}

/** The 95th percentile by nearest rank; undefined without durations. */
export function p95Of(durationsMs: readonly number[]): number | undefined {
  const sorted = durationsMs.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.95) - 1];
}
