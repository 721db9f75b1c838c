export interface BackoffOptions {
  readonly baseMs: number;
  readonly maxMs: number;
}

/**
 * Delay before retry number `attempt` (0 is the first): doubling from `baseMs` to `maxMs`, then a random share
 * between half and all of it, so that many nodes do not return at one moment ("equal jitter").
 */
export function backoffMs(
  attempt: number,
  options: BackoffOptions,
  random: () => number = Math.random,
): number {
  const full = Math.min(options.maxMs, options.baseMs * 2 ** Math.min(attempt, 30));
  return full / 2 + (full / 2) * random();
}
