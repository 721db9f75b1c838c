import { distance } from 'fastest-levenshtein';
import { nearest } from '../../runtime/nearest.ts';
import { LANGUAGES, type Language } from '../language/language.ts';
import type { NamedEntry } from '../plc/plant-model.ts';
import type { Person } from './person.ts';

/** Who is meant by a spoken or written name. */
export type FoundPerson =
  /** `exact` is false for a name that is only like one of theirs: enough to ask with, never to act on. */
  | { readonly kind: 'one'; readonly person: Person; readonly exact: boolean }
  | { readonly kind: 'many'; readonly candidates: readonly Person[] }
  | { readonly kind: 'none'; readonly nearest: string | undefined };

/** Family names of two characters; any other Chinese name begins with one. */
const DOUBLE_FAMILY_NAMES = [
  '欧阳',
  '司马',
  '上官',
  '诸葛',
  '东方',
  '皇甫',
  '尉迟',
  '公孙',
  '慕容',
  '令狐',
  '司徒',
];
/** How a title is said behind a family name, where that is not the title itself: 张工 for 张工程师. */
const SHORT_TITLES: Readonly<Record<string, string>> = {
  工程师: '工',
  总工程师: '总工',
  经理: '经理',
  师傅: '师傅',
};
const MOST_CANDIDATES = 10;

/** The people of a site by id, by badge, and by what they are called. */
export class PeopleDirectory {
  readonly people: readonly Person[];
  readonly #byId: ReadonlyMap<string, Person>;
  readonly #byBadge: ReadonlyMap<string, Person>;
  readonly #bySpoken = new Map<string, Person[]>();

  constructor(people: readonly Person[]) {
    this.people = people;
    this.#byId = new Map(people.map((person) => [person.id, person]));
    this.#byBadge = new Map(
      people.flatMap((person) => (person.badge === undefined ? [] : [[person.badge, person] as const])),
    );
    for (const person of people) {
      const forms = LANGUAGES.flatMap((language) => spokenForms(person, language)).map(plain);
      for (const form of new Set(forms))
        this.#bySpoken.set(form, [...(this.#bySpoken.get(form) ?? []), person]);
    }
  }

  person(id: string): Person | undefined {
    return this.#byId.get(id);
  }

  withBadge(badge: string): Person | undefined {
    return this.#byBadge.get(badge);
  }

  /** By id, by a name in any language, or by the likeness to one. Two people of one name are both given. */
  find(spoken: string): FoundPerson {
    const known = this.#byId.get(spoken.trim());
    if (known !== undefined) return { kind: 'one', person: known, exact: true };
    const exact = this.#bySpoken.get(plain(spoken)) ?? [];
    if (exact.length > 0) return foundAmong(exact, true);
    const like = this.#like(plain(spoken));
    if (like.length > 0) return foundAmong(like, false);
    return { kind: 'none', nearest: nearest(plain(spoken), this.#bySpoken.keys()) };
  }

  /** Everybody as a list of what can be said; people may share a name. */
  spokenList(): NamedEntry[] {
    return this.people.map((person) => ({
      value: person.id,
      spoken: { en: spokenForms(person, 'en'), zh: spokenForms(person, 'zh') },
    }));
  }

  /** Those with a name that differs in one letter, or in a sixth of its letters: short names are like many. */
  #like(written: string): readonly Person[] {
    const most = Math.max(1, Math.floor(written.length / 6));
    const found = [...this.#bySpoken].filter(
      ([form]) => Math.abs(form.length - written.length) <= most && distance(form, written) <= most,
    );
    return [...new Set(found.flatMap(([, people]) => people))];
  }
}

/** Everything a person may be called in a language, the usual name first, in words that a recogniser knows. */
export function spokenForms(person: Person, language: Language): readonly string[] {
  const forms = language === 'en' ? englishForms(person) : chineseForms(person);
  return [...new Set(forms)];
}

function englishForms({ names, also, title }: Person): string[] {
  const words = names.en.split(/\s+/u).filter((word) => word.length > 1);
  const titled = title.en === undefined ? [] : words.map((word) => `${title.en} ${word}`);
  return [
    names.en,
    ...also.en,
    ...words,
    ...titled,
    ...(title.en === undefined ? [] : [`${title.en} ${names.en}`]),
  ];
}

function chineseForms({ names, also, title }: Person): string[] {
  const family = familyName(names.zh);
  const short = title.zh === undefined ? undefined : (SHORT_TITLES[title.zh] ?? title.zh);
  const titled =
    title.zh === undefined ? [] : [`${family}${title.zh}`, `${family}${short}`, `${names.zh}${title.zh}`];
  return [names.zh, ...also.zh, ...titled, `小${family}`, `老${family}`];
}

function familyName(name: string): string {
  return DOUBLE_FAMILY_NAMES.find((family) => name.startsWith(family)) ?? [...name][0] ?? name;
}

function foundAmong(people: readonly Person[], exact: boolean): FoundPerson {
  const [only, ...others] = people;
  if (only === undefined) return { kind: 'none', nearest: undefined };
  if (others.length > 0) return { kind: 'many', candidates: people.slice(0, MOST_CANDIDATES) };
  return { kind: 'one', person: only, exact };
}

/** Without capitals and spaces, which a recogniser does not hear. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[\s.]+/gu, '');
}
