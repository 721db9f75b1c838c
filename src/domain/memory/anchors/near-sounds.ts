/** The syllables of Chinese characters, with blanks between; with or without tone digits. */
export type Romanise = (characters: string) => string;

/** What many speakers, and recognisers of them, do not keep apart: zh/z, ch/c, sh/s, n/l, f/h and -ng/-n. Tones are left out. */
const NEAR: readonly (readonly [RegExp, string])[] = [
  [/[0-9]/gu, ''],
  [/ü/gu, 'v'],
  [/^([zcs])h/u, '$1'],
  [/^n/u, 'l'],
  [/^hu(?=[aoe])/u, 'f'],
  [/^hui$/u, 'fei'],
  [/^hun$/u, 'fen'],
  [/^h/u, 'f'],
  [/([aei])ng$/u, '$1n'],
];

/** Equal for syllables that sound alike. */
export function nearSyllable(syllable: string): string {
  return NEAR.reduce((sound, [from, to]) => sound.replace(from, to), syllable.toLowerCase());
}

const ENGLISH: readonly (readonly [RegExp, string])[] = [
  [/[^a-z]/gu, ''],
  [/^(?:kn|gn|pn)/u, 'n'],
  [/^wr/u, 'r'],
  [/^x/u, 's'],
  [/ph/gu, 'f'],
  [/ght/gu, 't'],
  [/zh|dg|g(?=[eiy])/gu, 'j'],
  [/tch|ch|sh|tion|sion/gu, 'j'],
  [/ck|c(?![eiy])|q|g/gu, 'k'],
  [/c|z/gu, 's'],
  [/x/gu, 'ks'],
  [/v/gu, 'f'],
  [/b/gu, 'p'],
  [/d/gu, 't'],
  [/m/gu, 'n'],
];

/** A small phonetic key of an English word: its first letter's sound and the consonants after it, voiced ones as unvoiced. */
export function englishSound(word: string): string {
  const sounds = ENGLISH.reduce((sound, [from, to]) => sound.replace(from, to), word.toLowerCase());
  const first = /^[aeiouy]/u.test(sounds) ? 'a' : sounds.slice(0, 1);
  return `${first}${sounds.slice(1).replace(/[aeiouyhw]/gu, '')}`.replace(/(.)\1+/gu, '$1');
}
