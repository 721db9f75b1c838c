import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../domain/json.ts';
import { type Action, type ActionStatus, isOver } from '../../domain/session/action.ts';
import { actionOf, type Ledger, type LedgerChange } from '../../domain/session/ledger.ts';
import { transition } from '../../domain/session/ledger-transition.ts';
import { newLifespan } from '../../domain/session/lifespan.ts';
import type { DeadlineId } from '../../domain/session/session-deadlines.ts';
import type { SessionEffect } from '../../domain/session/session-effect.ts';
import type { SessionEvent } from '../../domain/session/session-event.ts';
import { step } from '../../domain/session/session-machine.ts';
import type { SessionMessage, SessionRecord } from '../../domain/session/session-record.ts';
import { IDLE_SESSION, type Outcome, type SessionState, turnOf } from '../../domain/session/session-state.ts';
import type { Consent } from '../../domain/tool/tool-call.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { AuditKind } from '../ports/audit.ts';
import type { SessionChange, SessionStore, StoredSession } from '../ports/session-store.ts';
import type { LastAnswer } from './last-answer.ts';
import type { OpenConfirmation } from './open-confirmation.ts';
import type { OpenQuestion } from './open-question.ts';

interface Parts {
  readonly store: SessionStore;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** Carries out what the machine wants done that is not the session's own. */
  readonly onEffect: (session: LiveSession, effect: SessionEffect) => void;
  /** Another writer was there first: once, after which nothing of the session acts or is stored. */
  readonly onConflict: (session: LiveSession, lost: Unstored) => void;
}

/** What a session had not stored when another writer was there first. */
export interface Unstored {
  readonly actions: readonly Action[];
  readonly messages: readonly SessionMessage[];
  readonly audit: readonly AuditEntry[];
}

/** While the disk refuses, so many lines and entries of the audit wait in memory; the oldest give way. */
const MOST_UNWRITTEN = 2000;

type AuditEntry = { readonly kind: AuditKind; readonly detail: Readonly<Record<string, unknown>> };

/** One session in memory: the machine's state with its timers, the ledger, and what is not on disk yet. */
export class LiveSession {
  readonly #parts: Parts;
  #record: SessionRecord;
  #ledger: Ledger;
  #messages: readonly SessionMessage[];
  /** The number of the newest message, which memory may have let go. */
  #lastSeq: number;
  readonly #timers = new Map<DeadlineId, Cancel>();
  readonly #changed = new Set<string>();
  readonly #outcomes = new Map<string, Outcome>();
  #unsaid: SessionMessage[] = [];
  #audit: AuditEntry[] = [];
  #committing: Promise<void> = Promise.resolve();
  /** Another writer has it: what is on disk counts, and not what is here. */
  #isLost = false;
  /** What it asked and waits for. */
  question: OpenQuestion | undefined;
  confirmation: OpenConfirmation | undefined;
  /** Tasks that failed one after the other. */
  failedTurns = 0;
  /** While a route is looked for: aborted, the fallback is taken. */
  routing: AbortController | undefined;
  /** What was answered last. */
  last: LastAnswer | undefined;
  /** Confirmations that were not answered in time and may be taken up again, by their ids. */
  readonly parked = new Map<string, OpenConfirmation>();
  /** Consents to actions that wait for others; of this boot only. */
  readonly consents = new Map<string, Consent>();
  /** What a restart interrupted: it waits for "continue". */
  readonly suspended = new Set<string>();
  /** Actions of an earlier turn that a later one goes on with, and that turn's id. */
  readonly takenUp = new Map<string, string>();
  /** What runs, and how it is stopped. */
  readonly running = new Map<string, { readonly abort: AbortController; readonly isDetached: boolean }>();

  constructor(stored: Omit<StoredSession, 'unreadable'>, parts: Parts) {
    this.#record = stored.session;
    this.#ledger = { sessionId: stored.session.id, task: stored.session.task, actions: stored.actions };
    this.#messages = stored.messages;
    this.#lastSeq = stored.messages.at(-1)?.seq ?? 0;
    this.#parts = parts;
  }

  /** A new one, which is on disk with its first commit. */
  static open(station: string, parts: Parts): LiveSession {
    const now = parts.clocks.wall().toISOString();
    const session: SessionRecord = {
      id: randomUUID(),
      station,
      userId: undefined,
      version: 0,
      state: IDLE_SESSION,
      task: 1,
      lifespan: newLifespan(),
      createdAt: now,
      lastActiveAt: now,
      bootId: parts.clocks.bootId,
      summary: '',
      open: undefined,
      memoryRefs: [],
      meta: {},
      archivedAt: undefined,
    };
    const live = new LiveSession({ session, actions: [], messages: [] }, parts);
    live.note('session.opened', { station });
    return live;
  }

