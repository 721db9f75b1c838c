import { type BackoffOptions, backoffMs } from '../../../runtime/backoff.ts';

/** A unit that is off costs the others on its bus one timeout a step. */
const SILENT: BackoffOptions = { baseMs: 2_000, maxMs: 60_000 };
/** Without a connection an attempt costs nobody anything. */
const UNREACHABLE: BackoffOptions = { baseMs: 500, maxMs: 5_000 };

/** When a device that did not answer is asked again. */
export class DeviceBackoff {
  readonly #random: (() => number) | undefined;
  #failures = 0;
  #retryAtMs = Number.NEGATIVE_INFINITY;

  constructor(random?: () => number) {
    this.#random = random;
  }

  /** Cycles in a row that ended without an answer. */
  get failures(): number {
    return this.#failures;
  }

  isWaiting(nowMs: number): boolean {
    return nowMs < this.#retryAtMs;
  }

  noteAnswer(): void {
    this.#failures = 0;
    this.#retryAtMs = Number.NEGATIVE_INFINITY;
  }

  noteSilence(reason: 'timeout' | 'unreachable', nowMs: number): void {
    const options = reason === 'timeout' ? SILENT : UNREACHABLE;
    this.#retryAtMs = nowMs + backoffMs(this.#failures, options, this.#random);
    this.#failures += 1;
  }
}
