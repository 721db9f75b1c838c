const KEPT = 128;

/** How long the last answers took, milliseconds. */
export class RoundTrips {
  readonly #recentMs = new Float64Array(KEPT);
  #count = 0;

  add(tookMs: number): void {
    this.#recentMs[this.#count % KEPT] = tookMs;
    this.#count += 1;
  }

  /** The nearest rank of the share `p` (0 to 1); undefined before the first answer. */
  percentileMs(p: number): number | undefined {
    const sorted = this.#recentMs.slice(0, Math.min(this.#count, KEPT)).sort();
    return sorted[Math.max(0, Math.ceil(sorted.length * p) - 1)];
  }
}
