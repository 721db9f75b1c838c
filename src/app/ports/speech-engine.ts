import type { Language } from '../../domain/language/language.ts';

export interface SpeechLine {
  readonly text: string;
  readonly language: Language;
}

/** What became of a line: the sound was played to its end, or it was kept as a file because there is no speaker. */
export type SpokenAs = { readonly kind: 'played' } | { readonly kind: 'kept'; readonly file: string };

/** One way of making sound. Lines come one at a time: the queue is in `app/announcer`. */
export interface SpeechEngine {
  readonly name: string;
  /** A line is likely to come within seconds: what can be got ready before it, is. Never throws, never sounds. */
  prepare?(): void;
  /**
   * Resolves when the sound has ended; aborting stops the sound at once and rejects with the signal's reason.
   * `onFirstSound` is called when the first samples have been handed to the player.
   * Throws EdgeError SPEECH_FAILED when a program is missing, exits with an error or makes no sound.
   */
  speak(line: SpeechLine, signal: AbortSignal, onFirstSound?: () => void): Promise<SpokenAs>;
}
