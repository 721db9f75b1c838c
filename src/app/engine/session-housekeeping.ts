import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service } from '../../runtime/service.ts';
import type { OutboxStore, SessionStore } from '../ports/session-store.ts';

interface Parts {
  readonly sessions: Pick<SessionStore, 'prune'>;
  readonly outbox: Pick<OutboxStore, 'prune'>;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** A clock that nobody has set says nothing about age: nothing is removed by it. */
  readonly isClockSet: () => boolean;
  /** Archived sessions and what was delivered are kept for so long, milliseconds. */
  readonly keepMs: number;
}

const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 3_600_000;

/** Removes once an hour what has been kept long enough. */
export class SessionHousekeeping implements Service {
  readonly name = 'session housekeeping';
  readonly #parts: Parts;
  #cancel: Cancel | undefined;
  #running: Promise<void> | undefined;
  #removed = 0;
  #trouble: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#later(FIRST_AFTER_MS);
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#running;
  }

  health(): Health {
    const figures = { removed: this.#removed };
    return this.#trouble === undefined
      ? { status: 'ok', detail: `${this.#removed} old sessions removed`, figures }
      : { status: 'degraded', detail: `old sessions cannot be removed: ${this.#trouble}`, figures };
  }

  #later(afterMs: number): void {
    this.#cancel = this.#parts.scheduler.after(afterMs, () => {
      this.#later(EVERY_MS);
      this.#running ??= this.#prune().finally(() => {
        this.#running = undefined;
      });
    });
  }

  async #prune(): Promise<void> {
    const { sessions, outbox, clocks, logger, isClockSet, keepMs } = this.#parts;
    if (!isClockSet()) return;
    const before = new Date(clocks.wall().getTime() - keepMs).toISOString();
    try {
      this.#removed += await sessions.prune(before);
      await outbox.prune(before);
      this.#trouble = undefined;
    } catch (error) {
      this.#trouble = messageOf(error);
      logger.error({ error: this.#trouble }, 'old sessions cannot be removed');
    }
  }
}
