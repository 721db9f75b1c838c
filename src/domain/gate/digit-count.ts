import type { SlotValue } from '../intent/meaning.ts';
import type { Language } from '../language/language.ts';
import { numbersAt } from '../language/numbers-at.ts';
import { tokenise } from '../language/tokens.ts';

/** Number words that a microphone takes for one another. 幺 and 拐 are said over radios so that 1 and 7 stay apart. */
const ALIKE: Readonly<Record<Language, readonly (readonly [string, string])[]>> = {
  en: [],
  zh: [
    ['一', '七'],
    ['四', '十'],
  ],
};

/** So many places are exchanged in every combination; in a longer number each alone. */
const MAX_COMBINED = 6;

export interface DigitExpectation {
  /** How many digits it has to have; undefined where any number will do. */
  readonly digits: number | undefined;
  /** What the words would mean instead, `undefined` when nothing: `wholeNumber` within the limits of a value, or a look-up of a name. */
  readonly meantBy: (words: string) => string | number | undefined;
}

export type DigitDoubt =
  | { readonly kind: 'count'; readonly heard: number; readonly expected: number }
  /** It may as well have been this. */
  | { readonly kind: 'alike'; readonly words: string; readonly value: string | number };

/**
 * Why a spoken number or a name with one in it has to be asked about; undefined when it can be taken as heard.
 * Two numbers that sound alike are told apart by what is possible: where only one of them is, that one was said.
 */
export function doubtfulDigits(
  slot: SlotValue,
  expected: DigitExpectation,
  language: Language,
): DigitDoubt | undefined {
  if (slot.digits !== undefined && expected.digits !== undefined && slot.digits !== expected.digits)
    return { kind: 'count', heard: slot.digits, expected: expected.digits };
  for (const words of soundingAlike(slot.spoken, language)) {
    const value = expected.meantBy(words);
    if (value !== undefined && value !== slot.value) return { kind: 'alike', words, value };
  }
  return undefined;
}

/** The number that words are as a whole; undefined when they are none, or may be several. */
export function wholeNumber(words: string, language: Language): number | undefined {
  const tokens = tokenise(words, language);
  const [first, ...others] = numbersAt(tokens, 0, language).filter(({ end }) => end === tokens.length);
  return others.length > 0 ? undefined : first?.value;
}

function soundingAlike(spoken: string, language: Language): readonly string[] {
  const characters = [...spoken];
  const places = characters.flatMap((character, at) =>
    other(character, language) === undefined ? [] : [at],
  );
  const choices =
    places.length <= MAX_COMBINED
      ? Array.from({ length: 2 ** places.length - 1 }, (_, i) =>
          places.filter((_place, bit) => ((i + 1) >> bit) % 2 === 1),
        )
      : places.map((place) => [place]);
  return choices.map((exchanged) =>
    characters
      .map((character, at) =>
        exchanged.includes(at) ? (other(character, language) ?? character) : character,
      )
      .join(''),
  );
}

function other(word: string, language: Language): string | undefined {
  for (const [one, two] of ALIKE[language]) {
    if (word === one) return two;
    if (word === two) return one;
  }
  return undefined;
}
