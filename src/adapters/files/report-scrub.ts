import { open, readdir, readFile, rename, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErasedShare, Erasure, PersonalStore } from '../../app/ports/personal-store.ts';
import type { PersonNames } from '../../domain/privacy/person-names.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import { zipTexts } from './zip-texts.ts';

/** Takes a person's names out of the CSV reports, and says which XLSX reports have them. */
export class ReportScrub implements PersonalStore {
  readonly name = 'reports';
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async erase({ names }: Erasure): Promise<ErasedShare> {
    let count = 0;
    const byHand: string[] = [];
    for (const file of await this.#files()) {
      const path = join(this.#directory, file);
      try {
        const found = file.endsWith('.csv') ? await scrubbed(path, names) : await namedIn(path, names);
        if (found === 'changed') count += 1;
        if (found === 'named') byHand.push(`the report ${path} names the person: remove it, or change it`);
      } catch (error) {
        byHand.push(`the report ${path} could not be searched: ${messageOf(error)}`);
      }
      if (names.inText(file) !== file) byHand.push(`the name of the report ${path} is of the person`);
    }
    return { count, byHand };
  }

  async #files(): Promise<readonly string[]> {
    try {
      return (await readdir(this.#directory)).filter((name) => /\.(?:csv|xlsx)$/u.test(name)).sort();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw new EdgeError('REPORTS_FAILED', `${this.#directory}: ${messageOf(error)}`, {
        hint: 'check that the reports directory can be read',
        cause: error,
      });
    }
  }
}

type Found = 'changed' | 'named' | 'clean';

/** The file is replaced whole, and keeps its age. */
async function scrubbed(path: string, names: PersonNames): Promise<Found> {
  const text = await readFile(path, 'utf8');
  const cleaned = names.inText(text);
  if (cleaned === text) return 'clean';
  const { atime, mtime, mode } = await stat(path);
  const draft = `${path}.draft`;
  const handle = await open(draft, 'w', mode);
  try {
    await handle.writeFile(cleaned);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await utimes(draft, atime, mtime);
  await rename(draft, path);
  return 'changed';
}

async function namedIn(path: string, names: PersonNames): Promise<Found> {
  const texts = zipTexts(await readFile(path));
  return texts.some((text) => names.inText(text) !== text) ? 'named' : 'clean';
}
