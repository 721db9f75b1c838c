import { readFileSync } from 'node:fs';
import { pinyin } from 'pinyin-pro';
import { z } from 'zod';
import type { Language } from '../../src/domain/language/language.ts';

/** One syllable as its sounds. */
export type Syllable = readonly string[];

const lexiconSchema = z.record(z.string(), z.array(z.string()));
const LEXICONS = new Map<Language, Readonly<Record<string, readonly string[]>>>();

function lexicon(language: Language): Readonly<Record<string, readonly string[]>> {
  const known = LEXICONS.get(language);
  if (known !== undefined) return known;
  const file = new URL(`../../config/voice/tiny-${language}/lexicon.json`, import.meta.url);
  const read = lexiconSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  LEXICONS.set(language, read);
  return read;
}

/** The sounds of a word as the tiny model of the language has them, each pronunciation apart; undefined for other words. */
export function phonesOf(word: string, language: Language): readonly (readonly string[])[] | undefined {
  return lexicon(language)[word]?.map((phones) => phones.split(' '));
}

/** Initials and finals that a microphone in a hall does not keep apart, by what both are taken for. */
const MERGED: Readonly<Record<string, string>> = {
  zh: 'z',
  ch: 'c',
  sh: 's',
  n: 'l',
  ing: 'in',
  eng: 'en',
  ang: 'an',
};

/** The syllables of a word: of Chinese one for each character, of English one around each vowel. */
export function syllablesOf(word: string, language: Language): readonly Syllable[] {
  if (language === 'zh') {
    const options = { toneType: 'none', type: 'array', nonZh: 'consecutive' } as const;
    const initials = pinyin(word, { ...options, pattern: 'initial' });
    return pinyin(word, { ...options, pattern: 'final' }).map((final, at) =>
      [initials[at] ?? '', final].map((sound) => MERGED[sound] ?? sound).filter((sound) => sound !== ''),
    );
  }
  const phones = phonesOf(word.toLowerCase(), 'en')?.[0] ?? [...word];
  return splitAtVowels(phones);
}

const VOWEL = /^[@aeiouAEIOUV3]/u;

/** One consonant goes with the vowel after it, the others with the one before. */
function splitAtVowels(phones: readonly string[]): readonly Syllable[] {
  const vowels = phones.flatMap((phone, at) => (VOWEL.test(phone) ? [at] : []));
  const begins = vowels.map((vowel, nth) => {
    if (nth === 0) return 0;
    const between = vowel - (vowels[nth - 1] ?? 0) - 1;
    return between > 0 ? vowel - 1 : vowel;
  });
  return begins.length === 0 ? [phones] : begins.map((begin, nth) => phones.slice(begin, begins[nth + 1]));
}

/** 0 for equal sounds, 1 for sounds of which none is shared: the edits between them against the longer one. */
export function unlikeness(one: readonly string[], other: readonly string[]): number {
  const longer = Math.max(one.length, other.length);
  return longer === 0 ? 0 : edits(one, other) / longer;
}

/** Levenshtein's distance over sounds. */
export function edits(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [i, sound] of one.entries()) {
    const next = [i + 1];
    for (const [j, against] of other.entries())
      next.push(
        Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (sound === against ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
