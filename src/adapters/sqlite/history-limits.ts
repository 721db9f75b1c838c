/** A value counts as known for this long at most, milliseconds: it bounds how far back a question has to look. */
export const MAX_HOLD_MS = 6 * 3_600_000;

export interface HistoryLimits {
  /** How often new samples go to the disk, milliseconds: what a power cut may cost. */
  readonly flushIntervalMs: number;
  /** Samples are kept in the journal for this long before they become blocks, milliseconds. */
  readonly checkpointIntervalMs: number;
  /** Or until there are so many of them: what has to be read at the next start. */
  readonly checkpointSamples: number;
  /** Samples in memory; beyond, new ones are dropped and counted. Reached only when the disk takes no more. */
  readonly maxSamplesInMemory: number;
  /** For samples that bring none of their own, milliseconds. */
  readonly holdMs: number;
  /** How long every sample is kept, days. */
  readonly rawDays: number;
  /** How long sums by the minute are kept, days; after that they are by the quarter of an hour. At least `rawDays`. */
  readonly minuteDays: number;
  /** How long sums by the hour and the quarter are kept, days. */
  readonly aggregateDays: number;
  /** Ceiling for the size of the file, bytes: the oldest samples go first, then the oldest sums. */
  readonly maxBytes: number;
}

export const DEFAULT_HISTORY_LIMITS: HistoryLimits = {
  flushIntervalMs: 10_000,
  checkpointIntervalMs: 3_600_000,
  checkpointSamples: 200_000,
  maxSamplesInMemory: 600_000,
  holdMs: 90_000,
  rawDays: 7,
  minuteDays: 35,
  aggregateDays: 400,
  maxBytes: 4_000_000_000,
};
