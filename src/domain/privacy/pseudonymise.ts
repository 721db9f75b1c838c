import type { Person } from '../people/person.ts';
import { ORDINARY_WORDS, personForms } from './person-forms.ts';
import { type NamedForm, PersonNames } from './person-names.ts';

/** What stands where somebody was named. */
export const ERASED = { en: '[erased]', zh: '〔已删除〕' } as const;

/** A mobile number of China, or one with its country in front; numbers inside of ids and times are none. */
const TELEPHONE =
  /(?<![0-9A-Za-z._:+-])(?:(?:\+?86[ -]?)?1[3-9]\d(?:[ -]?\d{4}){2}|\+[1-9]\d{0,2}[ -]?\d(?:[ ()-]{0,2}\d){6,12})(?![0-9A-Za-z]|[._:-][0-9A-Za-z])/gu;
const PSEUDONYM = /person-[0-9a-f]{8}/gu;

/** `person-` and eight hexadecimal digits, from at least 4 random bytes. */
export function pseudonymFrom(random: Uint8Array): string {
  const digits = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `person-${digits.slice(0, 8)}`;
}

/**
 * The names of the people, each replaced by its person's pseudonym; people without one are replaced by "[erased]". A form that is several people's
 * is replaced by all their pseudonyms; a telephone number, whoever's, by "[phone]". `keep` are words that are no names, such as those of machines.
 */
export function pseudonymise(
  people: readonly Person[],
  pseudonyms: ReadonlyMap<string, string>,
  keep: readonly string[] = [],
): PersonNames {
  const by = ({ id }: Person): string => pseudonyms.get(id) ?? ERASED.en;
  return new PersonNames({
    forms: people.flatMap((person) => personForms(person).map((form) => ({ ...form, by: by(person) }))),
    keep: [...ORDINARY_WORDS, ...keep],
    ids: new Map(people.map((person) => [person.id, by(person)])),
    masks: [{ pattern: TELEPHONE, by: '[phone]' }],
  });
}

/** Who is to be erased; everything in it names them. */
export interface ErasedPerson {
  readonly id: string;
  /** As the directory lists them; undefined when it does so no more. */
  readonly person: Person | undefined;
  /** What else they are called by, and their telephone numbers: replaced wherever it stands as words. */
  readonly also: readonly string[];
  /** What may still stand for them where somebody must, such as the holder of a lock. */
  readonly pseudonym: string;
}

/** The names of one person, each replaced by "[erased]" or 〔已删除〕. `others` are ids whose own names stay beside them. */
export function erasing(
  { id, person, also }: ErasedPerson,
  others: readonly string[] = [],
  keep: readonly string[] = [],
): PersonNames {
  const known = person === undefined ? [{ text: id, place: 'text' as const }] : personForms(person);
  const numbers = also.filter(isTelephone);
  const called = also.filter((each) => !isTelephone(each)).map((text) => ({ text, place: 'text' as const }));
  return new PersonNames({
    forms: [...known, ...called].map((form): NamedForm => ({ ...form, by: erasedFor(form.text) })),
    keep: [...ORDINARY_WORDS, ...keep],
    ids: new Map<string, string | undefined>([
      ...others.filter((other) => other !== id).map((other) => [other, undefined] as const),
      [id, ERASED.en],
    ]),
    masks: numbers.map((written) => ({ pattern: groupedDigits(nationalDigits(written)), by: ERASED.en })),
  });
}

/** The text with a name in the place of each pseudonym that `nameOf` knows. */
export function shownWith(text: string, nameOf: (pseudonym: string) => string | undefined): string {
  return text.replaceAll(PSEUDONYM, (pseudonym) => nameOf(pseudonym) ?? pseudonym);
}

function erasedFor(form: string): string {
  return /\p{Script=Han}/u.test(form) ? ERASED.zh : ERASED.en;
}

function isTelephone(written: string): boolean {
  return /^\+?[\d ().-]+$/u.test(written) && digitsOf(written).length >= 7;
}

function nationalDigits(written: string): string {
  const digits = digitsOf(written);
  return digits.length === 13 && digits.startsWith('86') ? digits.slice(2) : digits;
}

function digitsOf(written: string): string {
  return written.replaceAll(/\D/gu, '');
}

function groupedDigits(digits: string): RegExp {
  return new RegExp(`(?<![0-9])(?:\\+?86[ -]?)?${[...digits].join('[ ().-]{0,2}')}(?![0-9])`, 'gu');
}
