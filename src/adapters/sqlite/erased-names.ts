import type { PersonNames } from '../../domain/privacy/person-names.ts';

/** A value as the JSON that is kept of it. */
export type BodyOf = (value: unknown) => string;

/**
 * Whom this program has erased since its start. What it still had in memory of them, or was told of them again, is not
 * written: everything that keeps JSON in `state.db` makes it here.
 */
export class ErasedNames {
  readonly #byPerson = new Map<string, PersonNames>();

  add(personId: string, names: PersonNames): void {
    this.#byPerson.set(personId, names);
  }

  readonly bodyOf: BodyOf = (value) => {
    let cleaned = value;
    for (const names of this.#byPerson.values()) cleaned = names.inValue(cleaned);
    return JSON.stringify(cleaned);
  };

  textOf(text: string): string {
    let cleaned = text;
    for (const names of this.#byPerson.values()) cleaned = names.inText(cleaned);
    return cleaned;
  }
}
