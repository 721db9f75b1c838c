import type { Clocks } from '../../src/runtime/clocks.ts';

/** Clocks that go on only when they are told to. */
export class HandClock implements Clocks {
  readonly bootId: string;
  #monotonicMs = 1_000;
  #wallMs = Date.parse('2026-01-02T03:04:05.000Z');
  #seq = 0;

  constructor(bootId = 'boot') {
    this.bootId = bootId;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  wall(): Date {
    return new Date(this.#wallMs);
  }

  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  pass(durationMs: number): void {
    this.#monotonicMs += durationMs;
    this.#wallMs += durationMs;
  }
}
