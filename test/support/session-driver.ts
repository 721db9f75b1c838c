import type { Deadline, DeadlineId } from '../../src/domain/session/session-deadlines.ts';
import type { SessionEffect } from '../../src/domain/session/session-effect.ts';
import type { SessionEvent } from '../../src/domain/session/session-event.ts';
import { type StateViolation, step } from '../../src/domain/session/session-machine.ts';
import { IDLE_SESSION, type SessionState } from '../../src/domain/session/session-state.ts';

type Outcome = Extract<SessionEffect, { kind: 'outcome' }>;

/** A session with a clock that a test moves and timers that are kept by its effects alone. */
export class SessionDriver {
  state: SessionState = IDLE_SESSION;
  nowMs = 0;
  readonly armed = new Map<DeadlineId, Deadline>();
  readonly outcomes: Outcome[] = [];
  /** Of the last step. */
  effects: readonly SessionEffect[] = [];

  /** Applies events one after the other, and fails at a violation. */
  take(...events: readonly SessionEvent[]): this {
    for (const event of events) {
      const violation = this.try(event);
      if (violation !== undefined) throw new Error(`${violation.state}: ${violation.reason}`);
    }
    return this;
  }

  /** Applies one event; a violation is returned. */
  try(event: SessionEvent): StateViolation | undefined {
    const result = step(this.state, event, this.nowMs);
    this.effects = result.ok ? result.effects : [];
    if (!result.ok) return result.violation;
    this.state = result.state;
    for (const effect of result.effects) {
      if (effect.kind === 'arm') this.armed.set(effect.deadline.id, effect.deadline);
      else if (effect.kind === 'disarm') this.armed.delete(effect.id);
      else if (effect.kind === 'outcome') this.outcomes.push(effect);
    }
    return undefined;
  }

  get next(): Deadline | undefined {
    let first: Deadline | undefined;
    for (const deadline of this.armed.values())
      if (first === undefined || deadline.dueAtMs < first.dueAtMs) first = deadline;
    return first;
  }

  /** Lets the next timer fire. */
  expire(): this {
    const deadline = this.next;
    if (deadline === undefined) throw new Error('no timer runs');
    return this.fire(deadline);
  }

  /** Lets time pass, and every timer fire that is due. */
  wait(ms: number): this {
    const untilMs = this.nowMs + ms;
    for (let due = this.next; due !== undefined && due.dueAtMs <= untilMs; due = this.next) this.fire(due);
    this.nowMs = untilMs;
    return this;
  }

  kinds(): readonly string[] {
    return this.effects.filter(({ kind }) => kind !== 'arm' && kind !== 'disarm').map(({ kind }) => kind);
  }

  private fire(deadline: Deadline): this {
    this.nowMs = Math.max(this.nowMs, deadline.dueAtMs);
    this.armed.delete(deadline.id);
    return this.take({ type: 'timeout', deadline });
  }
}
