import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service } from '../../runtime/service.ts';

/** Keeps what has ended for a while; an ISO 8601 time says until when. */
interface Prunable {
  prune(before: string): Promise<number>;
}

interface Parts {
  readonly stores: readonly Prunable[];
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** A clock that nobody has set says nothing about age: nothing is removed by it. */
  readonly isClockSet: () => boolean;
  /** What has ended is kept for so long, milliseconds. */
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
      ? { status: 'ok', detail: `${this.#removed} old entries removed`, figures }
      : { status: 'degraded', detail: `old entries cannot be removed: ${this.#trouble}`, figures };
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
    const { stores, clocks, logger, isClockSet, keepMs } = this.#parts;
    if (!isClockSet()) return;
    const before = new Date(clocks.wall().getTime() - keepMs).toISOString();
    try {
      for (const store of stores) this.#removed += await store.prune(before);
      this.#trouble = undefined;
    } catch (error) {
      this.#trouble = messageOf(error);
      logger.error({ error: this.#trouble }, 'old entries of state.db cannot be removed');
    }
  }
}
