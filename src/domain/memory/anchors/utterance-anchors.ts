import type { AnchorKind } from '../mention.ts';
import type { Reference } from './referring-words.ts';

/** How long a thing that was spoken of may be meant by "it". */
const MEANT_FOR_MS = 2 * 3_600_000;
const MOST_SESSIONS = 64;
const MOST_OF_SESSION = 32;

interface Meant {
  readonly id: string;
  readonly kind: AnchorKind;
  readonly atMs: number;
}

/**
 * What was spoken of in each session, for "it", "that pump", 他 and 同一台: the last thing of that kind within two hours, or nothing.
 * A guess, however likely: it is for looking, and no write ever rests on it. Times are monotonic milliseconds.
 */
export class UtteranceAnchors {
  /** Sessions with the longest silent one first; of each, the thing last spoken of last. */
  readonly #sessions = new Map<string, readonly Meant[]>();
  readonly #nounsOf: (id: string) => ReadonlySet<string> | undefined;

  /** `nounsOf` knows what a thing is called without its number: pump, 泵. */
  constructor(nounsOf: (id: string) => ReadonlySet<string> | undefined) {
    this.#nounsOf = nounsOf;
  }

  /** A turn was about this. Only what a mention resolved to belongs here. */
  meant(session: string, kind: AnchorKind, id: string, nowMs: number): void {
    const before = (this.#sessions.get(session) ?? []).filter((each) => each.id !== id);
    this.#sessions.delete(session);
    this.#sessions.set(session, [...before, { id, kind, atMs: nowMs }].slice(-MOST_OF_SESSION));
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= MOST_SESSIONS) break;
      this.#sessions.delete(oldest);
    }
  }

  /** What the words point back to. Always undefined for a write: what is to be changed has to be named. */
  resolve(
    session: string,
    { kinds, noun }: Pick<Reference, 'kinds' | 'noun'>,
    nowMs: number,
    { forWrite }: { readonly forWrite: boolean },
  ): string | undefined {
    if (forWrite) return undefined;
    return this.#sessions
      .get(session)
      ?.findLast(
        ({ id, kind, atMs }) =>
          nowMs - atMs <= MEANT_FOR_MS &&
          kinds.includes(kind) &&
          (noun === undefined || this.#nounsOf(id)?.has(noun) === true),
      )?.id;
  }

  end(session: string): void {
    this.#sessions.delete(session);
  }
}
