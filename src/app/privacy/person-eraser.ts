import type { PeopleDirectory } from '../../domain/people/directory.ts';
import { type ErasedPerson, erasing } from '../../domain/privacy/pseudonymise.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import type { KeyedHash } from '../ports/keyed-hash.ts';
import type { BegunErasure, ErasureLedger, PersonalStore } from '../ports/personal-store.ts';
import type { Pseudonyms } from './pseudonyms.ts';

interface Parts {
  readonly people: Pick<PeopleDirectory, 'people' | 'person'>;
  readonly pseudonyms: Pick<Pseudonyms, 'of' | 'forget'>;
  readonly ledger: ErasureLedger;
  /** In the order in which they are cleaned: what is in memory before what is on disk. */
  readonly stores: readonly PersonalStore[];
  readonly hash: KeyedHash;
  /** Words that are no names of people, such as those of machines. */
  readonly keep: readonly string[];
  /** What this program cannot reach and somebody has to see to, in words. */
  readonly outside: readonly string[];
  readonly newId: () => string;
  readonly logger: Logger;
}

/** What was erased, without anything of it. */
export interface ErasureReport {
  readonly request: string;
  /** Changed or removed, by store. */
  readonly counts: Readonly<Record<string, number>>;
  /** What a person has to do by hand, in words. */
  readonly byHand: readonly string[];
}

/** Of whom no pseudonym is known. */
const NOBODY = 'person-unknown';

/** Erases a person everywhere: audit, stores one after the other, pseudonym, audit. What a crash cuts off is done again from its start. */
export class PersonEraser {
  readonly #parts: Parts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * `also` are other names and telephone numbers, which the directory does not have. Rejects with EdgeError INPUT_INVALID for somebody whom neither the
   * directory nor the audit knows, and with the EdgeErrors of the stores: what is left then is done with the next start, or call.
   */
  erase(personId: string, also: readonly string[] = []): Promise<ErasureReport> {
    return this.#inTurn(async () => {
      const begun = await this.#begun(personId, also);
      await this.#parts.ledger.begin(begun);
      return this.#carryOut(begun);
    });
  }

  /** Goes on with what a restart has cut off; resolves with how many. Never rejects: what fails is told in the log. */
  resume(): Promise<number> {
    return this.#inTurn(async () => {
      let ended = 0;
      try {
        for (const begun of await this.#parts.ledger.unfinished()) {
          await this.#carryOut(begun);
          ended += 1;
        }
      } catch (error) {
        this.#parts.logger.error({ error: messageOf(error) }, 'an erasure is not finished');
      }
      return ended;
    });
  }

  async #begun(id: string, also: readonly string[]): Promise<BegunErasure> {
    const { people, pseudonyms, ledger, hash, newId } = this.#parts;
    const key = hash.of('person', id);
    const found = people.person(id);
    const pseudonym = pseudonyms.of(id);
    if (found === undefined && pseudonym === undefined && !(await ledger.keys()).includes(key))
      throw new EdgeError(
        'INPUT_INVALID',
        `nobody has the id "${id}".${didYouMean(
          id,
          people.people.map((each) => each.id),
        )}`,
        { hint: 'give the id of the people file, or the one somebody had in it' },
      );
    const person: ErasedPerson = { id, person: found, also, pseudonym: pseudonym ?? NOBODY };
    return { request: newId(), key, person };
  }

  async #carryOut(begun: BegunErasure): Promise<ErasureReport> {
    const { people, pseudonyms, ledger, stores, keep, outside } = this.#parts;
    const { person, request } = begun;
    const names = erasing(
      person,
      people.people.map(({ id }) => id),
      keep,
    );
    const counts: Record<string, number> = {};
    const byHand: string[] = [];
    for (const store of stores) {
      const share = await store.erase({ person, names });
      counts[store.name] = share.count;
      byHand.push(...(share.byHand ?? []));
    }
    await ledger.purge();
    // Last: until here the audit still said who was meant. In memory first, so that no new entry has the pseudonym.
    pseudonyms.forget(person.id);
    await ledger.end(begun, counts);
    if (person.person === undefined)
      byHand.push('the people file did not list the person: only the id and the names given were looked for');
    if (people.person(person.id) !== undefined)
      byHand.push('the people file still lists the person: take the line out, then restart');
    return { request, counts, byHand: [...byHand, ...outside] };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work);
    this.#last = next.catch(() => undefined);
    return next;
  }
}