  get id(): string {
    return this.#record.id;
  }

  get station(): string {
    return this.#record.station;
  }

  get record(): SessionRecord {
    return this.#record;
  }

  get state(): SessionState {
    return this.#record.state;
  }

  get ledger(): Ledger {
    return this.#ledger;
  }

  get actions(): readonly Action[] {
    return this.#ledger.actions;
  }

  get messages(): readonly SessionMessage[] {
    return this.#messages;
  }

  /**
   * Applies one event; false when it is illegal, which is put into the audit and changes nothing. What became of turns is
   * asked with `outcomeOf`.
   */
  apply(event: SessionEvent): boolean {
    const result = step(this.#record.state, event, this.#parts.clocks.monotonicMs());
    if (!result.ok) {
      this.#parts.logger.warn(
        { station: this.station, session: this.id, ...result.violation },
        'illegal session event refused',
      );
      this.note('session.violation', { station: this.station, ...result.violation });
      return false;
    }
    this.#record = { ...this.#record, state: result.state };
    this.#take(result.effects);
    return true;
  }

  /** Puts a state of an earlier boot to rest, as `restore` of the machine says. */
  rest(state: SessionState, effects: readonly SessionEffect[]): void {
    this.#record = { ...this.#record, state };
    this.#take(effects);
  }

