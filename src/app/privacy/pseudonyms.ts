import type { Person } from '../../domain/people/person.ts';
import type { PersonNames } from '../../domain/privacy/person-names.ts';
import { pseudonymFrom, pseudonymise, shownWith } from '../../domain/privacy/pseudonymise.ts';
import type { PseudonymStore } from '../ports/pseudonym-store.ts';

interface Parts {
  readonly store: PseudonymStore;
  readonly people: readonly Person[];
  /** Words that are no names of people, such as those of machines. */
  readonly keep?: readonly string[];
  /** So many random bytes. */
  readonly random: (bytes: number) => Uint8Array;
}

type Detail = Readonly<Record<string, unknown>>;

/** More often than this nobody draws a pseudonym that is taken. */
const MOST_DRAWS = 20;

/** Who stands behind which pseudonym in the audit: in memory, so that an entry waits for nothing. */
export class Pseudonyms {
  readonly #people: readonly Person[];
  readonly #keep: readonly string[];
  readonly #byPerson: Map<string, string>;
  #names: PersonNames;

  private constructor({ people, keep = [] }: Parts, byPerson: ReadonlyMap<string, string>) {
    this.#people = people;
    this.#keep = keep;
    this.#byPerson = new Map(byPerson);
    this.#names = pseudonymise(people, this.#byPerson, keep);
  }

  /** Everybody of the directory has one when it resolves. Rejects with the EdgeErrors of the store. */
  static async open(parts: Parts): Promise<Pseudonyms> {
    const { store, people, random } = parts;
    let known = await store.all();
    for (let draw = 0; draw < MOST_DRAWS; draw += 1) {
      const without = people.filter(({ id }) => !known.has(id));
      if (without.length === 0) break;
      await store.add(new Map(without.map(({ id }) => [id, pseudonymFrom(random(4))])));
      known = await store.all();
    }
    return new Pseudonyms(parts, known);
  }

  /** With pseudonyms instead of the people of the directory; whoever was erased is "[erased]". */
  hide(detail: Detail): Detail {
    const hidden = this.#names.inValue(detail);
    return isDetail(hidden) ? hidden : detail;
  }

  /** A text of the audit for people to read: the present names instead of the pseudonyms that are still somebody's. */
  show(text: string): string {
    return shownWith(text, (pseudonym) => this.#nameOf(pseudonym));
  }

  of(personId: string): string | undefined {
    return this.#byPerson.get(personId);
  }

  /** From now on nobody is behind their pseudonym, and they are "[erased]" in new entries. */
  forget(personId: string): void {
    this.#byPerson.delete(personId);
    this.#names = pseudonymise(this.#people, this.#byPerson, this.#keep);
  }

  #nameOf(pseudonym: string): string | undefined {
    for (const [id, each] of this.#byPerson)
      if (each === pseudonym) return this.#people.find((person) => person.id === id)?.names.en ?? id;
    return undefined;
  }
}

function isDetail(value: unknown): value is Detail {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
