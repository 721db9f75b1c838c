import { edge } from '../session-edge.ts';
import type { SessionEffect } from '../session-effect.ts';
import { PLANNING_RETRIES, SESSION_LIMITS_MS } from '../session-limits.ts';
import type { StateOf } from '../session-state.ts';
import { answeredTurn, executionRefusal, joinRefusal, withConfirmations } from '../session-turn.ts';
import { idle } from './resting-edges.ts';

/** A plan is made within this, or the fallback route is taken; milliseconds for each try. */
const LONGEST_PLANNING_MS = SESSION_LIMITS_MS.error_handling;

/** From words to a plan. */
export const ROUTING_EDGES = [
  ...(['not_understood', 'after:parsing'] as const).map((on) =>
    edge({
      from: ['PARSING'],
      on,
      when: 'templates were tried',
      refusal: ({ strategy }) => (strategy === 'template' ? undefined : 'keywords were tried already'),
      next: (state, _event, nowMs): StateOf<'PARSING'> => ({ ...state, sinceMs: nowMs, strategy: 'keyword' }),
      effects: ({ turn }) => [{ kind: 'parse_by_keyword', turnId: turn.id }],
    }),
  ),
  ...(['not_understood', 'after:keyword_match'] as const).map((on) =>
    edge({
      from: ['PARSING'],
      on,
      to: 'LISTENING',
      when: 'keywords were tried',
      // A question that was open stays open.
      next: ({ parked, asked }, _event, nowMs): StateOf<'LISTENING'> => ({
        name: 'LISTENING',
        sinceMs: nowMs,
        parked,
        ...(asked === undefined ? {} : { asked }),
      }),
      ends: { outcome: 'FAILED', reason: 'not_understood' },
    }),
  ),
  edge({
    from: ['PARSING'],
    on: 'understood',
    to: 'ROUTING',
    when: 'it answers the open question',
    refusal: ({ asked }, { answers }) =>
      answers && asked === undefined ? 'no question is open that it could answer' : rejectUnless(answers),
    next: ({ parked, turn, asked }, _event, nowMs): StateOf<'ROUTING'> => ({
      name: 'ROUTING',
      sinceMs: nowMs,
      parked,
      turn: asked === undefined ? turn : answeredTurn(asked, turn),
      planner: { kind: 'rules' },
    }),
  }),
  edge({
    from: ['PARSING'],
    on: 'understood',
    to: 'ROUTING',
    when: 'it is something new',
    refusal: (_state, { answers }) => (answers ? 'no question is open that it could answer' : undefined),
    next: ({ parked, turn }, _event, nowMs): StateOf<'ROUTING'> => ({
      name: 'ROUTING',
      sinceMs: nowMs,
      parked,
      turn,
      planner: { kind: 'rules' },
    }),
    ends: { outcome: 'ABANDONED', reason: 'superseded', whose: 'an open question' },
  }),
  edge({
    from: ['ROUTING'],
    on: 'planning_started',
    when: 'no route was found by rules',
    refusal: ({ planner }, { limitMs }) =>
      planner.kind !== 'rules'
        ? 'a model plans before the fallback, and once'
        : limitMs > 0 && limitMs <= LONGEST_PLANNING_MS
          ? undefined
          : `a try of a plan takes more than 0 and at most ${LONGEST_PLANNING_MS} ms`,
    next: (state, { limitMs }, nowMs) => ({
      ...state,
      sinceMs: nowMs,
      planner: { kind: 'model', retries: 0, limitMs },
    }),
  }),
  ...(['plan_failed', 'after:planning'] as const).flatMap((on) => [
    edge({
      from: ['ROUTING'],
      on,
      when: 'fewer than 2 retries',
      refusal: ({ planner }) =>
        planner.kind === 'model' && planner.retries < PLANNING_RETRIES ? undefined : 'no retry is left',
      next: (state, _event, nowMs): StateOf<'ROUTING'> => ({
        ...state,
        sinceMs: nowMs,
        planner:
          state.planner.kind === 'model'
            ? { ...state.planner, retries: state.planner.retries + 1 }
            : state.planner,
      }),
      effects: (_state, { turn, planner }): readonly SessionEffect[] =>
        planner.kind === 'model' ? [{ kind: 'plan_again', turnId: turn.id, retry: planner.retries }] : [],
    }),
    toFallback(on, 'no retry is left'),
  ]),
  toFallback('after:routing', undefined),
  ...(['plan_failed', 'refused', 'after:fallback'] as const).map((on) =>
    edge({
      from: ['ROUTING'],
      on,
      to: 'IDLE',
      ...(on === 'plan_failed' ? { when: 'the fallback was tried' } : {}),
      next: idle,
      ends: { outcome: 'FAILED', reason: on === 'refused' ? 'refused' : 'no_route' },
    }),
  ),
  edge({
    from: ['ROUTING'],
    on: 'question_asked',
    to: 'LISTENING',
    refusal: ({ turn }) => joinRefusal(turn, 1),
    next: ({ parked, turn }, _event, nowMs) => ({ name: 'LISTENING', sinceMs: nowMs, parked, asked: turn }),
  }),
  edge({
    from: ['ROUTING'],
    on: 'planned',
    to: 'EXECUTING',
    when: 'valid, tools READY, lifespan left > 1.8 × estimate',
    refusal: ({ turn }, { check }, nowMs) => executionRefusal(check, turn, nowMs),
    next: ({ parked, turn }, { check }, nowMs) => ({
      name: 'EXECUTING',
      sinceMs: nowMs,
      parked,
      turn: withConfirmations(turn, check.pendingConfirmations),
    }),
  }),
  edge({
    from: ['PARSING', 'ROUTING'],
    on: 'cancel',
    to: 'IDLE',
    next: idle,
    ends: { outcome: 'CANCELLED', reason: 'cancelled' },
    effects: ({ turn }) => [{ kind: 'abort', turnId: turn.id, why: 'cancelled' }],
  }),
];

function toFallback(on: 'plan_failed' | 'after:planning' | 'after:routing', when: string | undefined) {
  return edge({
    from: ['ROUTING'],
    on,
    ...(when === undefined ? {} : { when }),
    refusal: ({ planner }) => (planner.kind === 'fallback' ? 'the fallback was tried already' : undefined),
    next: (state, _event, nowMs): StateOf<'ROUTING'> => ({
      ...state,
      sinceMs: nowMs,
      planner: { kind: 'fallback' },
    }),
    effects: ({ turn }) => [{ kind: 'route_by_fallback', turnId: turn.id }],
  });
}

function rejectUnless(answers: boolean): string | undefined {
  return answers ? undefined : 'it does not answer the open question';
}
