import type { Cancel, Scheduler } from '../../src/runtime/clocks.ts';

/** Timers that fire when the test lets time pass. */
export class ManualScheduler implements Scheduler {
  readonly #timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  #nowMs = 0;

  after(delayMs: number, run: () => void): Cancel {
    const timer = { dueMs: this.#nowMs + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  pass(durationMs: number): void {
    this.#nowMs += durationMs;
    for (const timer of [...this.#timers].sort((a, b) => a.dueMs - b.dueMs)) {
      if (timer.dueMs > this.#nowMs || !this.#timers.delete(timer)) continue;
      timer.run();
    }
  }
}
