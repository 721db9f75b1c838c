import type { Meaning } from '../../domain/intent/meaning.ts';
import type { Language } from '../../domain/language/language.ts';

/** What was answered last, to be repeated. */
export interface LastAnswer {
  readonly meaning: Meaning | undefined;
  readonly text: string;
  /** Whom it was told. */
  readonly speaker: string;
  readonly language: Language;
}
