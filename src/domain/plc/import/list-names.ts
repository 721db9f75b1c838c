/** Turns Chinese text into letters that an id may have. */
export type Romanise = (text: string) => string;

const LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  μ: 'u',
};
const MAX_ID = 63;

/** An id made of a name: lower-case letters, digits, - and _; empty where nothing is left. */
export function idOf(name: string, romanise: Romanise): string {
  const spelled = hasHan(name) ? name.replace(/\p{Script=Han}+/gu, (han) => ` ${romanise(han)} `) : name;
  return spelled
    .trim()
    .replace(/([\p{Ll}\d])(\p{Lu}\p{Ll})/gu, '$1-$2')
    .toLowerCase()
    .replace(/[äöüßøæμ]/gu, (letter) => LETTERS[letter] ?? '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9_]+/gu, '-')
    .replace(/^[-_]+|[-_]+$/gu, '')
    .slice(0, MAX_ID)
    .replace(/[-_]+$/u, '');
}

/** `id`, or it with the first number behind it that is not taken. */
export function freeId(id: string, isTaken: (id: string) => boolean): string {
  if (!isTaken(id)) return id;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const tried = id.slice(0, MAX_ID - suffix.length) + suffix;
    if (!isTaken(tried)) return tried;
  }
}

export function hasHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

const MAX_SPOKEN = 80;

/** Words that can be said, without the punctuation of a tag or a comment. */
export function spokenOf(text: string): string {
  const words = text
    .replace(/([\p{Ll}\d])(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
  const spoken = hasHan(words) ? words.replace(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, '') : words;
  return spoken.slice(0, MAX_SPOKEN).trim();
}
