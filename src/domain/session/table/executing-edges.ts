import { edge } from '../session-edge.ts';
import type { SessionEffect } from '../session-effect.ts';
import { FAILURES_BEFORE_GIVING_UP } from '../session-limits.ts';
import { SESSION_STATES, type StateOf } from '../session-state.ts';
import { openTurnRefusal, withCall, withFailure } from '../session-turn.ts';
import { idle } from './resting-edges.ts';

/** Carrying out, failing and trying again; and what ends a turn from anywhere. */
export const EXECUTING_EDGES = [
  edge({
    from: ['EXECUTING', 'CONFIRMING'],
    on: 'call_finished',
    next: (state) => ({ ...state, turn: withCall(state.turn) }),
  }),
  edge({
    from: ['EXECUTING'],
    on: 'completed',
    to: 'IDLE',
    next: idle,
    ends: { outcome: 'COMPLETED', reason: 'done' },
  }),
  edge({ from: ['EXECUTING'], on: 'failed', to: 'ERROR_HANDLING', next: failed, effects: escalation }),
  edge({
    from: ['EXECUTING'],
    on: 'after:execution',
    to: 'ERROR_HANDLING',
    next: failed,
    effects: (state, next): readonly SessionEffect[] => [
      { kind: 'abort', turnId: state.turn.id, why: 'execution_timeout' },
      { kind: 'count_timeout', turnId: state.turn.id },
      ...escalation(state, next),
    ],
  }),
  edge({
    from: ['ERROR_HANDLING'],
    on: 'retry',
    to: 'EXECUTING',
    when: 'fewer than 3 failures',
    refusal: ({ turn }) =>
      turn.failures < FAILURES_BEFORE_GIVING_UP
        ? undefined
        : `${turn.failures} failures are the limit: only gave_up or cancel is left`,
    next: ({ parked, turn }, _event, nowMs) => ({ name: 'EXECUTING', sinceMs: nowMs, parked, turn }),
  }),
  ...(['gave_up', 'after:error_handling'] as const).map((on) =>
    edge({
      from: ['ERROR_HANDLING'],
      on,
      to: 'IDLE',
      next: idle,
      ends: { outcome: 'FAILED', reason: 'gave_up' },
      // Whoever carried the turn out would have said that it gave up: it hangs.
      effects: ({ turn }): readonly SessionEffect[] =>
        on === 'gave_up' ? [] : [{ kind: 'roll_back', turnId: turn.id }],
    }),
  ),
  edge({
    from: ['EXECUTING', 'ERROR_HANDLING'],
    on: 'cancel',
    to: 'IDLE',
    next: idle,
    ends: { outcome: 'CANCELLED', reason: 'cancelled' },
    effects: ({ turn }) => [{ kind: 'abort', turnId: turn.id, why: 'cancelled' }],
  }),
  edge({
    from: ['EXECUTING', 'CONFIRMING', 'ERROR_HANDLING'],
    on: 'interrupt',
    refusal: (state, { turnId }) => openTurnRefusal(state, turnId),
    next: (state) => state,
    ends: { outcome: 'COMPLETED', reason: 'done', whose: 'what was said' },
  }),
  edge({
    from: ['PARSING', 'ROUTING', 'EXECUTING', 'ERROR_HANDLING'],
    on: 'after:watchdog',
    to: 'IDLE',
    next: idle,
    ends: { outcome: 'FAILED', reason: 'hung' },
    effects: ({ turn }) => [
      { kind: 'abort', turnId: turn.id, why: 'hung' },
      { kind: 'roll_back', turnId: turn.id },
      { kind: 'say', note: 'hung', turnId: turn.id },
    ],
  }),
  edge({
    from: ['LISTENING', 'PARSING', 'ROUTING', 'EXECUTING', 'ERROR_HANDLING'],
    on: 'after:lifespan',
    to: 'IDLE',
    next: idle,
    ends: { outcome: 'ABANDONED', reason: 'lifespan_over' },
    effects: (state): readonly SessionEffect[] => {
      const turn = state.name === 'LISTENING' ? state.asked : state.turn;
      return turn === undefined
        ? []
        : [
            { kind: 'abort', turnId: turn.id, why: 'lifespan_over' },
            { kind: 'say', note: 'lifespan_over', turnId: turn.id },
          ];
    },
  }),
  edge({
    from: SESSION_STATES,
    on: 'after:parked',
    next: (state, { deadline }) => ({
      ...state,
      parked: state.parked.filter(({ untilMs }) => untilMs > deadline.dueAtMs),
    }),
    ends: { outcome: 'ABANDONED', reason: 'unanswered', whose: 'what was parked' },
    effects: ({ parked }, { parked: left }): readonly SessionEffect[] =>
      parked
        .slice(0, parked.length - left.length)
        .flatMap(({ turnIds: [turnId] }) =>
          turnId === undefined ? [] : [{ kind: 'say', note: 'parked_expired', turnId }],
        ),
  }),
];

function failed(
  { parked, turn }: StateOf<'EXECUTING'>,
  _event: unknown,
  nowMs: number,
): StateOf<'ERROR_HANDLING'> {
  return { name: 'ERROR_HANDLING', sinceMs: nowMs, parked, turn: withFailure(turn) };
}

function escalation(
  _state: StateOf<'EXECUTING'>,
  { turn }: StateOf<'ERROR_HANDLING'>,
): readonly SessionEffect[] {
  return turn.failures < FAILURES_BEFORE_GIVING_UP
    ? []
    : [{ kind: 'escalate', turnId: turn.id, failures: turn.failures }];
}
