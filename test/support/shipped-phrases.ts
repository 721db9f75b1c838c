import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Language } from '../../src/domain/language/language.ts';
import { createPhrasebook, type Phrasebook, phraseFileSchema } from '../../src/domain/phrases/phrasebook.ts';

/** The sentences that the program ships. */
export function shippedPhrases(): Phrasebook {
  const file = (language: Language) =>
    phraseFileSchema.parse(
      parse(readFileSync(new URL(`../../config/phrases/${language}.yaml`, import.meta.url), 'utf8')),
    );
  return createPhrasebook({ en: file('en'), zh: file('zh') });
}
