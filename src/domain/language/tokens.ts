import type { Language } from './language.ts';

/**
 * One unit of a sentence, lower case: an English word, a single Han character, a run of Latin letters,
 * a typed number with its sign ("12", "2.5", "-5"), or something no sentence contains, kept so that it is not overlooked.
 */
export interface Token {
  readonly text: string;
  /** Written against what stands before it with a hyphen ("pump-3"): in a name the hyphen is no sign. */
  readonly hyphenated: boolean;
}

// "12,5", "10:30" and "1/2" stay whole: they are no number here, and in pieces they would become a wrong one.
const TOKEN = /\[unk\]|-?\d+(?:[.,:/]\d+)*|\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}])+|(?!\d)\p{N}/gu;
const JOINED_BEFORE = /[\p{L}\p{N}]$/u;

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(what|where|who|how|when|which|that|it|there|here)'s\b/g, '$1 is'],
  [/\bcan't\b/g, 'can not'],
  [/\bwon't\b/g, 'will not'],
  [/n't\b/g, ' not'],
  [/'re\b/g, ' are'],
  [/'m\b/g, ' am'],
  [/'ll\b/g, ' will'],
  [/'ve\b/g, ' have'],
  [/'s\b/g, ''],
];

const SYMBOLS: Readonly<Record<Language, readonly (readonly [RegExp, string])[]>> = {
  en: [
    [/%/g, ' percent '],
    [/°\s*c\b|°|℃/g, ' degrees '],
  ],
  zh: [
    [/(-?\d+(?:\.\d+)?)\s*%/g, ' 百分之$1 '],
    [/°\s*c\b|°|℃/g, ' 度 '],
  ],
};

/**
 * One form for what people write in several: full-width and half-width, capitals, apostrophes and contractions.
 * Compatibility forms beyond full width are left alone: Unicode's own folding would read "5²" as 52.
 */
export function normalise(text: string, language: Language): string {
  let form = text
    .normalize('NFC')
    .replace(/[\uFF01-\uFF5E]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/\u3000/g, ' ')
    .replace(/[\u2018\u2019\u02BC`]/g, "'")
    .replace(/[\u2010\u2011\u2212]/g, '-')
    .toLowerCase();
  if (form.includes("'")) for (const [from, to] of CONTRACTIONS) form = form.replace(from, to);
  for (const [from, to] of SYMBOLS[language]) form = form.replace(from, to);
  return form;
}

/** The tokens of a text, typed or recognised; spaces and punctuation only separate. */
export function tokenise(text: string, language: Language): readonly Token[] {
  const form = normalise(text, language);
  const tokens: Token[] = [];
  for (const found of form.matchAll(TOKEN)) {
    const hyphenated =
      found[0].startsWith('-') && JOINED_BEFORE.test(form.slice(Math.max(0, found.index - 2), found.index));
    tokens.push({ text: found[0], hyphenated });
  }
  return tokens;
}

const BETWEEN_TOKENS: Readonly<Record<Language, string>> = { en: ' ', zh: '' };

/** The text of a stretch of tokens as a person would write it. */
export function textOf(tokens: readonly Token[], start: number, end: number, language: Language): string {
  return tokens
    .slice(start, end)
    .map((token) => token.text)
    .join(BETWEEN_TOKENS[language]);
}
