import { edge } from '../session-edge.ts';
import { MOST_PARKED, SESSION_LIMITS_MS } from '../session-limits.ts';
import type { Confirmation, ParkedConfirmation, SessionState } from '../session-state.ts';
import {
  executionRefusal,
  joinRefusal,
  openTurnRefusal,
  resumedTurn,
  withConfirmations,
  withJoined,
} from '../session-turn.ts';
import { idle } from './resting-edges.ts';

/** Waiting for a person's consent: only consent leads on, silence never does. */
export const CONFIRMING_EDGES = [
  edge({
    from: ['ROUTING', 'EXECUTING'],
    on: 'confirmation_needed',
    to: 'CONFIRMING',
    next: ({ parked, turn }, { confirmation, pendingConfirmations }, nowMs) => ({
      name: 'CONFIRMING',
      sinceMs: nowMs,
      parked,
      turn: withConfirmations(turn, pendingConfirmations),
      confirmation,
    }),
  }),
  edge({
    from: ['ROUTING'],
    on: 'resume_parked',
    to: 'CONFIRMING',
    refusal: (state, { confirmationId }) => {
      const parked = parkedOf(state, confirmationId);
      return parked === undefined
        ? `no confirmation ${confirmationId} is parked`
        : joinRefusal(state.turn, parked.turnIds.length);
    },
    next: (state, { confirmationId }, nowMs) => {
      const parked = parkedOf(state, confirmationId);
      if (parked === undefined) throw new Error('a refused edge was taken');
      return {
        name: 'CONFIRMING',
        sinceMs: nowMs,
        parked: state.parked.filter((each) => each !== parked),
        turn: withJoined(withConfirmations(state.turn, 1), parked.turnIds),
        confirmation: parked.confirmation,
      };
    },
  }),
  edge({
    from: ['CONFIRMING'],
    on: 'question_heard',
    when: 'for the first time',
    refusal: ({ heardAtMs }) =>
      heardAtMs === undefined ? undefined : 'its question was heard before: the limit runs',
    next: (state, _event, nowMs) => ({ ...state, heardAtMs: nowMs }),
  }),
  edge({
    from: ['CONFIRMING'],
    on: 'confirmed',
    to: 'EXECUTING',
    when: 'the plan may still be begun',
    refusal: (state, { confirmationId, check, turnId }, nowMs) =>
      confirmationId !== state.confirmation.id
        ? `confirmation ${confirmationId} is not the open one, ${state.confirmation.id}`
        : (executionRefusal(check, resumedTurn(state.turn, check, state.sinceMs, nowMs), nowMs) ??
          (turnId === undefined
            ? undefined
            : (openTurnRefusal(state, turnId) ?? joinRefusal(state.turn, 1)))),
    next: ({ parked, turn, sinceMs, confirmation }, { check, turnId }, nowMs) => ({
      name: 'EXECUTING',
      sinceMs: nowMs,
      parked,
      turn: withJoined(resumedTurn(turn, check, sinceMs, nowMs), turnId === undefined ? [] : [turnId]),
      confirmed: confirmation.id,
    }),
  }),
  edge({
    from: ['EXECUTING'],
    on: 'confirmed',
    when: 'it was said twice',
    refusal: (state, { confirmationId, turnId }) =>
      state.confirmed !== confirmationId
        ? `confirmation ${confirmationId} is not open`
        : turnId === undefined
          ? undefined
          : openTurnRefusal(state, turnId),
    next: (state) => state,
    ends: { outcome: 'COMPLETED', reason: 'done', whose: 'what was said' },
  }),
  edge({
    from: ['CONFIRMING'],
    on: 'after:confirmation',
    to: 'IDLE',
    when: 'it may be parked',
    refusal: ({ confirmation, parked }) =>
      !mayBeParked(confirmation)
        ? 'what moves a machine is not parked'
        : parked.length < MOST_PARKED
          ? undefined
          : `${MOST_PARKED} are parked already`,
    next: (state, _event, nowMs) => ({
      name: 'IDLE',
      sinceMs: nowMs,
      parked: [
        ...state.parked,
        {
          confirmation: state.confirmation,
          turnIds: [state.turn.id, ...state.turn.joined],
          untilMs: state.sinceMs + SESSION_LIMITS_MS.parked,
        },
      ],
    }),
    effects: ({ turn, confirmation }) => [
      { kind: 'park', turnId: turn.id, confirmationId: confirmation.id },
      { kind: 'say', note: 'parked', turnId: turn.id },
    ],
  }),
  edge({
    from: ['CONFIRMING'],
    on: 'after:confirmation',
    to: 'IDLE',
    when: 'it may not be parked',
    next: idle,
    ends: { outcome: 'CANCELLED', reason: 'not_confirmed' },
    effects: ({ turn }) => [{ kind: 'say', note: 'not_confirmed', turnId: turn.id }],
  }),
  edge({
    from: ['CONFIRMING'],
    on: 'cancel',
    to: 'IDLE',
    next: idle,
    ends: { outcome: 'CANCELLED', reason: 'cancelled' },
    effects: ({ turn }) => [{ kind: 'abort', turnId: turn.id, why: 'cancelled' }],
  }),
  edge({
    from: ['CONFIRMING'],
    on: 'refused',
    to: 'IDLE',
    next: idle,
    ends: { outcome: 'FAILED', reason: 'refused' },
    effects: ({ turn }) => [{ kind: 'abort', turnId: turn.id, why: 'refused' }],
  }),
  edge({
    from: ['CONFIRMING'],
    on: 'ground_changed',
    to: 'IDLE',
    next: idle,
    ends: { outcome: 'CANCELLED', reason: 'ground_changed' },
    effects: ({ turn }) => [{ kind: 'abort', turnId: turn.id, why: 'ground_changed' }],
  }),
];

function mayBeParked({ risk, parkable }: Confirmation): boolean {
  return parkable && (risk === 'none' || risk === 'reversible');
}

function parkedOf({ parked }: SessionState, confirmationId: string): ParkedConfirmation | undefined {
  return parked.find(({ confirmation }) => confirmation.id === confirmationId);
}
