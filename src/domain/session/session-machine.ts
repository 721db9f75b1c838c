/**
 * The machine of one session. In: a state, an event and the time. Out: the next state with its effects, or a violation that
 * changes nothing. Pure: the caller owns the clock and the timers, and carries out the effects.
 */
import { type Deadline, deadlinesOf } from './session-deadlines.ts';
import { type Edge, type Trigger, triggerOf } from './session-edge.ts';
import type { SessionEffect } from './session-effect.ts';
import { SESSION_EVENTS, type SessionEvent, type SessionEventType } from './session-event.ts';
import { IDLE_SESSION, openTurnIds, type SessionState, type SessionStateName } from './session-state.ts';
import { SESSION_TABLE } from './session-table.ts';

export interface StateViolation {
  readonly state: SessionStateName;
  readonly event: SessionEventType;
  readonly reason: string;
}

export type Step =
  | { readonly ok: true; readonly state: SessionState; readonly effects: readonly SessionEffect[] }
  | { readonly ok: false; readonly violation: StateViolation };

/** The table by state and trigger. */
const EDGES: ReadonlyMap<string, readonly Edge[]> = indexed(SESSION_TABLE);

/** One step at `nowMs` of the monotonic clock. */
export function step(state: SessionState, event: SessionEvent, nowMs: number): Step {
  const violation = (reason: string): Step => ({
    ok: false,
    violation: { state: state.name, event: event.type, reason },
  });
  if (event.type === 'timeout' && !deadlinesOf(state).some((each) => isSame(each, event.deadline))) {
    return violation(`no deadline ${event.deadline.id} at ${event.deadline.dueAtMs} runs in ${state.name}`);
  }
  const edges = EDGES.get(keyOf(state.name, triggerOf(event)));
  if (edges === undefined) {
    return violation(`${state.name} accepts ${acceptedEvents(state.name).join(', ')}; not ${event.type}`);
  }
  const refusals: string[] = [];
  for (const edge of edges) {
    const taken = edge.take(state, event, nowMs);
    if (typeof taken === 'string') {
      refusals.push(taken);
      continue;
    }
    return {
      ok: true,
      state: taken.state,
      effects: [
        ...changedDeadlines(state, taken.state, nowMs),
        ...taken.effects,
        ...outcomes(state, event, taken.state, edge),
      ],
    };
  }
  return violation([...new Set(refusals)].join('; '));
}

/** The events that a state accepts, apart from its own deadlines. */
export function acceptedEvents(state: SessionStateName): readonly SessionEventType[] {
  return SESSION_EVENTS.filter((event) => event !== 'timeout' && EDGES.has(keyOf(state, event)));
}

/**
 * What a state of an earlier boot comes to: rest. Its clock is gone, so that nobody knows how old a consent would be; every
 * turn that was open ends, and all of it is offered to whoever says "continue".
 */
export function restore(stored: SessionState): Extract<Step, { readonly ok: true }> {
  const turnIds = openTurnIds(stored);
  const [first] = turnIds;
  const confirmationIds = [
    ...(stored.name === 'CONFIRMING' ? [stored.confirmation.id] : []),
    ...stored.parked.map(({ confirmation }) => confirmation.id),
  ];
  if (first === undefined) return { ok: true, state: IDLE_SESSION, effects: [] };
  return {
    ok: true,
    state: IDLE_SESSION,
    effects: [
      ...turnIds.map(
        (turnId): SessionEffect => ({
          kind: 'outcome',
          turnId,
          outcome: 'ABANDONED',
          reason: 'interrupted',
        }),
      ),
      { kind: 'say', note: 'interrupted', turnId: first },
      { kind: 'offer_to_continue', was: stored.name, turnIds, confirmationIds },
    ],
  };
}

/** Every turn that was open and is not any more ends here, and nowhere else: so each ends once. */
function outcomes(
  before: SessionState,
  event: SessionEvent,
  after: SessionState,
  { ends }: Edge,
): readonly SessionEffect[] {
  const left = new Set(openTurnIds(after));
  const opened = 'turnId' in event && event.turnId !== undefined ? [event.turnId] : [];
  const ended = [...openTurnIds(before), ...opened].filter((turnId) => !left.has(turnId));
  if (ended.length === 0) return [];
  if (ends === undefined) throw new Error(`${before.name} on ${event.type} drops a turn without an outcome`);
  const { outcome, reason } = ends;
  return ended.map((turnId) => ({ kind: 'outcome', turnId, outcome, reason }));
}

function changedDeadlines(
  before: SessionState,
  after: SessionState,
  nowMs: number,
): readonly SessionEffect[] {
  const had = deadlinesOf(before);
  const has = deadlinesOf(after);
  const ended = had.filter(({ id }) => !has.some((each) => each.id === id));
  const begun = has.filter((each) => !had.some((other) => isSame(each, other)));
  return [
    ...ended.map(({ id }): SessionEffect => ({ kind: 'disarm', id })),
    ...begun.map(
      (deadline): SessionEffect => ({
        kind: 'arm',
        deadline,
        afterMs: Math.max(0, deadline.dueAtMs - nowMs),
      }),
    ),
  ];
}

function isSame(a: Deadline, b: Deadline): boolean {
  return a.id === b.id && a.dueAtMs === b.dueAtMs;
}

function keyOf(state: SessionStateName, trigger: Trigger): string {
  return `${state} ${trigger}`;
}

function indexed(table: readonly Edge[]): ReadonlyMap<string, readonly Edge[]> {
  const index = new Map<string, Edge[]>();
  for (const edge of table) {
    for (const state of edge.from) {
      const key = keyOf(state, edge.on);
      index.set(key, [...(index.get(key) ?? []), edge]);
    }
  }
  return index;
}
