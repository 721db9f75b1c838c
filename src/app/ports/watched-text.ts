import type { Unsubscribe } from '../../runtime/service.ts';

/** What stands in a file now. */
export type TextState =
  | { readonly kind: 'text'; readonly text: string }
  /** It is gone, or cannot be read, or is too long; `reason` is one line. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A text that changes while the daemon runs, such as a file of rules. */
export interface WatchedText {
  /** What it is called in messages. */
  readonly name: string;
  /** Reads it once. Never rejects. */
  read(): Promise<TextState>;
  /**
   * Calls back within 1.5 s of every change, with a text that has stayed the same for one look: what is half written is
   * waited for. It does not call back with what `read` gave last.
   */
  watch(changed: (state: TextState) => void): Unsubscribe;
}
