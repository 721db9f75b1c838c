import { fileURLToPath } from 'node:url';
import type { Language } from '../domain/language/language.ts';

/** A file that comes with the program, by its path below the program's own directory. */
export function shipped(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The tiny model for tests and the demo. */
export function tinyModel(language: Language): string {
  return shipped(`config/voice/tiny-${language}`);
}
