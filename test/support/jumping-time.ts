import type { Cancel, Clocks, Scheduler } from '../../src/runtime/clocks.ts';

/**
 * Time that jumps to the next timer as soon as nothing else is to be done: seconds of waiting pass at once, in order.
 * Only for parts that wait for nothing but each other and their timers.
 */
export class JumpingTime implements Clocks, Scheduler {
  readonly bootId = 'boot';
  #nowMs = 1_000;
  #seq = 0;
  #wallAheadMs = 0;
  readonly #timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  #isJumping = false;

  monotonicMs(): number {
    return this.#nowMs;
  }

  wall(): Date {
    return new Date(this.#nowMs + this.#wallAheadMs);
  }

  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  /** Lets time pass without anything happening. */
  pass(durationMs: number): void {
    this.#nowMs += durationMs;
  }

  /** The time service has set the clock on the wall; everything else goes on as before. */
  setWall(wallMs: number): void {
    this.#wallAheadMs = wallMs - this.#nowMs;
  }

  after(delayMs: number, run: () => void): Cancel {
    const timer = { dueMs: this.#nowMs + delayMs, run };
    this.#timers.add(timer);
    this.#jump();
    return () => this.#timers.delete(timer);
  }

  #jump(): void {
    if (this.#isJumping) return;
    this.#isJumping = true;
    setImmediate(() => {
      this.#isJumping = false;
      const [next] = [...this.#timers].toSorted((one, other) => one.dueMs - other.dueMs);
      if (next === undefined) return;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.run();
      if (this.#timers.size > 0) this.#jump();
    });
  }
}
