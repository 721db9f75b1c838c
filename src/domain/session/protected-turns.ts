import type { Action } from './action.ts';
import type { SessionMessage } from './session-record.ts';
import { openTurnIds, type SessionState } from './session-state.ts';

/** Of the steps that will not be done, so many turns that asked for them are kept, the newest. */
const MOST_TURNS = 10;

/**
 * The messages with their protection as it is now: turns whose question or confirmation is open, and those that asked for
 * what was cancelled or is held in this task. It ends with the question, and with the task.
 */
export function withProtection(
  messages: readonly SessionMessage[],
  state: SessionState,
  actions: readonly Action[],
  task: number,
): readonly SessionMessage[] {
  const undone = actions
    .filter((action) => action.task === task && (action.status === 'cancelled' || action.status === 'held'))
    .map(({ turnId }) => turnId);
  const turns = new Set([...openTurnIds(state), ...[...new Set(undone)].slice(-MOST_TURNS)]);
  return messages.map((message) => {
    const isProtected = turns.has(message.turnId);
    return isProtected === message.isProtected ? message : { ...message, isProtected };
  });
}
