import { EdgeError } from '../../runtime/edge-error.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import { valueList } from '../intent/value-list.ts';
import { LANGUAGES, type Language } from '../language/language.ts';
import { numbersAt } from '../language/numbers-at.ts';
import { tokenise } from '../language/tokens.ts';
import type { NamedEntry } from './plant-model.ts';

/** A message stays readable: of more than these only the number is told. */
const MOST_LISTED = 20;

/**
 * The key of the machine, point or log that is written: its key, or any of its names in any language, with capitals,
 * spaces and numbers as people write them ("Machine Twelve" is "machine 12"). `kind` is what it is called in messages,
 * such as "machine" or "point of machine-12".
 * Throws EdgeError INPUT_INVALID, naming the nearest and listing what there is, or which keys share the name.
 */
export function findByName(written: string, entries: readonly NamedEntry[], kind: string): string {
  if (entries.some(({ value }) => value === written)) return written;
  const found = [...new Set(LANGUAGES.flatMap((language) => namesIn(entries, language)(written)))];
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined)
    throw new EdgeError('INPUT_INVALID', `"${written}" can be ${found.join(' or ')}: write the one you mean`);
  const words = entries.flatMap(({ value, spoken }) => [value, ...spoken.en, ...spoken.zh]);
  throw new EdgeError(
    'INPUT_INVALID',
    `there is no ${kind} "${written}".${didYouMean(written.trim().toLowerCase(), words)} ${listed(entries)}`,
  );
}

/** A look-up of the keys that a whole name stands for, in one language. */
export function namesIn(
  entries: readonly NamedEntry[],
  language: Language,
): (written: string) => readonly string[] {
  const named = entries.map(({ value, spoken }) => ({ value, spoken: spoken[language] }));
  const list = valueList({ kind: 'entries', entries: named }, language);
  return (written) => {
    const tokens = tokenise(written, language);
    return list
      .findAt(tokens, 0, (position) => numbersAt(tokens, position, language))
      .filter(({ end }) => end === tokens.length)
      .map(({ value }) => String(value));
  };
}

function listed(entries: readonly NamedEntry[]): string {
  if (entries.length === 0) return 'There are none.';
  const shown = entries.slice(0, MOST_LISTED).map(({ value, spoken }) => {
    const names = [...new Set(LANGUAGES.flatMap((language) => spoken[language][0] ?? []))];
    return `${value} (${names.join(', ')})`;
  });
  const more = entries.length - shown.length;
  return `There is: ${shown.join('; ')}${more === 0 ? '' : `; and ${more} more`}`;
}
