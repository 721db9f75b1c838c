import type { Language } from '../language/language.ts';
import { numberToWords } from '../language/number-to-words.ts';
import type { PointValue } from '../plc/reading.ts';

/** Digits after the point when the device map does not say: more are noise to a person who listens. */
const DEFAULT_DECIMALS = 2;

const ON_OFF: Readonly<Record<Language, readonly [off: string, on: string]>> = {
  en: ['off', 'on'],
  zh: ['关', '开'],
};

/** A value as it is said: numbers in words, bits as on and off, text as it is. */
export function spokenValue(value: PointValue, language: Language, decimals: number | undefined): string {
  if (typeof value === 'number') return numberToWords(value, language, decimals ?? DEFAULT_DECIMALS);
  if (typeof value === 'boolean') return ON_OFF[language][value ? 1 : 0];
  return value;
}
