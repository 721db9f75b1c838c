export type HealthStatus = 'ok' | 'starting' | 'degraded' | 'down' | 'off';

/** What `/healthz`, `status` and `doctor` show of one part. */
export interface Health {
  readonly status: HealthStatus;
  /** One line a maintenance engineer understands, such as "no answer from 10.0.0.7:502 since 12:01". */
  readonly detail: string;
  /** Counters worth seeing, such as dropped frames; units in the names. */
  readonly figures?: Readonly<Record<string, number>>;
}

/**
 * A part of the daemon with a life. Constructors only assign; `start` acquires, `stop` releases whatever
 * `start` acquired, also after a `start` that failed half way. A part that can recover by itself resolves
 * `start` and reports `degraded` or `down` instead of rejecting.
 */
export interface Service {
  readonly name: string;
  start(signal: AbortSignal): Promise<void>;
  /** Resolves within `deadlineMs` at the latest. */
  stop(deadlineMs: number): Promise<void>;
  health(): Health;
}

/** Removes a listener. */
export type Unsubscribe = () => void;
