import type { Capture } from '../../domain/memory/capture.ts';
import type { Clocks } from '../../runtime/clocks.ts';

interface Parts {
  readonly clocks: Pick<Clocks, 'wall' | 'monotonicMs' | 'bootId'>;
  readonly isClockSet: () => boolean;
}

/** Dates what happened while nobody had set the clock, by how long ago it was. */
export class CaptureDating {
  readonly #parts: Parts;
  readonly #startedAtMs: number;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#startedAtMs = parts.clocks.monotonicMs();
  }

  /** As it is to be kept until it can be dated. */
  stamped(capture: Capture): Capture {
    const { clocks, isClockSet } = this.#parts;
    if (isClockSet()) return capture;
    return { ...capture, undated: { bootId: clocks.bootId, monotonicMs: clocks.monotonicMs() } };
  }

  /** By a clock that is set. Of what is from before a restart it is only known that it was before it: that is its date. */
  dated({ undated, ...capture }: Capture): Capture {
    if (undated === undefined) return capture;
    const { clocks } = this.#parts;
    const since = undated.bootId === clocks.bootId ? undated.monotonicMs : this.#startedAtMs;
    return { ...capture, atMs: Math.round(clocks.wall().getTime() - (clocks.monotonicMs() - since)) };
  }
}
