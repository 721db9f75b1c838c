import type { Cancel, Clocks, Scheduler } from '../../src/runtime/clocks.ts';

/** Time that stands still until a test lets it pass; timers that come due on the way run in their order. */
export class HandTime implements Clocks, Scheduler {
  readonly bootId = 'boot';
  #nowMs = 1_000;
  #seq = 0;
  readonly #timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();

  monotonicMs(): number {
    return this.#nowMs;
  }

  wall(): Date {
    return new Date(this.#nowMs);
  }

  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  /** How many timers wait. */
  get timers(): number {
    return this.#timers.size;
  }

  after(delayMs: number, run: () => void): Cancel {
    const timer = { dueMs: this.#nowMs + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  pass(durationMs: number): void {
    const untilMs = this.#nowMs + durationMs;
    for (;;) {
      const [next] = [...this.#timers].toSorted((one, other) => one.dueMs - other.dueMs);
      if (next === undefined || next.dueMs > untilMs) break;
      this.#timers.delete(next);
      this.#nowMs = next.dueMs;
      next.run();
    }
    this.#nowMs = untilMs;
  }

  /** As `pass`, for parts that do something asynchronous between their timers: a moment is left to them after each. */
  async passSlowly(durationMs: number, stepMs = 100): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
      await settled();
      this.pass(Math.min(stepMs, durationMs - passedMs));
    }
    await settled();
  }
}

/** Resolves when what is under way without timers or the outside has gone as far as it goes. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
