import type { Language } from '../language/language.ts';
import { MARK } from './redact.ts';
import { sameLengthForm } from './words/same-length-form.ts';
import { EMOTIONS, NEGATIONS, QUANTITIES, TIME_WORDS } from './words/signals.ts';

export type KeySignal = 'time' | 'quantity' | 'negation' | 'emotion';

const SIGNALS: Readonly<Record<KeySignal, Readonly<Record<Language, RegExp>>>> = {
  time: TIME_WORDS,
  quantity: QUANTITIES,
  negation: NEGATIONS,
  emotion: EMOTIONS,
};
const KINDS: readonly KeySignal[] = ['time', 'quantity', 'negation', 'emotion'];
/** One sign alone is in nearly every sentence. */
const ENOUGH = 2;

/** What in a text tells that it matters, in a fixed order. */
export function keySignals(text: string, language: Language): readonly KeySignal[] {
  const form = sameLengthForm(text).replace(MARK, ' ');
  return KINDS.filter((kind) => SIGNALS[kind][language].test(form));
}

/** Whether a text states a key fact: it has any two of a time, a quantity, a negation and emotion. */
export function isKeyFact(text: string, language: Language): boolean {
  return keySignals(text, language).length >= ENOUGH;
}
