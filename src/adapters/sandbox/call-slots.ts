import type { Cancel, Scheduler } from '../../runtime/clocks.ts';

export interface SlotLimits {
  /** Calls at a time. */
  readonly slots: number;
  /** Calls that wait, at most. */
  readonly waiting: number;
  readonly waitLimitMs: number;
}

export type Slot =
  | { readonly ok: true; readonly release: () => void }
  | { readonly ok: false; readonly why: 'full' | 'late' | 'cancelled' | 'closed' };

interface Waiting {
  readonly detached: boolean;
  readonly settle: (slot: Slot) => void;
}

/**
 * So many calls at a time, the others in the order of their coming, as long as they may wait. Calls that run on after
 * their turn leave one slot to those that somebody waits for.
 */
export class CallSlots {
  readonly #limits: SlotLimits;
  readonly #scheduler: Scheduler;
  readonly #waiting: Waiting[] = [];
  #taken = 0;
  #detached = 0;
  #closed = false;

  constructor(limits: SlotLimits, scheduler: Scheduler) {
    this.#limits = limits;
    this.#scheduler = scheduler;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  take(detached: boolean, signal: AbortSignal): Promise<Slot> {
    if (this.#closed) return Promise.resolve({ ok: false, why: 'closed' });
    if (signal.aborted) return Promise.resolve({ ok: false, why: 'cancelled' });
    if (this.#isFree(detached)) return Promise.resolve(this.#given(detached));
    if (this.#waiting.length >= this.#limits.waiting) return Promise.resolve({ ok: false, why: 'full' });
    return this.#wait(detached, signal);
  }

  /** Those that wait are told; those that run go on. */
  close(): void {
    this.#closed = true;
    for (const each of this.#waiting.splice(0)) each.settle({ ok: false, why: 'closed' });
  }

  #wait(detached: boolean, signal: AbortSignal): Promise<Slot> {
    return new Promise((resolve) => {
      let cancelTimer: Cancel = () => undefined;
      const entry: Waiting = {
        detached,
        settle: (slot) => {
          cancelTimer();
          signal.removeEventListener('abort', cancelled);
          resolve(slot);
        },
      };
      const leave = (why: 'late' | 'cancelled'): void => {
        const at = this.#waiting.indexOf(entry);
        if (at < 0) return;
        this.#waiting.splice(at, 1);
        entry.settle({ ok: false, why });
      };
      const cancelled = (): void => leave('cancelled');
      signal.addEventListener('abort', cancelled, { once: true });
      cancelTimer = this.#scheduler.after(this.#limits.waitLimitMs, () => leave('late'));
      this.#waiting.push(entry);
    });
  }

  #isFree(detached: boolean): boolean {
    if (this.#taken >= this.#limits.slots) return false;
    return !detached || this.#detached < Math.max(1, this.#limits.slots - 1);
  }

  #given(detached: boolean): Slot {
    this.#taken += 1;
    if (detached) this.#detached += 1;
    let released = false;
    return {
      ok: true,
      release: () => {
        if (released) return;
        released = true;
        this.#taken -= 1;
        if (detached) this.#detached -= 1;
        this.#next();
      },
    };
  }

  #next(): void {
    for (let at = 0; at < this.#waiting.length; ) {
      const entry = this.#waiting[at];
      if (entry === undefined || !this.#isFree(entry.detached)) at += 1;
      else {
        this.#waiting.splice(at, 1);
        entry.settle(this.#given(entry.detached));
      }
    }
  }
}
