import { SAMPLE_RATE_HZ } from '../../app/ports/microphone.ts';
import { UNKNOWN_WORD } from '../../app/ports/recogniser.ts';
import { LevelHistory } from '../../domain/voice/level-history.ts';
import type { Libvosk } from './libvosk.ts';
import { type PlacedWord, VoskStream } from './vosk-stream.ts';
import type { WorkerMessage } from './worker-messages.ts';

/** The best guess so far is asked for this often: 60 ms. */
const PARTIAL_EVERY_SAMPLES = 0.06 * SAMPLE_RATE_HZ;
/** A new grammar hears this much of the silence before it, so that a word that has just begun keeps its first sound. */
const RUN_UP_SAMPLES = 0.5 * SAMPLE_RATE_HZ;
/** Audio lost this shortly before the first word may have held a word: longer than any pause inside an utterance. */
const LOSS_REACH_SAMPLES = 2 * SAMPLE_RATE_HZ;
/** libvosk counts seconds in single precision: begin anew before its word times grow coarse. */
const RENEW_AFTER_SAMPLES = 30 * 60 * SAMPLE_RATE_HZ;

export interface EarOptions {
  /** Samples of speech after which an utterance is cut. */
  readonly maxUtteranceSamples: number;
  readonly monotonicMs: () => number;
  readonly report: (message: WorkerMessage) => void;
}

/**
 * In: audio, grammars, discards, rests and cuts, in order. Out: partial texts and final words. Runs in the recogniser's child.
 * Positions are samples heard since the child began.
 */
export class Ear {
  readonly #lib: Libvosk;
  readonly #model: unknown;
  readonly #options: EarOptions;
  readonly #levels = new LevelHistory();
  readonly #runUp = new Int16Array(RUN_UP_SAMPLES);
  #phrases: readonly string[] = [UNKNOWN_WORD];
  #stream: VoskStream;
  /** Waits for the utterance in progress to end. */
  #nextStream: VoskStream | undefined;
  #position = 0;
  #streamBegan = 0;
  #utteranceBegan = 0;
  #speechBegan = 0;
  #partialAt = 0;
  #partial = '';
  #lostAt = Number.NEGATIVE_INFINITY;

  constructor(lib: Libvosk, model: unknown, options: EarOptions) {
    this.#lib = lib;
    this.#model = model;
    this.#options = options;
    this.#stream = this.#mustOpen();
  }

