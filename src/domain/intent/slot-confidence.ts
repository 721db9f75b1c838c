import type { Language } from '../language/language.ts';
import { tokenise } from '../language/tokens.ts';
import type { Meaning } from './meaning.ts';

/** A word as it was heard; `confidence` from 0 to 1. */
export interface HeardWord {
  readonly text: string;
  readonly confidence: number;
}

/**
 * How sure the words of each slot were heard, 0 to 1: that of the least sure word. Where they were said twice it is the less
 * sure place that counts. A slot whose words were not heard here (it was completed by an earlier turn or by the plant) is left out.
 */
export function slotConfidence(
  { slots }: Meaning,
  heard: readonly HeardWord[],
  language: Language,
): Readonly<Record<string, number>> {
  const tokens = heard.flatMap(({ text, confidence }) =>
    tokenise(text, language).map((token) => ({ text: token.text, confidence })),
  );
  return Object.fromEntries(
    Object.entries(slots).flatMap(([slot, { spoken }]) => {
      const wanted = tokenise(spoken, language).map(({ text }) => text);
      const found = wanted.length === 0 ? [] : tokens.flatMap((_token, at) => sureness(tokens, at, wanted));
      return found.length === 0 ? [] : [[slot, Math.min(...found)] as const];
    }),
  );
}

/** Of the words at one place; empty when other words stand there. */
function sureness(tokens: readonly HeardWord[], at: number, wanted: readonly string[]): readonly number[] {
  const stretch = tokens.slice(at, at + wanted.length);
  return stretch.length === wanted.length && stretch.every(({ text }, i) => text === wanted[i])
    ? [Math.min(...stretch.map(({ confidence }) => confidence))]
    : [];
}
