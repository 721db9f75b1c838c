import type { DeadlineId } from './session-deadlines.ts';
import type { OutcomeReason, SessionEffect } from './session-effect.ts';
import type { EventOf, SessionEvent, SessionEventType } from './session-event.ts';
import type { Outcome, SessionState, SessionStateName, StateOf } from './session-state.ts';

/** What leads out of a state: an event, or a deadline that has passed. */
export type Trigger = Exclude<SessionEventType, 'timeout'> | `after:${DeadlineId}`;
type EventOn<T extends Trigger> =
  T extends Exclude<SessionEventType, 'timeout'> ? EventOf<T> : EventOf<'timeout'>;

/** How the turns end that this edge ends; which they are follows from the states on both sides. */
interface Ending {
  readonly outcome: Outcome;
  readonly reason: OutcomeReason;
  /** Whose end it is, for the diagram, where it is not the turn that is worked on. */
  readonly whose?: string;
}

export interface Taken {
  readonly state: SessionState;
  readonly effects: readonly SessionEffect[];
}

interface EdgeSpec<S extends SessionStateName, T extends Trigger, D extends SessionStateName> {
  readonly from: readonly S[];
  readonly on: T;
  /** The state it leads to; absent when it stays where it is. */
  readonly to?: D;
  /** The condition under which it is taken, in words, where there is one. */
  readonly when?: string;
  /** Why it is not taken now; undefined when it is. */
  readonly refusal?: (state: StateOf<S>, event: EventOn<T>, nowMs: number) => string | undefined;
  readonly next: (state: StateOf<S>, event: EventOn<T>, nowMs: number) => StateOf<D>;
  readonly ends?: Ending;
  readonly effects?: (state: StateOf<S>, next: StateOf<D>, event: EventOn<T>) => readonly SessionEffect[];
}

/** One line of the machine's table. */
export interface Edge {
  readonly from: readonly SessionStateName[];
  readonly on: Trigger;
  readonly to: SessionStateName | undefined;
  readonly when: string | undefined;
  readonly ends: Ending | undefined;
  /** Takes it, or says why not. */
  take(state: SessionState, event: SessionEvent, nowMs: number): Taken | string;
}

export function edge<S extends SessionStateName, T extends Trigger, D extends SessionStateName>(
  spec: EdgeSpec<S, T, D>,
): Edge {
  return {
    from: spec.from,
    on: spec.on,
    to: spec.to,
    when: spec.when,
    ends: spec.ends,
    take(state, event, nowMs) {
      if (!isIn(state, spec.from) || !isOn(event, spec.on)) return `it does not lead out of ${state.name}`;
      const refusal = spec.refusal?.(state, event, nowMs);
      if (refusal !== undefined) return refusal;
      const next = spec.next(state, event, nowMs);
      return { state: next, effects: spec.effects?.(state, next, event) ?? [] };
    },
  };
}

export function triggerOf(event: SessionEvent): Trigger {
  return event.type === 'timeout' ? `after:${event.deadline.id}` : event.type;
}

function isIn<S extends SessionStateName>(state: SessionState, names: readonly S[]): state is StateOf<S> {
  return names.some((name) => name === state.name);
}

function isOn<T extends Trigger>(event: SessionEvent, on: T): event is SessionEvent & EventOn<T> {
  return triggerOf(event) === on;
}
