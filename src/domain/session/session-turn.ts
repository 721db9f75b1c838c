import { type Lifespan, leavesRoomFor, lifespanMs } from './lifespan.ts';
import type { ExecutionCheck } from './session-event.ts';
import { MOST_JOINED } from './session-limits.ts';
import { openTurnIds, type SessionState, type Turn } from './session-state.ts';

export function openedTurn(id: string, lifespan: Lifespan, nowMs: number): Turn {
  return { id, joined: [], lifespan, startedAtMs: nowMs, watchedFromMs: nowMs, failures: 0 };
}

/** The turn that answers what `asked` wanted to know: its task goes on, and so does its lifespan. */
export function answeredTurn(asked: Turn, answer: Turn): Turn {
  return {
    ...asked,
    id: answer.id,
    joined: [asked.id, ...asked.joined],
    watchedFromMs: answer.watchedFromMs,
  };
}

/** A turn that goes on after a person was waited for since `waitedFromMs`; its lifespan stood still. */
export function resumedTurn(turn: Turn, check: ExecutionCheck, waitedFromMs: number, nowMs: number): Turn {
  return {
    ...withConfirmations(turn, check.pendingConfirmations),
    startedAtMs: turn.startedAtMs + (nowMs - waitedFromMs),
    watchedFromMs: nowMs,
  };
}

export function withConfirmations(turn: Turn, pendingConfirmations: number): Turn {
  return { ...turn, lifespan: { ...turn.lifespan, pendingConfirmations } };
}

export function withCall(turn: Turn): Turn {
  return { ...turn, lifespan: { ...turn.lifespan, toolCalls: turn.lifespan.toolCalls + 1 } };
}

export function withFailure(turn: Turn): Turn {
  return { ...turn, failures: turn.failures + 1 };
}

export function withJoined(turn: Turn, turnIds: readonly string[]): Turn {
  return { ...turn, joined: [...turn.joined, ...turnIds] };
}

/** What is left of a turn's lifespan; negative when it is over. */
export function remainingMs(turn: Turn, nowMs: number): number {
  return turn.startedAtMs + lifespanMs(turn.lifespan) - nowMs;
}

/**
 * Why a plan may not be begun; undefined when it may. All three must hold: it passes its schema, every tool that it depends
 * on is READY, and the rest of the lifespan is more than 1.8 times its estimate.
 */
export function executionRefusal(check: ExecutionCheck, turn: Turn, nowMs: number): string | undefined {
  if (!check.schemaValid) return 'the plan does not pass its schema';
  const unready = check.tools.filter(({ state }) => state !== 'READY');
  if (unready.length > 0) {
    return unready.map(({ tool, state }) => `${tool} is ${state ?? 'unknown'}, not READY`).join('; ');
  }
  const leftMs = remainingMs(withConfirmations(turn, check.pendingConfirmations), nowMs);
  if (!leavesRoomFor(check.estimateMs, leftMs)) {
    return `${Math.floor(leftMs)} ms are left of the lifespan, not more than 1.8 times the ${check.estimateMs} ms that it is expected to take`;
  }
  return undefined;
}

/** A turn id comes once: one that is open already was sent again. */
export function openTurnRefusal(state: SessionState, turnId: string): string | undefined {
  return openTurnIds(state).includes(turnId) ? `turn ${turnId} is open already` : undefined;
}

/** `more` is how many turns would join it. */
export function joinRefusal(turn: Turn, more: number): string | undefined {
  return turn.joined.length + more <= MOST_JOINED
    ? undefined
    : `${MOST_JOINED} turns have gone on with one another, and no more may`;
}
