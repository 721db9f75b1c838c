import type { Language } from '../language/language.ts';

/** The longest line that is spoken, in characters: about a minute. */
export const MAX_SPOKEN_CHARACTERS = 600;

const CUT_MARK: Readonly<Record<Language, string>> = { en: ', message cut.', zh: '，内容已截断。' };
const FULL_WIDTH_OFFSET = 0xfee0;

/**
 * A text from anywhere as plain words for a speech program: no control or direction characters, no markup tags,
 * no brackets (espeak-ng reads `[[…]]` as phonemes), one space between words, at most `MAX_SPOKEN_CHARACTERS`.
 * A longer text is cut at a word and ends with the words that say so. May return '' when nothing is left to say.
 */
export function sayableText(text: string, language: Language): string {
  const plain = text
    .slice(0, 8 * MAX_SPOKEN_CHARACTERS)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/<\/?[a-z!?][^<>]*>/gi, ' ')
    .replace(/[[\]]/g, ' ')
    .replace(/[\uff05\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g, (wide) =>
      String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_OFFSET),
    )
    .replace(/\s+/g, ' ')
    .trim();
  return cutAtWord(plain, language);
}

function cutAtWord(text: string, language: Language): string {
  const characters = [...text];
  if (characters.length <= MAX_SPOKEN_CHARACTERS) return text;
  const mark = CUT_MARK[language];
  const head = characters.slice(0, MAX_SPOKEN_CHARACTERS - mark.length + 1).join('');
  // Chinese has no spaces: there the last boundary may be far back or missing, and any character ends a word.
  const boundary = Math.max(head.lastIndexOf(' '), head.lastIndexOf('，'), head.lastIndexOf('。'));
  const kept = boundary > head.length / 2 ? head.slice(0, boundary) : [...head].slice(0, -1).join('');
  return kept.replace(/[\s,.;:，。；：]+$/u, '') + mark;
}
