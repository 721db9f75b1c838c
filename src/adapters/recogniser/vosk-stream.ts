import { SAMPLE_RATE_HZ } from '../../app/ports/microphone.ts';
import type { RecognisedWord } from '../../app/ports/recogniser.ts';
import type { Libvosk } from './libvosk.ts';

/** A word with its place in the stream: samples since the stream began. */
export interface PlacedWord extends Pick<RecognisedWord, 'text' | 'confidence'> {
  readonly fromSample: number;
  readonly toSample: number;
}

/** One recogniser of libvosk on one grammar. Positions are samples since it was made, which is how libvosk counts. */
export class VoskStream {
  readonly #lib: Libvosk;
  readonly #handle: unknown;

  private constructor(lib: Libvosk, handle: unknown) {
    this.#lib = lib;
    this.#handle = handle;
  }

  /** undefined when libvosk refuses the grammar. Every word of the phrases must be known to the model. */
  static open(lib: Libvosk, model: unknown, phrases: readonly string[]): VoskStream | undefined {
    const handle = lib.newRecogniser(model, SAMPLE_RATE_HZ, JSON.stringify(phrases));
    if (handle === null) return undefined;
    lib.setWords(handle, 1);
    return new VoskStream(lib, handle);
  }

  /** True when libvosk declares the end of an utterance. Throws when it cannot decode at all. */
  accept(pcm: Int16Array): boolean {
    const answer = this.#lib.accept(this.#handle, pcm, pcm.length);
    if (answer < 0) throw new Error('libvosk failed to decode');
    return answer > 0;
  }

  partial(): string {
    const parsed: unknown = JSON.parse(this.#lib.partialResult(this.#handle));
    return textField(parsed, 'partial');
  }

  /** The words so far; `cut` when libvosk has not declared an end. */
  words(cut: boolean): PlacedWord[] {
    const json = cut ? this.#lib.finalResult(this.#handle) : this.#lib.result(this.#handle);
    const parsed: unknown = JSON.parse(json);
    const list = field(parsed, 'result');
    return Array.isArray(list) ? list.map(placed) : [];
  }

  reset(): void {
    this.#lib.reset(this.#handle);
  }

  close(): void {
    this.#lib.freeRecogniser(this.#handle);
  }
}

function placed(word: unknown): PlacedWord {
  return {
    text: textField(word, 'word'),
    fromSample: numberField(word, 'start') * SAMPLE_RATE_HZ,
    toSample: numberField(word, 'end') * SAMPLE_RATE_HZ,
    // libvosk's sums may come out a hair above 1.
    confidence: Math.min(1, Math.max(0, numberField(word, 'conf'))),
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function textField(value: unknown, name: string): string {
  const text = field(value, name);
  return typeof text === 'string' ? text : '';
}

function numberField(value: unknown, name: string): number {
  const number = field(value, name);
  return typeof number === 'number' ? number : 0;
}
