import type { Cancel, Clocks, Scheduler } from '../../src/runtime/clocks.ts';
import { systemClocks } from '../../src/runtime/clocks.ts';

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
  real: NodeJS.Timeout | undefined;
}

/** The machine's own time, of which a test can let some pass at once: for parts that also wait for other processes. */
export class PassingTime implements Clocks, Scheduler {
  readonly #real = systemClocks();
  readonly #timers = new Set<Timer>();
  #passedMs = 0;

  get bootId(): string {
    return this.#real.bootId;
  }

  monotonicMs(): number {
    return this.#real.monotonicMs() + this.#passedMs;
  }

  wall(): Date {
    return new Date(this.#real.wall().getTime() + this.#passedMs);
  }

  nextSeq(): number {
    return this.#real.nextSeq();
  }

  after(delayMs: number, run: () => void): Cancel {
    const timer: Timer = { dueMs: this.monotonicMs() + delayMs, run, real: undefined };
    this.#timers.add(timer);
    this.#arm(timer);
    return () => this.#end(timer);
  }

  /** Timers that come due on the way run in their order. */
  pass(durationMs: number): void {
    this.#passedMs += durationMs;
    for (const timer of [...this.#timers].toSorted((one, other) => one.dueMs - other.dueMs)) {
      if (!this.#timers.has(timer)) continue;
      clearTimeout(timer.real);
      if (timer.dueMs > this.monotonicMs()) this.#arm(timer);
      else this.#fire(timer);
    }
  }

  #arm(timer: Timer): void {
    timer.real = setTimeout(() => this.#fire(timer), Math.max(0, timer.dueMs - this.monotonicMs()));
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    timer.run();
  }

  #end(timer: Timer): void {
    clearTimeout(timer.real);
    this.#timers.delete(timer);
  }
}
