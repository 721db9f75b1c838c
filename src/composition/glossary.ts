import { readFileSync } from 'node:fs';
import type { Config } from '../config/config-schema.ts';
import { shipped } from '../config/shipped.ts';
import { type Glossary, parseGlossary } from '../domain/memory/recall/concepts.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { readFault } from '../runtime/read-fault.ts';

/** The site's own meanings; one with the id of a shipped one gives it more words. Throws EdgeError CONFIG_INVALID or CONFIG_UNREADABLE. */
export function siteGlossary({ memory: { glossary } }: Pick<Config, 'memory'>): Glossary {
  return glossary === undefined ? { concepts: [], near: [] } : readGlossary(glossary);
}

/** Those that come with the program. Throws as `siteGlossary`. */
export function shippedGlossary(): Glossary {
  return readGlossary(shipped('config/memory/glossary.txt'));
}

function readGlossary(file: string): Glossary {
  try {
    return parseGlossary(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof EdgeError) throw error;
    throw new EdgeError('CONFIG_UNREADABLE', `${file}: ${readFault(error)}`, { cause: error });
  }
}