  hear(pcm: Int16Array, lostBefore: boolean): void {
    if (lostBefore) this.#lostAt = this.#position;
    this.#levels.push(pcm);
    this.#keepRunUp(pcm);
    this.#position += pcm.length;
    if (this.#stream.accept(pcm)) this.#utteranceEnded();
    else this.#listenOn();
  }

  discard(): void {
    // A reset would leave the last quarter second of sound in libvosk's pipeline, to be decoded into the next utterance.
    this.#nextStream ??= this.#mustOpen();
    this.#beginUtterance();
    this.#swapStream();
  }

  rest(): void {
    const text = this.#stream.partial();
    if (text === '' || text.split(' ').some((word) => word !== UNKNOWN_WORD)) return;
    this.#nextStream ??= this.#mustOpen();
    const began = this.#utteranceBegan;
    this.#beginUtterance();
    this.#utteranceBegan = Math.max(began, this.#position - RUN_UP_SAMPLES);
    this.#swapStream();
    this.#options.report({ type: 'partial', text: '' });
  }

  cut(): void {
    // One that has just begun is not the one that was meant: that has ended by itself.
    const isLong = this.#position - this.#speechBegan >= this.#options.maxUtteranceSamples / 2;
    if (this.#partial !== '' && isLong) this.#final(true);
  }

  /** Phrases with a word that the model does not know are left out and returned: libvosk would drop the word alone. */
  setGrammar(phrases: readonly string[]): { refused: string[]; failed: boolean } {
    const known = phrases.filter((phrase) => phrase.split(' ').every((word) => this.#knows(word)));
    const refused = phrases.filter((phrase) => !known.includes(phrase));
    const grammar = [...known, UNKNOWN_WORD];
    const stream = VoskStream.open(this.#lib, this.#model, grammar);
    if (stream === undefined) return { refused, failed: true };
    this.#phrases = grammar;
    this.#nextStream?.close();
    this.#nextStream = stream;
    if (this.#partial === '') this.#swapStream();
    return { refused, failed: false };
  }

  knownWords(words: readonly string[]): string[] {
    return words.filter((word) => this.#knows(word));
  }

  #knows(word: string): boolean {
    return word !== '' && this.#lib.findWord(this.#model, word) >= 0;
  }

  #listenOn(): void {
    if (this.#position - this.#partialAt < PARTIAL_EVERY_SAMPLES) return;
    this.#partialAt = this.#position;
    const text = this.#stream.partial();
    if (text !== this.#partial) {
      if (this.#partial === '') this.#speechBegan = this.#position;
      this.#partial = text;
      this.#options.report({ type: 'partial', text });
    }
    if (text !== '' && this.#position - this.#speechBegan >= this.#options.maxUtteranceSamples)
      this.#final(true);
  }

  #utteranceEnded(): void {
    // Nothing was heard: computing the alternatives of silence or noise may take libvosk minutes and 500 MB.
    if (this.#partial === '') this.#stream.reset();
    else this.#final(false);
    this.#beginUtterance();
    if (this.#nextStream === undefined && this.#position - this.#streamBegan > RENEW_AFTER_SAMPLES)
      this.#nextStream = this.#mustOpen();
    this.#swapStream();
  }

  #final(cut: boolean): void {
    const endpointAtMs = this.#options.monotonicMs();
    const words = this.#stream.words(cut).map((word) => this.#inOwnTime(word));
    const first = words[0];
    if (first !== undefined) {
      const snrDb = this.#levels.aboveFloorDb(words);
      this.#options.report({
        type: 'final',
        words: words.map((word) => ({
          text: word.text,
          startMs: this.#sinceUtteranceBeganMs(word.fromSample),
          endMs: this.#sinceUtteranceBeganMs(word.toSample),
          confidence: word.confidence,
        })),
        audioLost: this.#lostAt >= first.fromSample - LOSS_REACH_SAMPLES,
        cut,
        ...(snrDb === undefined ? {} : { snrDb }),
        endpointAtMs,
      });
    } else {
      // What seemed to begin was nothing in the end: whoever waits for it to finish must hear of that.
      this.#options.report({ type: 'partial', text: '' });
    }
    if (cut) this.#beginUtterance();
  }

  #inOwnTime(word: PlacedWord): PlacedWord {
    return {
      ...word,
      fromSample: word.fromSample + this.#streamBegan,
      toSample: word.toSample + this.#streamBegan,
    };
  }

  #sinceUtteranceBeganMs(sample: number): number {
    return Math.max(0, Math.round(((sample - this.#utteranceBegan) * 1_000) / SAMPLE_RATE_HZ));
  }

  #beginUtterance(): void {
    this.#utteranceBegan = this.#position;
    this.#partialAt = this.#position;
    this.#partial = '';
  }

  #swapStream(): void {
    const next = this.#nextStream;
    if (next === undefined) return;
    this.#nextStream = undefined;
    this.#stream.close();
    this.#stream = next;
    const samples = Math.min(RUN_UP_SAMPLES, this.#position - this.#utteranceBegan);
    this.#streamBegan = this.#position - samples;
    if (samples > 0) this.#stream.accept(this.#runUp.subarray(RUN_UP_SAMPLES - samples));
  }

  #mustOpen(): VoskStream {
    const stream = VoskStream.open(this.#lib, this.#model, this.#phrases);
    if (stream === undefined) throw new Error('libvosk refuses a grammar that it took before');
    return stream;
  }

  #keepRunUp(pcm: Int16Array): void {
    const fresh = pcm.subarray(Math.max(0, pcm.length - RUN_UP_SAMPLES));
    this.#runUp.copyWithin(0, fresh.length);
    this.#runUp.set(fresh, RUN_UP_SAMPLES - fresh.length);
  }
}
