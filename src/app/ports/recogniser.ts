import type { Service, Unsubscribe } from '../../runtime/service.ts';
import type { AudioFrame } from './microphone.ts';

/** The word a recogniser returns for sound that is no word of its grammar. */
export const UNKNOWN_WORD = '[unk]';

export interface RecognisedWord {
  readonly text: string;
  /** From the first sample of the utterance, milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  /** 0 to 1; wrong words often carry 1.0, so it can only ever speak against a word. */
  readonly confidence: number;
}

export interface Transcript {
  /** Words with spaces between, as recognised; may hold `[unk]`. */
  readonly text: string;
  readonly words: readonly RecognisedWord[];
  /** Audio was lost during the utterance: it may be heard about, never acted on. */
  readonly audioLost: boolean;
  /** The utterance was cut at its length limit instead of ending in silence. */
  readonly cut: boolean;
  /** Loudness of the words over the noise floor, decibel; undefined when there are no words or no floor yet. */
  readonly snrDb: number | undefined;
  /** Monotonic time at which the recogniser declared the end of the utterance. */
  readonly endpointAtMs: number;
}

export interface Recogniser extends Service {
  /** Never blocks; when the recogniser falls behind, the oldest audio is dropped, counted, and the utterance is marked. */
  accept(frame: AudioFrame): void;
  /** Forgets the utterance in progress; what it had heard is never reported. */
  discard(): void;
  /**
   * Forgets the noise in progress, unless a known word is in it by now. The last half second is heard again, so that a word
   * that has just begun stays whole.
   */
  rest(): void;
  /** What has been heard of a long utterance is its transcript, marked as cut; a short one goes on. */
  cut(): void;
  onPartial(listener: (text: string) => void): Unsubscribe;
  onFinal(listener: (transcript: Transcript) => void): Unsubscribe;
  /** The words of `words` that the model can recognise. Rejects with EdgeError RECOGNISER_DOWN when no child answers. */
  knownWords(words: readonly string[]): Promise<ReadonlySet<string>>;
  /** Replaces the grammar from the next utterance on. Phrases hold only known words; `[unk]` is added by the recogniser. */
  setGrammar(phrases: readonly string[]): Promise<void>;
}
