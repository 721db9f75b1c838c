import type { SpeechEngine, SpokenAs } from '../../src/app/ports/speech-engine.ts';

/** A speech engine whose lines take no time, unless a test holds them back and ends each as it likes. */
export class SteeredVoice implements SpeechEngine {
  readonly name = 'steered';
  #holds = false;
  #current: { readonly end: (as: SpokenAs) => void; readonly fail: (why: Error) => void } | undefined;

  get holds(): boolean {
    return this.#holds;
  }

  async speak(_line: unknown, signal: AbortSignal, onFirstSound?: () => void): Promise<SpokenAs> {
    onFirstSound?.();
    if (!this.#holds) return { kind: 'played' };
    return new Promise<SpokenAs>((end, fail) => {
      this.#current = { end, fail };
      signal.addEventListener('abort', () => fail(signal.reason), { once: true });
    });
  }

  /** From now on each line sounds until it is ended. */
  hold(): void {
    this.#holds = true;
  }

  /** The line that sounds is over, and so is each that follows. */
  release(): void {
    this.#holds = false;
    this.#current?.end({ kind: 'played' });
  }

  /** Ends the line that sounds; resolves when all that hear of it have, and the next one sounds. */
  async end(as: SpokenAs | Error = { kind: 'played' }): Promise<void> {
    const current = this.#current;
    if (current === undefined) throw new Error('nothing sounds');
    this.#current = undefined;
    if (as instanceof Error) current.fail(as);
    else current.end(as);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
