import type { Scheduler } from '../../runtime/clocks.ts';

/** Gives back what was acquired; calling it twice does nothing. */
export type Release = () => void;

interface Waiting {
  readonly keys: readonly string[];
  readonly start: () => void;
}

/** Orders that may wait at once; the next one is turned away. */
const MAX_WAITING = 64;

/** Who may use which devices: one at a time each, first come first served, all of one's devices or none. */
export class DeviceLocks {
  readonly #scheduler: Scheduler;
  readonly #held = new Set<string>();
  readonly #waiting: Waiting[] = [];

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Resolves with undefined when they are not free within `waitMs`, or when too many are waiting already. */
  async acquire(keys: readonly string[], waitMs: number): Promise<Release | undefined> {
    if (this.#waiting.length >= MAX_WAITING) return undefined;
    return new Promise((resolve) => {
      const waiting: Waiting = {
        keys,
        start: () => {
          cancelTimer();
          resolve(this.#releaseOf(keys));
        },
      };
      const cancelTimer = this.#scheduler.after(waitMs, () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        resolve(undefined);
        // Those behind may have waited for this one's turn alone.
        this.#admit();
      });
      this.#waiting.push(waiting);
      this.#admit();
    });
  }

  #releaseOf(keys: readonly string[]): Release {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const key of keys) this.#held.delete(key);
      this.#admit();
    };
  }

  /** Nobody overtakes another who waits for one of the same devices. */
  #admit(): void {
    const claimed = new Set(this.#held);
    for (const waiting of [...this.#waiting]) {
      const isFree = waiting.keys.every((key) => !claimed.has(key));
      for (const key of waiting.keys) claimed.add(key);
      if (!isFree) continue;
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      for (const key of waiting.keys) this.#held.add(key);
      waiting.start();
    }
  }
}
