import type { Person } from '../people/person.ts';

/**
 * Where a form names its person. `text`: as words anywhere. `titled`: likewise, where no whole name stands (张工 is a part of 张工伟). `field`: only as the whole of a field that holds a person, since the
 * word means other things elsewhere. `badge`: in a field of a badge, or behind the word for one, since it is a short number.
 */
export type FormPlace = 'text' | 'titled' | 'field' | 'badge';

export interface PersonForm {
  readonly text: string;
  readonly place: FormPlace;
}

/** What anybody may be called before the family name, beside their own title. */
const ADDRESSES_EN = ['mr', 'mr.', 'mrs', 'mrs.', 'ms', 'ms.', 'miss', 'dr', 'dr.'] as const;
const ADDRESSES_ZH = ['先生', '女士', '师傅'] as const;
/** How a title is said behind a family name, where that is not the title itself. */
const SHORT_TITLES: Readonly<Record<string, string>> = { 工程师: '工', 总工程师: '总工' };
const DOUBLE_FAMILY_NAMES = /^(?:欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|令狐|司徒)/u;
/** Ordinary words that look like a family name with a title. */
export const ORDINARY_WORDS: readonly string[] = ['施工', '高工', '小时', '小于', '方工'];

const SEPARATORS = [' ', '-', '_', '.', ''] as const;
/** A badge of fewer digits may as well be a value. */
const LONG_NUMBER = 6;

/** Everything in writing that names this person: id, address, badge, names, and a family name behind or before a title. */
export function personForms(person: Person): readonly PersonForm[] {
  const { id, email, badge, also } = person;
  const words = person.names.en.split(/\s+/u).filter((word) => word !== '');
  const own = new Set(words.map((word) => word.toLowerCase()));
  const texts = [
    ...(email === undefined ? [] : [email]),
    ...(words.length > 1 ? joinedEveryWay(words) : []),
    ...also.en.filter((name) => name.length > 2 && !own.has(name.toLowerCase())),
    ...chineseForms(person),
    ...also.zh,
  ];
  const forms: PersonForm[] = texts.map((text) => ({
    text,
    place: [...text].length < 2 ? 'field' : 'text',
  }));
  forms.push({ text: id, place: isTelling(id) ? 'text' : 'field' });
  const titled = [...titledEnglish(words, person.title.en), ...titledChinese(person)];
  for (const text of titled) forms.push({ text, place: 'titled' });
  for (const name of [person.names.en, person.names.zh]) forms.push({ text: name, place: 'field' });
  if (badge !== undefined) forms.push({ text: badge, place: isShortNumber(badge) ? 'badge' : 'text' });
  return forms;
}

/** An id that is one plain word, such as `wang` or `operator`, is also a word of the language. */
function isTelling(id: string): boolean {
  return id.length > 3 && /[a-z]/u.test(id) && /[^a-z]/u.test(id);
}

function isShortNumber(badge: string): boolean {
  return badge.length < 4 || (badge.length < LONG_NUMBER && /^\d+$/u.test(badge));
}

function joinedEveryWay(words: readonly string[]): readonly string[] {
  const reversed = words.toReversed();
  return [
    ...SEPARATORS.map((separator) => words.join(separator)),
    ...SEPARATORS.map((separator) => reversed.join(separator)),
    reversed.join(', '),
  ];
}

function titledEnglish(words: readonly string[], title: string | undefined): readonly string[] {
  const titles = title === undefined ? ADDRESSES_EN : [...ADDRESSES_EN, title];
  return words
    .filter((word) => word.length > 1)
    .flatMap((word) => titles.map((before) => `${before} ${word}`));
}

function chineseForms({ names }: Person): readonly string[] {
  const characters = [...names.zh];
  if (characters.length < 2) return [];
  return isHan(names.zh) ? [names.zh, characters.join(' ')] : [names.zh];
}

function titledChinese({ names, title }: Person): readonly string[] {
  if (!isHan(names.zh)) return [];
  const family = DOUBLE_FAMILY_NAMES.exec(names.zh)?.[0] ?? [...names.zh][0] ?? '';
  const short = title.zh === undefined ? undefined : SHORT_TITLES[title.zh];
  return [...ADDRESSES_ZH, title.zh, short]
    .filter((each) => each !== undefined)
    .map((behind) => `${family}${behind}`)
    .filter((form) => !ORDINARY_WORDS.includes(form));
}

function isHan(name: string): boolean {
  return /^\p{Script=Han}+$/u.test(name);
}
