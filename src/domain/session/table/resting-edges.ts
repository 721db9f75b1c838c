import { edge } from '../session-edge.ts';
import type { SessionEffect } from '../session-effect.ts';
import type { Hearing, SessionState, StateOf } from '../session-state.ts';
import { openedTurn, openTurnRefusal } from '../session-turn.ts';

/** Where a session rests or listens, and what opens a turn. */
export const RESTING_EDGES = [
  edge({
    from: ['IDLE'],
    on: 'speech_started',
    to: 'LISTENING',
    next: ({ parked }, _event, nowMs) => ({
      name: 'LISTENING',
      sinceMs: nowMs,
      parked,
      hearing: { sinceMs: nowMs, keyword: false, cut: false },
    }),
  }),
  edge({
    from: ['IDLE'],
    on: 'keyword_heard',
    to: 'LISTENING',
    next: ({ parked }, _event, nowMs) => ({
      name: 'LISTENING',
      sinceMs: nowMs,
      parked,
      hearing: { sinceMs: nowMs, keyword: true, cut: false },
    }),
  }),
  edge({
    from: ['LISTENING', 'CONFIRMING'],
    on: 'speech_started',
    // Noise that starts again and again must not begin the 3 s anew.
    next: (state, _event, nowMs) => ({ ...state, hearing: heard(state, nowMs) }),
  }),
  edge({
    from: ['LISTENING', 'CONFIRMING'],
    on: 'keyword_heard',
    next: (state, _event, nowMs) => ({ ...state, hearing: { ...heard(state, nowMs), keyword: true } }),
  }),
  edge({
    from: ['LISTENING'],
    on: 'speech_ended',
    next: (state, _event, nowMs) => {
      const { hearing, ...rest } = state;
      const wasSpeech = hearing?.keyword === true || state.asked !== undefined;
      return wasSpeech ? { ...rest, sinceMs: nowMs } : rest;
    },
  }),
  edge({
    from: ['CONFIRMING'],
    on: 'speech_ended',
    next: ({ hearing: _, ...rest }) => rest,
  }),
  edge({
    from: ['LISTENING', 'CONFIRMING'],
    on: 'after:utterance',
    next: (state, _event, nowMs) => ({ ...state, hearing: { ...heard(state, nowMs), cut: true } }),
    effects: () => [{ kind: 'cut_utterance' }],
  }),
  edge({
    from: ['LISTENING'],
    on: 'after:no_keyword',
    to: 'IDLE',
    next: idle,
    effects: () => [{ kind: 'sleep_microphone' }],
  }),
  edge({
    from: ['LISTENING'],
    on: 'after:listening',
    to: 'IDLE',
    next: idle,
    ends: { outcome: 'ABANDONED', reason: 'unanswered', whose: 'the open question' },
    effects: (): readonly SessionEffect[] => [{ kind: 'sleep_microphone' }],
  }),
  edge({
    from: ['LISTENING'],
    on: 'cancel',
    to: 'IDLE',
    next: idle,
    ends: { outcome: 'CANCELLED', reason: 'cancelled', whose: 'the open question' },
    effects: (): readonly SessionEffect[] => [{ kind: 'sleep_microphone' }],
  }),
  edge({
    from: ['IDLE', 'LISTENING'],
    on: 'transcript',
    to: 'PARSING',
    refusal: (state, { turnId }) => openTurnRefusal(state, turnId),
    next: (state, { turnId, lifespan }, nowMs) => ({
      name: 'PARSING',
      sinceMs: nowMs,
      parked: state.parked,
      turn: openedTurn(turnId, lifespan, nowMs),
      strategy: 'template',
      ...('asked' in state && state.asked !== undefined ? { asked: state.asked } : {}),
    }),
  }),
  ...(['IDLE', 'LISTENING'] as const).map((from) =>
    edge({
      from: [from],
      on: 'requested',
      to: 'ROUTING',
      refusal: (state, { turnId }) => openTurnRefusal(state, turnId),
      next: ({ parked }, { turnId, lifespan }, nowMs): StateOf<'ROUTING'> => ({
        name: 'ROUTING',
        sinceMs: nowMs,
        parked,
        turn: openedTurn(turnId, lifespan, nowMs),
        planner: { kind: 'rules' },
      }),
      ...(from === 'IDLE'
        ? {}
        : { ends: { outcome: 'ABANDONED', reason: 'superseded', whose: 'an open question' } as const }),
    }),
  ),
];

export function idle(state: SessionState, _event: unknown, nowMs: number): StateOf<'IDLE'> {
  return { name: 'IDLE', sinceMs: nowMs, parked: state.parked };
}

/** What is being heard already, or speech that starts now. */
function heard(state: { readonly hearing?: Hearing | undefined }, nowMs: number): Hearing {
  return state.hearing === undefined || state.hearing.cut
    ? { sinceMs: nowMs, keyword: false, cut: false }
    : state.hearing;
}
