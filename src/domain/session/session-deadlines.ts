import { lifespanMs } from './lifespan.ts';
import { SESSION_LIMITS_MS as LIMIT } from './session-limits.ts';
import type { Hearing, SessionState, Turn } from './session-state.ts';

export const DEADLINES = [
  'listening',
  'no_keyword',
  'utterance',
  'parsing',
  'keyword_match',
  'routing',
  'planning',
  'fallback',
  'execution',
  'confirmation',
  'error_handling',
  'watchdog',
  'lifespan',
  'parked',
] as const;
export type DeadlineId = (typeof DEADLINES)[number];

export interface Deadline {
  readonly id: DeadlineId;
  /** Monotonic clock of this boot, milliseconds. */
  readonly dueAtMs: number;
}

/**
 * Every deadline that a state has, at most one of each id. It follows from the state alone, so that one that is taken out of
 * the store again in the same boot needs no more than this to be armed.
 */
export function deadlinesOf(state: SessionState): readonly Deadline[] {
  const [parked] = state.parked;
  return [...ownDeadlines(state), ...(parked === undefined ? [] : [due('parked', parked.untilMs)])];
}

function ownDeadlines(state: SessionState): readonly Deadline[] {
  const { sinceMs } = state;
  switch (state.name) {
    case 'IDLE':
      return [];
    case 'LISTENING': {
      const { hearing, asked } = state;
      // An answer to a question needs no keyword.
      const isNoise = hearing !== undefined && !hearing.keyword && asked === undefined;
      return [
        due('listening', (hearing?.sinceMs ?? sinceMs) + LIMIT.listening),
        ...(isNoise ? [due('no_keyword', hearing.sinceMs + LIMIT.no_keyword)] : []),
        ...utterance(hearing),
        ...(asked === undefined ? [] : [lifespan(asked)]),
      ];
    }
    case 'PARSING': {
      const id = state.strategy === 'template' ? 'parsing' : 'keyword_match';
      return [due(id, sinceMs + LIMIT[id]), ...turnDeadlines(state.turn)];
    }
    case 'ROUTING':
      return [routing(state), ...turnDeadlines(state.turn)];
    case 'EXECUTING':
      return [due('execution', sinceMs + LIMIT.execution), ...turnDeadlines(state.turn)];
    case 'CONFIRMING':
      return [
        due('confirmation', (state.heardAtMs ?? sinceMs) + LIMIT.confirmation),
        ...utterance(state.hearing),
      ];
    case 'ERROR_HANDLING':
      return [due('error_handling', sinceMs + LIMIT.error_handling), ...turnDeadlines(state.turn)];
  }
}

function routing({ sinceMs, planner }: Extract<SessionState, { readonly name: 'ROUTING' }>): Deadline {
  switch (planner.kind) {
    case 'rules':
      return due('routing', sinceMs + LIMIT.routing);
    case 'model':
      return due('planning', sinceMs + planner.limitMs);
    case 'fallback':
      return due('fallback', sinceMs + LIMIT.fallback);
  }
}

function turnDeadlines(turn: Turn): readonly Deadline[] {
  return [due('watchdog', turn.watchedFromMs + LIMIT.watchdog), lifespan(turn)];
}

function lifespan(turn: Turn): Deadline {
  return due('lifespan', turn.startedAtMs + lifespanMs(turn.lifespan));
}

function utterance(hearing: Hearing | undefined): readonly Deadline[] {
  return hearing === undefined || hearing.cut ? [] : [due('utterance', hearing.sinceMs + LIMIT.utterance)];
}

function due(id: DeadlineId, dueAtMs: number): Deadline {
  return { id, dueAtMs };
}
