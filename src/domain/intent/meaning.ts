export interface SlotValue {
  /** The id of what was named, or the number. */
  readonly value: string | number;
  /** The words that named it. */
  readonly spoken: string;
  /** Set when a number was said digit by digit: how many digits were heard. */
  readonly digits?: number;
}

export interface Meaning {
  readonly intent: string;
  readonly slots: Readonly<Record<string, SlotValue>>;
}

export type MatchOutcome =
  | { readonly kind: 'match'; readonly meaning: Meaning }
  /** Readings that explain the sentence equally well: somebody has to be asked. */
  | { readonly kind: 'tie'; readonly meanings: readonly Meaning[] }
  /** No sentence of the file. `knownWords` counts the tokens that occur anywhere in it. */
  | { readonly kind: 'none'; readonly knownWords: number; readonly unknownWords: readonly string[] };

/** Equal for meanings that ask for the same, whatever words they were said in. */
export function meaningKey(meaning: Meaning): string {
  const slots = Object.entries(meaning.slots)
    .map(([slot, { value }]) => `${slot}=${typeof value}:${value}`)
    .sort();
  return JSON.stringify([meaning.intent, ...slots]);
}
