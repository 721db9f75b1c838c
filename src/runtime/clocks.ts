import { randomUUID } from 'node:crypto';

/**
 * The three clocks. Timeouts, lifetimes and debounce use `monotonicMs`; people read `wall`;
 * order across restarts is `bootId` and `nextSeq`. A Pi has no real-time clock: `wall` jumps when NTP arrives.
 */
export interface Clocks {
  /** Milliseconds since an arbitrary origin, never going back; the same origin as CLOCK_MONOTONIC of the machine. */
  monotonicMs(): number;
  wall(): Date;
  readonly bootId: string;
  /** 1, 2, 3, … within one `bootId`. */
  nextSeq(): number;
}

export function systemClocks(): Clocks {
  let seq = 0;
  return {
    monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
    wall: () => new Date(),
    bootId: randomUUID(),
    nextSeq: () => ++seq,
  };
}

/** Cancels what it was returned for; calling it twice does nothing. */
export type Cancel = () => void;

/** One-shot timers on the monotonic clock, replaceable in tests. */
export interface Scheduler {
  after(delayMs: number, run: () => void): Cancel;
}

export const systemScheduler: Scheduler = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
