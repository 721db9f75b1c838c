import type { Capture } from '../../domain/memory/capture.ts';
import { type BackoffOptions, backoffMs } from '../../runtime/backoff.ts';
import type { Cancel, Scheduler } from '../../runtime/clocks.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service } from '../../runtime/service.ts';
import type { Audit } from '../ports/audit.ts';
import type { CaptureInbox } from '../ports/capture-inbox.ts';

/** What became of a happening: it is on disk as an episode, was there already, or is not worth keeping. */
export type Remembered = 'written' | 'repeated' | 'not_worth_it';

interface Parts {
  readonly inbox: CaptureInbox;
  /** Rejects with EdgeError MEMORY_WRITE_REJECTED for what will never be taken, else for what may be tried again. */
  readonly remember: (capture: Capture) => Promise<Remembered>;
  readonly audit: Pick<Audit, 'append'>;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
}

const BATCH = 50;
/** Turns that end while nobody wakes it are taken after so long, in ms. */
const LOOK_MS = 5000;
const BACKOFF: BackoffOptions = { baseMs: 1000, maxMs: 300_000 };

/** Takes what happened from the inbox into memory, one after the other and in order; what cannot be written now waits on disk. */
export class MemoryFeed implements Service {
  readonly name = 'memory feed';
  readonly #parts: Parts;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = true;
  #held = 0;
  #cancelTimer: Cancel | undefined;
  #attempts = 0;
  #trouble: string | undefined;
  #counts: Record<Remembered | 'rejected', number> = {
    written: 0,
    repeated: 0,
    not_worth_it: 0,
    rejected: 0,
  };

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#stopped = false;
    this.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer?.();
    await this.#running;
  }

  health(): Health {
    return this.#trouble === undefined
      ? { status: 'ok', detail: 'remembering', figures: { ...this.#counts } }
      : { status: 'degraded', detail: this.#trouble, figures: { ...this.#counts } };
  }

  /** Something was put in. */
  wake(): void {
    if (this.#stopped || this.#held > 0) return;
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    this.#cancelTimer?.();
    this.#running = this.#drain().finally(() => {
      this.#running = undefined;
      if (this.#stopped) return;
      if (this.#again) {
        this.#again = false;
        this.wake();
        return;
      }
      const delayMs = this.#attempts === 0 ? LOOK_MS : backoffMs(this.#attempts, BACKOFF);
      this.#cancelTimer = this.#parts.scheduler.after(delayMs, () => this.wake());
    });
  }

  /** Nothing is taken into memory while `work` is at it; what it took before is on disk. */
  async still<T>(work: () => Promise<T>): Promise<T> {
    this.#held += 1;
    try {
      await this.#running;
      return await work();
    } finally {
      this.#held -= 1;
      this.wake();
    }
  }

  get #isHalted(): boolean {
    return this.#stopped || this.#held > 0;
  }

  /** Never rejects. */
  async #drain(): Promise<void> {
    const { inbox } = this.#parts;
    try {
      for (;;) {
        const waiting = await inbox.waiting(BATCH);
        if (waiting.length === 0 || this.#isHalted) break;
        const done: number[] = [];
        try {
          for (const { arrival, capture } of waiting) {
            if (this.#isHalted) break;
            this.#counts[await this.#take(capture)] += 1;
            done.push(arrival);
          }
        } finally {
          if (done.length > 0) await inbox.done(done);
        }
      }
      this.#attempts = 0;
      this.#trouble = undefined;
    } catch (error) {
      this.#attempts += 1;
      this.#trouble = `what happened waits to be remembered: ${messageOf(error)}`;
      this.#parts.logger.warn({ error: messageOf(error), attempts: this.#attempts }, this.#trouble);
    }
  }

  async #take(capture: Capture): Promise<Remembered | 'rejected'> {
    try {
      return await this.#parts.remember(capture);
    } catch (error) {
      if (!(error instanceof EdgeError) || error.code !== 'MEMORY_WRITE_REJECTED') throw error;
      this.#parts.logger.warn({ capture: capture.id, error: error.message }, 'not remembered');
      await this.#parts.audit.append('memory.write_rejected', { id: capture.id, reason: error.message });
      return 'rejected';
    }
  }
}
