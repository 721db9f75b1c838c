import type { Language } from '../language/language.ts';

/**
 * Said after the execute phrase for what is dangerous. Each is known to the smallest recogniser models and differs from the
 * others, and from every refusal, in most of its sounds. The sentence files list the same words.
 */
export const CHECK_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: ['tango', 'whiskey', 'november', 'hotel', 'diamonds', 'sierra', 'zulu', 'charlie'],
  zh: ['红色', '配方', '工位', '表格', '皮带', '下午', '烤炉', '库存'],
};

/** Another word than the one before. `random` gives numbers from 0 up to but not 1. */
export function nextCheckWord(
  language: Language,
  previous: string | undefined,
  random: () => number,
): string {
  const others = CHECK_WORDS[language].filter((word) => word !== previous);
  const word = others[Math.min(Math.floor(random() * others.length), others.length - 1)];
  if (word === undefined) throw new Error(`a language needs two check words: ${language}`);
  return word;
}
