/** How long a state, or a part of one, may last; milliseconds. */
export const SESSION_LIMITS_MS = {
  /** Without speech. */
  listening: 30_000,
  /** Speech in which no word of the grammar is heard: the noise of the hall. */
  no_keyword: 3000,
  /** One utterance; then it is cut. */
  utterance: 15_000,
  parsing: 500,
  keyword_match: 80,
  routing: 200,
  /** The fallback route, after the routing or the planning came to nothing. */
  fallback: 200,
  execution: 30_000,
  confirmation: 60_000,
  error_handling: 10_000,
  /** A turn without a person being waited for; above every limit of its parts. */
  watchdog: 45_000,
  /** A parked confirmation, from when it was asked. */
  parked: 1_800_000,
} as const;

/** A plan that failed is asked for so many times more. */
export const PLANNING_RETRIES = 2;
/** At the third failure a person is called. */
export const FAILURES_BEFORE_GIVING_UP = 3;
/** Confirmations that may be parked in one session. */
export const MOST_PARKED = 5;
/** Turns that may go on with one another; a conversation that needs more is refused. */
export const MOST_JOINED = 16;