  #take(effects: readonly SessionEffect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'arm') {
        const { deadline, afterMs } = effect;
        this.#disarm(deadline.id);
        if (this.#isLost) continue;
        const cancel = this.#parts.scheduler.after(afterMs, () => this.apply({ type: 'timeout', deadline }));
        this.#timers.set(deadline.id, cancel);
      } else if (effect.kind === 'disarm') this.#disarm(effect.id);
      else if (effect.kind === 'outcome') {
        this.#outcomes.set(effect.turnId, effect.outcome);
        this.note('turn.outcome', {
          turn_id: effect.turnId,
          outcome: effect.outcome,
          reason: effect.reason,
        });
      } else this.#parts.onEffect(this, effect);
    }
  }

  /** What became of a turn so far, by the machine alone. */
  outcomeOf(turnId: string): Outcome | undefined {
    return this.#outcomes.get(turnId);
  }

  /** What became of a turn, asked once. */
  takeOutcome(turnId: string): Outcome | undefined {
    const outcome = this.#outcomes.get(turnId);
    this.#outcomes.delete(turnId);
    return outcome;
  }

  action(id: string): Action | undefined {
    return actionOf(this.#ledger, id);
  }

  /** Whether an action is of the turn that is worked on or waits for its confirmation, or of one that goes on in it. */
  isOpen({ id, turnId }: Pick<Action, 'id' | 'turnId'>): boolean {
    const turn = turnOf(this.state);
    const wantedBy = [turnId, this.takenUp.get(id)];
    return turn !== undefined && [turn.id, ...turn.joined].some((each) => wantedBy.includes(each));
  }

  /** Takes over a ledger that was changed; what has changed is written with the next commit. */
  take({ ledger, changed }: Pick<LedgerChange, 'ledger' | 'changed'>): void {
    this.#ledger = ledger;
    this.#record = { ...this.#record, task: ledger.task };
    for (const { id } of changed) this.#changed.add(id);
  }

  /**
   * Sets what has become of an action, with all that follows for those that wait for it: these are returned. One that cannot
   * become that stays as it is, and the audit says so.
   */
  move(id: string, status: ActionStatus, more: Parameters<typeof transition>[3] = {}): readonly Action[] {
    const change = transition(this.#ledger, id, status, more);
    if (!change.ok) {
      this.#parts.logger.warn(
        { session: this.id, action: id, reason: change.reason },
        'illegal change of an action refused',
      );
      this.note('session.violation', { station: this.station, action: id, reason: change.reason });
      return [];
    }
    this.take(change);
    for (const action of change.changed)
      if (isOver(action)) {
        this.consents.delete(action.id);
        this.takenUp.delete(action.id);
      }
    return change.changed.filter((action) => action.id !== id);
  }

  /** Steps that a consent is needed for now: not those that are parked, nor those that a restart has left for "continue". */
  get unconsented(): readonly Action[] {
    const parked = new Set([...this.parked.values()].map(({ actionId }) => actionId));
    return this.actions.filter(
      ({ id, status }) => status === 'confirming' && !this.suspended.has(id) && !parked.has(id),
    );
  }

  /** A line of the conversation; written with the next commit. */
  say(message: Omit<SessionMessage, 'seq' | 'at'>): void {
    this.#lastSeq += 1;
    const line: SessionMessage = {
      ...message,
      seq: this.#lastSeq,
      at: this.#parts.clocks.wall().toISOString(),
    };
    this.#messages = [...this.#messages, line];
    this.#unsaid.push(line);
  }

  /** What is kept in memory of the conversation; on disk all of it stays. */
  trim(messages: readonly SessionMessage[], summary: string): void {
    this.#messages = messages;
    this.#record = { ...this.#record, summary };
  }

  /** An entry of the audit, written with the next commit. */
  note(kind: AuditKind, detail: Readonly<Record<string, unknown>>): void {
    this.#audit.push({ kind, detail });
  }

  change(part: Partial<Pick<SessionRecord, 'userId' | 'lifespan' | 'memoryRefs' | 'meta'>>): void {
    this.#record = { ...this.#record, ...part };
  }

  archive(): void {
    this.#record = { ...this.#record, archivedAt: this.#parts.clocks.wall().toISOString() };
    this.note('session.archived', { station: this.station });
  }

  /**
   * Writes all that has changed in one transaction; commits of one session follow one another. Rejects with EdgeError
   * STATE_DB_FAILED or STATE_DB_BUSY, or SESSION_CONFLICT when another writer was there first.
   */
  commit(more: Pick<SessionChange, 'outbox' | 'turn' | 'memory'> = {}): Promise<void> {
    const done = this.#committing.then(() => this.#write(more));
    this.#committing = done.catch((error: unknown) => {
      this.#parts.logger.error({ session: this.id, error: String(error) }, 'a session could not be kept');
    });
    return done;
  }

  /** Resolves when all commits so far have come to an end, well or not. */
  get kept(): Promise<void> {
    return this.#committing;
  }

  async #write(more: Pick<SessionChange, 'outbox' | 'turn' | 'memory'>): Promise<void> {
    if (this.#isLost) throw this.#conflict();
    const changed = new Set(this.#changed);
    const messages = this.#unsaid;
    const audit = this.#audit;
    this.#changed.clear();
    this.#unsaid = [];
    this.#audit = [];
    const session: SessionRecord = {
      ...this.#record,
      version: this.#record.version + 1,
      lastActiveAt: this.#parts.clocks.wall().toISOString(),
      bootId: this.#parts.clocks.bootId,
      open: this.#open(),
    };
    const putBack = (): void => {
      for (const id of changed) this.#changed.add(id);
      this.#unsaid = [...messages, ...this.#unsaid].slice(-MOST_UNWRITTEN);
      this.#audit = [...audit, ...this.#audit].slice(-MOST_UNWRITTEN);
    };
    const actions = this.#ledger.actions.filter(({ id }) => changed.has(id));
    let outcome: 'committed' | 'conflict';
    try {
      outcome = await this.#parts.store.commit({ session, actions, messages, audit, ...more });
    } catch (error) {
      putBack();
      throw error;
    }
    if (outcome === 'conflict') {
      this.#isLost = true;
      this.close('another writer has changed the session');
      const since = this.#ledger.actions.filter(({ id }) => changed.has(id) || this.#changed.has(id));
      this.#parts.onConflict(this, {
        actions: since,
        messages: [...messages, ...this.#unsaid],
        audit: [...audit, ...this.#audit],
      });
      throw this.#conflict();
    }
    this.#record = { ...this.#record, version: session.version, lastActiveAt: session.lastActiveAt };
  }

  #conflict(): EdgeError {
    return new EdgeError('SESSION_CONFLICT', `session ${this.id} was changed by another writer`, {
      hint: 'only one daemon may use a state directory',
    });
  }

  #open(): JsonObject | undefined {
    if (this.confirmation !== undefined) return { kind: 'confirmation', action: this.confirmation.actionId };
    return this.question;
  }

  /** Ends timers and what runs; nothing of the session acts any more. */
  close(why: string): void {
    for (const id of this.#timers.keys()) this.#disarm(id);
    for (const { abort } of this.running.values()) abort.abort(new Error(why));
  }

  #disarm(id: DeadlineId): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
  }
}
