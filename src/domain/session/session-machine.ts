/**
 * The states of one station's session. In: a state and an event. Out: the next state with its effects, or a
 * violation that changes nothing. Pure: the caller owns the clock and carries out the effects.
 */
export const SESSION_STATES = [
  'IDLE',
  'LISTENING',
  'PARSING',
  'ROUTING',
  'EXECUTING',
  'CONFIRMING',
  'ERROR_HANDLING',
] as const;
export type SessionStateName = (typeof SESSION_STATES)[number];

/** How a task ended. */
export const OUTCOMES = ['COMPLETED', 'CANCELLED', 'FAILED', 'ABANDONED'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const SESSION_EVENTS = [
  'speech_started',
  'transcript',
  'understood',
  'not_understood',
  'question_asked',
  'planned',
  'refused',
  'confirmation_needed',
  'confirmed',
  'completed',
  'failed',
  'retry',
  'gave_up',
  'cancel',
  'timeout',
] as const;
export type SessionEvent = (typeof SESSION_EVENTS)[number];

export interface SessionState {
  readonly name: SessionStateName;
  /** The turn being worked on; undefined while idle or only listening. */
  readonly turnId: string | undefined;
  /** Failures of this task so far; the third gives up. */
  readonly failures: number;
}

export type SessionEffect =
  /** Ends the timer that runs, and starts one that brings `timeout`; undefined starts none. */
  | { readonly kind: 'deadline'; readonly afterMs: number | undefined }
  | { readonly kind: 'outcome'; readonly turnId: string; readonly outcome: Outcome };

export interface StateViolation {
  readonly state: SessionStateName;
  readonly event: SessionEvent;
  readonly reason: string;
}

export type Step =
  | { readonly ok: true; readonly state: SessionState; readonly effects: readonly SessionEffect[] }
  | { readonly ok: false; readonly violation: StateViolation };

interface Transition {
  readonly to: SessionStateName;
  readonly outcome?: Outcome;
}

/**
 * How long a state may last before `timeout`, milliseconds; undefined is for ever.
 * LISTENING 30 s, PARSING 500 ms, ROUTING 200 ms, CONFIRMING 60 s; EXECUTING ends with the turn at 30 s.
 */
export const STATE_LIMIT_MS: Readonly<Record<SessionStateName, number | undefined>> = {
  IDLE: undefined,
  LISTENING: 30_000,
  PARSING: 500,
  ROUTING: 200,
  EXECUTING: 30_000,
  CONFIRMING: 60_000,
  ERROR_HANDLING: 10_000,
};

export const FAILURES_BEFORE_GIVING_UP = 3;

const TABLE: Readonly<Record<SessionStateName, Partial<Readonly<Record<SessionEvent, Transition>>>>> = {
  IDLE: {
    speech_started: { to: 'LISTENING' },
    transcript: { to: 'PARSING' },
  },
  LISTENING: {
    speech_started: { to: 'LISTENING' },
    transcript: { to: 'PARSING' },
    cancel: { to: 'IDLE' },
    timeout: { to: 'IDLE' },
  },
  PARSING: {
    understood: { to: 'ROUTING' },
    not_understood: { to: 'LISTENING', outcome: 'FAILED' },
    cancel: { to: 'IDLE', outcome: 'CANCELLED' },
    timeout: { to: 'LISTENING', outcome: 'FAILED' },
  },
  ROUTING: {
    planned: { to: 'EXECUTING' },
    confirmation_needed: { to: 'CONFIRMING' },
    question_asked: { to: 'LISTENING' },
    refused: { to: 'IDLE', outcome: 'FAILED' },
    cancel: { to: 'IDLE', outcome: 'CANCELLED' },
    timeout: { to: 'IDLE', outcome: 'FAILED' },
  },
  EXECUTING: {
    completed: { to: 'IDLE', outcome: 'COMPLETED' },
    confirmation_needed: { to: 'CONFIRMING' },
    failed: { to: 'ERROR_HANDLING' },
    cancel: { to: 'IDLE', outcome: 'CANCELLED' },
    timeout: { to: 'ERROR_HANDLING' },
  },
  CONFIRMING: {
    speech_started: { to: 'CONFIRMING' },
    confirmed: { to: 'EXECUTING' },
    cancel: { to: 'IDLE', outcome: 'CANCELLED' },
    timeout: { to: 'IDLE', outcome: 'CANCELLED' },
  },
  ERROR_HANDLING: {
    retry: { to: 'EXECUTING' },
    gave_up: { to: 'IDLE', outcome: 'FAILED' },
    cancel: { to: 'IDLE', outcome: 'CANCELLED' },
    timeout: { to: 'IDLE', outcome: 'FAILED' },
  },
};

export const IDLE_SESSION: SessionState = { name: 'IDLE', turnId: undefined, failures: 0 };

/** The events a state accepts, for documentation and tests. */
export function acceptedEvents(state: SessionStateName): readonly SessionEvent[] {
  return SESSION_EVENTS.filter((event) => TABLE[state][event] !== undefined);
}

/** One step. `turnId` is required with `transcript`, and ignored with every other event. */
export function step(state: SessionState, event: SessionEvent, turnId?: string): Step {
  const transition = TABLE[state.name][event];
  const violation = (reason: string): Step => ({
    ok: false,
    violation: { state: state.name, event, reason },
  });
  if (transition === undefined) {
    return violation(`${state.name} accepts ${acceptedEvents(state.name).join(', ')}; not ${event}`);
  }
  if (event === 'transcript' && turnId === undefined)
    return violation('a transcript opens a turn and needs its id');

  const failures =
    event === 'failed' || (event === 'timeout' && state.name === 'EXECUTING')
      ? state.failures + 1
      : state.failures;
  if (event === 'retry' && failures >= FAILURES_BEFORE_GIVING_UP) {
    return violation(`${failures} failures are the limit: only gave_up or cancel is left`);
  }
  const resting = transition.to === 'IDLE' || transition.to === 'LISTENING';
  const effects: SessionEffect[] = [{ kind: 'deadline', afterMs: STATE_LIMIT_MS[transition.to] }];
  if (transition.outcome !== undefined && state.turnId !== undefined) {
    effects.push({ kind: 'outcome', turnId: state.turnId, outcome: transition.outcome });
  }
  return {
    ok: true,
    state: {
      name: transition.to,
      turnId: event === 'transcript' ? turnId : resting ? undefined : state.turnId,
      failures: resting || event === 'transcript' ? 0 : failures,
    },
    effects,
  };
}
