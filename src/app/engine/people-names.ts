import type { Language } from '../../domain/language/language.ts';

/** What people are called aloud. */
export interface PeopleNames {
  /** The name of a person of the directory; the id of one who is not in it. */
  nameOf(id: string, language: Language): string;
}
