import { newLifespan } from '../../src/domain/session/lifespan.ts';
import { DEADLINES, type DeadlineId, deadlinesOf } from '../../src/domain/session/session-deadlines.ts';
import type { SessionEvent } from '../../src/domain/session/session-event.ts';
import {
  openTurnIds,
  type SessionState,
  type SessionStateName,
} from '../../src/domain/session/session-state.ts';
import { RISKS } from '../../src/domain/tool/tool-contract.ts';
import type { SeededRandom } from './random.ts';
import { SessionDriver } from './session-driver.ts';

/** The limit of each state; of several the one that fits how it is being worked on. */
export const STATE_LIMITS: Readonly<Record<SessionStateName, readonly DeadlineId[]>> = {
  IDLE: [],
  LISTENING: ['listening'],
  PARSING: ['parsing', 'keyword_match'],
  ROUTING: ['routing', 'planning', 'fallback'],
  EXECUTING: ['execution'],
  CONFIRMING: ['confirmation'],
  ERROR_HANDLING: ['error_handling'],
};

/** Checks the promises of the machine after every event; what it expects it keeps for itself, apart from the machine. */
export class WatchedSession {
  readonly session = new SessionDriver();
  readonly #opened = new Set<string>();
  readonly #ended = new Set<string>();
  #seen = 0;

  /** Returns why the event is illegal; undefined when it was taken. */
  apply(event: SessionEvent): string | undefined {
    const before = this.session.state;
    const violation = this.session.try(event);
    if (violation !== undefined) {
      if (this.session.state !== before || violation.reason === '')
        throw new Error('a violation changed something');
      return violation.reason;
    }
    this.#settle(event);
    this.#check(this.session.state);
    return undefined;
  }

  /** Nothing comes any more but the session's own deadlines. */
  runOut(): void {
    for (let fired = 0; this.session.armed.size > 0; fired++) {
      if (fired > 40) throw new Error(`it does not end: ${JSON.stringify(this.session.state)}`);
      const deadline = this.session.next;
      if (deadline === undefined) throw new Error('an armed deadline is lost');
      this.session.nowMs = Math.max(this.session.nowMs, deadline.dueAtMs);
      this.session.armed.delete(deadline.id);
      const refused = this.apply({ type: 'timeout', deadline });
      if (refused !== undefined)
        throw new Error(`${deadline.id} is lost in ${this.session.state.name}: ${refused}`);
    }
    if (this.session.state.name !== 'IDLE') throw new Error(`it stays in ${this.session.state.name}`);
    if (this.#ended.size !== this.#opened.size) throw new Error('a turn has no outcome');
  }

  #settle(event: SessionEvent): void {
    if ('turnId' in event && event.turnId !== undefined) this.#opened.add(event.turnId);
    const { outcomes } = this.session;
    for (; this.#seen < outcomes.length; this.#seen++) {
      const turnId = outcomes[this.#seen]?.turnId ?? '';
      if (!this.#opened.has(turnId)) throw new Error(`${turnId} ended and never began`);
      if (this.#ended.has(turnId)) throw new Error(`${turnId} ended twice`);
      this.#ended.add(turnId);
    }
  }

  #check(state: SessionState): void {
    const due = deadlinesOf(state);
    const { armed } = this.session;
    if (due.length !== armed.size) throw new Error(`in ${state.name} the timers are not its deadlines`);
    for (const { id, dueAtMs } of due)
      if (armed.get(id)?.dueAtMs !== dueAtMs) throw new Error(`${id} is not armed in ${state.name}`);
    const limits = STATE_LIMITS[state.name];
    if (limits.length > 0 && limits.filter((id) => armed.has(id)).length !== 1)
      throw new Error(`${state.name} has not just one limit`);
    const open = openTurnIds(state);
    if (new Set(open).size !== open.length) throw new Error('a turn is open twice');
    for (const turnId of open)
      if (!this.#opened.has(turnId) || this.#ended.has(turnId)) throw new Error(`${turnId} is open`);
    if (open.length !== this.#opened.size - this.#ended.size) throw new Error('a turn is lost');
  }
}

const BARE = [
  'speech_started',
  'speech_ended',
  'keyword_heard',
  'not_understood',
  'plan_failed',
  'question_asked',
  'question_heard',
  'refused',
  'ground_changed',
  'call_finished',
  'completed',
  'failed',
  'retry',
  'gave_up',
  'cancel',
] as const;

/** Any event, with parts that mostly fit and sometimes do not; a third of the time one that leads on. */
export function randomEvent(random: SeededRandom, { session }: WatchedSession, fresh: string): SessionEvent {
  const { state } = session;
  const known = openTurnIds(state)[0] ?? fresh;
  const turnId = random.below(8) === 0 ? known : fresh;
  const check = {
    schemaValid: random.below(10) > 0,
    tools: [{ tool: 'read-value', state: random.pick(['READY', 'READY', 'READY', 'OPEN', undefined]) }],
    estimateMs: random.below(4) === 0 ? 200_000 : 300,
    pendingConfirmations: random.below(3),
  };
  const lifespan = newLifespan(random.pick([300_000, 120_000]));
  const parkedId = state.parked[random.below(Math.max(1, state.parked.length))]?.confirmation.id ?? 'none';
  const openId =
    state.name === 'CONFIRMING'
      ? state.confirmation.id
      : state.name === 'EXECUTING'
        ? (state.confirmed ?? 'none')
        : 'none';
  const confirmation = {
    id: `c_${fresh}`,
    risk: random.pick(RISKS),
    parkable: random.below(4) > 0,
  };
  const makers: readonly [() => SessionEvent, ...(() => SessionEvent)[]] = [
    () => ({ type: random.pick(BARE) }),
    () => ({ type: random.pick(BARE) }),
    () => ({ type: random.pick(BARE) }),
    () => ({ type: 'transcript', turnId, lifespan }),
    () => ({ type: 'transcript', turnId, lifespan }),
    () => ({ type: 'requested', turnId, lifespan }),
    () => ({ type: 'understood', answers: random.below(2) === 0 }),
    () => ({ type: 'understood', answers: 'asked' in state && state.asked !== undefined }),
    () => ({ type: 'planning_started', limitMs: random.pick([1500, 0, 10_000, 20_000]) }),
    () => ({ type: 'planned', check }),
    () => ({ type: 'planned', check }),
    () => ({ type: 'confirmation_needed', confirmation, pendingConfirmations: 1 }),
    () => ({ type: 'resume_parked', confirmationId: parkedId }),
    () => ({
      type: 'confirmed',
      confirmationId: random.below(5) === 0 ? 'c_other' : openId,
      check,
      ...(random.below(2) === 0 ? { turnId } : {}),
    }),
    () => ({ type: 'interrupt', turnId }),
    () => ({
      type: 'timeout',
      deadline: { id: random.pick(DEADLINES), dueAtMs: random.below(1_000_000) },
    }),
    () => dueOr(session, random),
    () => dueOr(session, random),
    () => dueOr(session, random),
  ];
  return random.pick(makers)();
}

/** The deadline that is next, its time come; now and then another one that runs. */
function dueOr(session: SessionDriver, random: SeededRandom): SessionEvent {
  const all = [...session.armed.values()];
  const deadline = random.below(5) === 0 ? all[random.below(all.length)] : session.next;
  if (deadline === undefined) return { type: 'speech_started' };
  session.nowMs = Math.max(session.nowMs, deadline.dueAtMs);
  return { type: 'timeout', deadline };
}
