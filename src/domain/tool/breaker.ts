import type { ToolErrorCode } from './tool-call.ts';
import type { ToolContract } from './tool-contract.ts';

/** When a breaker opens and for how long, as a contract says. */
export type BreakerPolicy = ToolContract['breaker'];

/**
 * Keeps calls away from a tool whose far side does not answer. CLOSED lets all through; OPEN none, until its cooldown is over
 * and a health check has gone well; HALF_OPEN lets one of five through, and the first that goes well closes it.
 */
export type Breaker =
  | { readonly name: 'CLOSED'; readonly timeouts: number; readonly failures: number }
  | { readonly name: 'OPEN'; readonly checkAtMs: number; readonly trips: number }
  | { readonly name: 'HALF_OPEN'; readonly asked: number; readonly trips: number };

export const CLOSED: Breaker = { name: 'CLOSED', timeouts: 0, failures: 0 };

/** Of so many calls at a half-open breaker the first is let through. */
export const HALF_OPEN_ADMITS_ONE_OF = 5;
/** The cooldown doubles with each trip in a row, up to so many times the first. */
export const MAX_COOLDOWN_FACTOR = 8;

/** What a call says about the far side: nothing, when it was the asker's fault or was called off. */
type Verdict = 'good' | 'timeout' | 'failure' | 'nothing';

const FAILURES: readonly ToolErrorCode[] = [
  'TOOL_UNAVAILABLE',
  'TOOL_OOM',
  'TOOL_CPU',
  'TOOL_FAILED',
  'OUTPUT_INVALID',
  'OUTCOME_UNKNOWN',
];

export function verdictOf(code: ToolErrorCode | undefined): Verdict {
  if (code === undefined) return 'good';
  if (code === 'TOOL_TIMEOUT') return 'timeout';
  return FAILURES.includes(code) ? 'failure' : 'nothing';
}

/** Whether a call may go through now, and the breaker after it asked. */
export function askBreaker(breaker: Breaker): { readonly admitted: boolean; readonly breaker: Breaker } {
  switch (breaker.name) {
    case 'CLOSED':
      return { admitted: true, breaker };
    case 'OPEN':
      return { admitted: false, breaker };
    case 'HALF_OPEN':
      return {
        admitted: breaker.asked % HALF_OPEN_ADMITS_ONE_OF === 0,
        breaker: { ...breaker, asked: breaker.asked + 1 },
      };
  }
}

/** The breaker after a call that it let through has ended. `nowMs` is monotonic. */
export function recordCall(
  breaker: Breaker,
  code: ToolErrorCode | undefined,
  nowMs: number,
  policy: BreakerPolicy,
): Breaker {
  const verdict = verdictOf(code);
  if (verdict === 'nothing') return breaker;
  switch (breaker.name) {
    case 'CLOSED': {
      if (verdict === 'good') return CLOSED;
      const timeouts = verdict === 'timeout' ? breaker.timeouts + 1 : 0;
      const failures = breaker.failures + 1;
      return timeouts >= policy.timeouts || failures >= policy.failures
        ? openFor(1, nowMs, policy)
        : { name: 'CLOSED', timeouts, failures };
    }
    case 'HALF_OPEN':
      return verdict === 'good' ? CLOSED : openFor(breaker.trips + 1, nowMs, policy);
    case 'OPEN':
      // A call from before it opened ends late: it neither opens it again nor proves that the far side is back.
      return breaker;
  }
}

/** The breaker after the health check at the end of a cooldown. */
export function recordHealth(
  breaker: Breaker,
  isHealthy: boolean,
  nowMs: number,
  policy: BreakerPolicy,
): Breaker {
  if (breaker.name !== 'OPEN') return breaker;
  return isHealthy
    ? { name: 'HALF_OPEN', asked: 0, trips: breaker.trips }
    : openFor(breaker.trips + 1, nowMs, policy);
}

function openFor(trips: number, nowMs: number, policy: BreakerPolicy): Breaker {
  const factor = Math.min(MAX_COOLDOWN_FACTOR, 2 ** Math.min(trips - 1, 30));
  return { name: 'OPEN', checkAtMs: nowMs + policy.cooldown_ms * factor, trips };
}
