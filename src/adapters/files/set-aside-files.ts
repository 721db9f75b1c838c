import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErasedShare, PersonalStore } from '../../app/ports/personal-store.ts';

/** Names the damaged databases that were set aside: whom they name nobody can say. */
export class SetAsideFiles implements PersonalStore {
  readonly name = 'files set aside';
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async erase(): Promise<ErasedShare> {
    const names = (await readdir(this.#directory)).filter((name) => name.includes('.damaged-'));
    return {
      count: 0,
      byHand: names.map((name) => `${join(this.#directory, name)} may name the person: remove it`),
    };
  }
}
