import { readFileSync } from 'node:fs';
import { parseGlossary } from '../../src/domain/memory/recall/concepts.ts';
import { IndexTerms } from '../../src/domain/memory/recall/index-terms.ts';

const FILE = new URL('../../config/memory/glossary.txt', import.meta.url);

/** Terms as the shipped glossary makes them. */
export function shippedTerms(): IndexTerms {
  return new IndexTerms(() => parseGlossary(readFileSync(FILE, 'utf8'), 'glossary.txt'));
}
