import { newLifespan } from '../../src/domain/session/lifespan.ts';
import type { ExecutionCheck, SessionEvent } from '../../src/domain/session/session-event.ts';

/** A plan that nothing speaks against. */
export const SOUND: ExecutionCheck = {
  schemaValid: true,
  tools: [{ tool: 'read-value', state: 'READY' }],
  estimateMs: 200,
  pendingConfirmations: 0,
};

export function transcript(turnId: string): SessionEvent {
  return { type: 'transcript', turnId, lifespan: newLifespan() };
}
export const UNDERSTOOD: SessionEvent = { type: 'understood', answers: false };
export const PLANNED: SessionEvent = { type: 'planned', check: SOUND };

/** A write that wants its consent; nothing of it may wait. */
export function writeAsked(id: string): SessionEvent {
  return {
    type: 'confirmation_needed',
    confirmation: { id, risk: 'physical', parkable: false },
    pendingConfirmations: 1,
  };
}

export function workOrderAsked(id: string): SessionEvent {
  return {
    type: 'confirmation_needed',
    confirmation: { id, risk: 'reversible', parkable: true },
    pendingConfirmations: 1,
  };
}

export function confirmed(confirmationId: string, turnId?: string): SessionEvent {
  return { type: 'confirmed', confirmationId, check: SOUND, ...(turnId === undefined ? {} : { turnId }) };
}
