import { newLifespan } from '../domain/session/lifespan.ts';
import type { DeadlineId } from '../domain/session/session-deadlines.ts';
import type { SessionEvent } from '../domain/session/session-event.ts';
import { step } from '../domain/session/session-machine.ts';
import { IDLE_SESSION, type Outcome, type SessionState } from '../domain/session/session-state.ts';
import type { Cancel, Clocks, Scheduler } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Audit } from './ports/audit.ts';

/** A question that was asked aloud and what its answer completes. */
export interface OpenQuestion {
  /** Ids of the machines to choose from, in the order they were named if they were. */
  readonly machines: readonly string[];
  /** Whether the question named them aloud: only then is there a first and a second. */
  readonly named: boolean;
  readonly intent: string;
  readonly quantity: string | undefined;
}

interface Parts {
  readonly audit: Audit;
  readonly logger: Logger;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
}

/** One station's session: the machine's state, its deadlines, and what the conversation holds open. */
export class Session {
  readonly station: string;
  readonly #parts: Parts;
  #state: SessionState = IDLE_SESSION;
  readonly #timers = new Map<DeadlineId, Cancel>();
  #abort: AbortController | undefined;
  question: OpenQuestion | undefined;

  constructor(station: string, parts: Parts) {
    this.station = station;
    this.#parts = parts;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Opens a turn; the signal fires when the turn is cancelled or runs out of time. */
  begin(turnId: string): AbortSignal {
    this.apply({ type: 'transcript', turnId, lifespan: newLifespan() });
    this.#abort = new AbortController();
    return this.#abort.signal;
  }

  /**
   * Applies one event. An illegal one is audited, changes nothing and returns undefined; a legal one returns the
   * outcome of the task that it ended, or `'none'`.
   */
  apply(event: SessionEvent): Outcome | 'none' | undefined {
    const result = step(this.#state, event, this.#parts.clocks.monotonicMs());
    if (!result.ok) {
      this.#parts.logger.warn(
        { station: this.station, ...result.violation },
        'illegal session event refused',
      );
      this.#parts.audit
        .append('session.violation', { station: this.station, ...result.violation })
        .catch((error: unknown) => {
          this.#parts.logger.error({ error: messageOf(error) }, 'the audit could not be written');
        });
      return undefined;
    }
    this.#state = result.state;
    let outcome: Outcome | 'none' = 'none';
    for (const effect of result.effects) {
      if (effect.kind === 'outcome') outcome = effect.outcome;
      else if (effect.kind === 'disarm') this.#disarm(effect.id);
      else if (effect.kind === 'abort') this.#abort?.abort(new Error(effect.why));
      else if (effect.kind === 'arm') {
        const { deadline, afterMs } = effect;
        this.#disarm(deadline.id);
        const cancel = this.#parts.scheduler.after(afterMs, () => this.apply({ type: 'timeout', deadline }));
        this.#timers.set(deadline.id, cancel);
      }
    }
    if (result.state.name === 'IDLE') this.question = undefined;
    return outcome;
  }

  /** Ends timers; nothing of the session acts any more. */
  close(): void {
    for (const id of this.#timers.keys()) this.#disarm(id);
    this.#abort?.abort(new Error('closed'));
  }

  #disarm(id: DeadlineId): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
  }
}
