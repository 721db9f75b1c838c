import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErasedShare, PersonalStore } from '../../app/ports/personal-store.ts';
import { SPOKEN_FILE } from './file-engine.ts';

/** Removes the lines that were kept as sound, all of them: nobody can search them for a name. */
export class SpokenFiles implements PersonalStore {
  readonly name = 'spoken lines';
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async erase(): Promise<ErasedShare> {
    const kept = (await this.#files()).filter((name) => SPOKEN_FILE.test(name));
    await Promise.all(kept.map((name) => rm(join(this.#directory, name), { force: true })));
    return { count: kept.length };
  }

  async #files(): Promise<readonly string[]> {
    try {
      return await readdir(this.#directory);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
  }
}
