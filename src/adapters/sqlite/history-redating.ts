import type { Logger } from '../../runtime/logger.ts';
import type { Boot } from './history-series.ts';

interface RedatingParts {
  readonly logger: Logger;
  /** Moves what one boot recorded to its right times; the number of samples, undefined when the file is closed. */
  readonly redate: (boot: Boot) => Promise<number | undefined>;
  readonly failed: (what: string, error: unknown) => void;
}

/** Boots whose clock was set, and whose samples from before do not have their right times yet. */
export class HistoryRedating {
  readonly #parts: RedatingParts;
  readonly #waiting = new Set<Boot>();
  #isRunning = false;
  #samples = 0;

  constructor(parts: RedatingParts) {
    this.#parts = parts;
  }

  /** Sums go on from the corrected times: no blocks are written before these are there. */
  get isPending(): boolean {
    return this.#waiting.size > 0;
  }

  /** Samples that have got their right times since the start. */
  get samples(): number {
    return this.#samples;
  }

  add(boots: Iterable<Boot>): void {
    for (const boot of boots) this.#waiting.add(boot);
  }

  /** Corrects what waits for it, unless that is under way. What fails is tried again at the next call. */
  run(): void {
    if (this.#isRunning || this.#waiting.size === 0) return;
    this.#isRunning = true;
    void this.#runAll()
      .catch((error: unknown) => this.#parts.failed('correcting times', error))
      .finally(() => {
        this.#isRunning = false;
      });
  }

  async #runAll(): Promise<void> {
    for (const boot of this.#waiting) {
      const samples = await this.#parts.redate(boot);
      // A file that was closed meanwhile has its turn at the next start.
      if (samples === undefined) return;
      boot.hasUndated = false;
      this.#waiting.delete(boot);
      this.#samples += samples;
      this.#parts.logger.info(
        { samples, offset_ms: boot.offsetMs },
        'the clock was set: what was recorded before has its time corrected',
      );
    }
  }
}
