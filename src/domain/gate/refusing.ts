import type { MatchOutcome } from '../intent/meaning.ts';
import type { Language } from '../language/language.ts';
import { tokenise } from '../language/tokens.ts';

/** Intents that end an open confirmation without anything being done. */
export const REFUSING_INTENTS = ['no', 'cancel', 'stop', 'emergency_stop'] as const;

/** In whatever they stand, understood or not, nothing is consented to. Chinese ones are looked for in the run of characters. */
const REFUSING_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: ['no', 'not', 'never', 'cancel', 'stop', 'reject', 'deny', 'negative', 'wait', 'emergency', 'wrong'],
  zh: ['不', '没', '别', '取消', '停', '拒绝', '撤', '错', '等', '紧急'],
};

/** Whether an answer refuses, also where only a part of it was understood: refusing by mistake harms nobody. */
export function isRefusing(match: MatchOutcome, text: string, language: Language): boolean {
  const meanings = match.kind === 'none' ? [] : match.kind === 'match' ? [match.meaning] : match.meanings;
  const refuses = (intent: string): boolean => REFUSING_INTENTS.some((each) => each === intent);
  if (meanings.some(({ intent }) => refuses(intent))) return true;
  if (match.kind === 'match') return false;
  const tokens = tokenise(text, language).map((token) => token.text);
  return REFUSING_WORDS[language].some((word) =>
    language === 'zh' ? tokens.join('').includes(word) : tokens.includes(word),
  );
}
