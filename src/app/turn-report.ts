import type { Outcome } from '../domain/session/session-state.ts';

/** What became of one command, for whoever gave it. */
export interface TurnReport {
  readonly turn_id: string;
  readonly station: string;
  readonly heard: string;
  /** The intent, or undefined when nothing was understood. */
  readonly intent: string | undefined;
  readonly slots: Readonly<Record<string, string | number>>;
  /** `OPEN` when it asked back and waits for the answer. */
  readonly outcome: Outcome | 'OPEN';
  /** What is said in answer; undefined when it keeps silent. */
  readonly answer: string | undefined;
  readonly readings: readonly ReadingReport[];
  /** From the command's arrival to the decision what to say, milliseconds. */
  readonly duration_ms: number;
}

export interface ValueReport {
  readonly value: number | string | boolean;
  readonly unit?: string;
  /** What the value is called, in English, where the device map names it. */
  readonly meaning?: string;
  /** To how many decimals a person wants it, where the device map says; the value itself is not rounded. */
  readonly decimals?: number;
}

/** A reading for machines and logs: a value only when it is good; `boot_id` and `seq` order it where clocks cannot. */
export interface ReadingReport extends Partial<ValueReport> {
  readonly machine: string;
  readonly point: string;
  readonly quality: 'good' | 'stale' | 'bad';
  readonly reason?: string;
  readonly detail?: string;
  /** The last good value of a stale point. */
  readonly last?: ValueReport & { readonly at: string };
  readonly at: string;
  readonly boot_id: string;
  readonly seq: number;
}
