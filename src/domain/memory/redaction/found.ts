/** What must not be kept. */
export type RemovedKind = 'phone' | 'id' | 'email' | 'address' | 'card' | 'secret';

/** A stretch of a text that must not be kept; `end` is not included. */
export interface Found {
  readonly kind: RemovedKind;
  readonly start: number;
  readonly end: number;
  /** Equal for two spellings of one number, name or place. */
  readonly normalised: string;
}

/** What a regular expression finds, as `kind`, normalised by `normalise`. A group named `keep` at the beginning stays in the text. */
export function matchesOf(
  form: string,
  pattern: RegExp,
  kind: RemovedKind,
  normalise: (text: string) => string,
): readonly Found[] {
  return [...form.matchAll(pattern)].flatMap((match) => {
    const kept = match.groups?.['keep']?.length ?? 0;
    const text = match[0].slice(kept);
    const start = match.index + kept;
    return text === '' ? [] : [{ kind, start, end: start + text.length, normalised: normalise(text) }];
  });
}
