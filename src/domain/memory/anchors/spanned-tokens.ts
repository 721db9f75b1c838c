import {
  CHINESE_DIGIT,
  CHINESE_RADIO_DIGIT,
  CHINESE_UNIT,
  NUMBER_WORDS,
} from '../../language/number-words.ts';
import type { Token } from '../../language/tokens.ts';

/** A token that knows where in the text it stands. */
export interface SpannedToken extends Token {
  /** UTF-16 indices in the text as it was given; `end` is not included. */
  readonly start: number;
  readonly end: number;
  readonly kind: 'word' | 'han' | 'number' | 'mark';
}

/** What stands before a number and says no more than that one follows: "no. 7", "number seven", #7. */
export const NUMBER_MARK = '№';

const MARKS: ReadonlySet<string> = new Set(['no', 'nr', 'number', '#', NUMBER_MARK]);
const PIECE =
  /(?<=[\p{L}\p{N}])'s(?![\p{L}\p{N}])|\d+(?:[.,:/]\d+)*|[#№]|\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}])+|(?!\d)\p{N}/gu;
/** 一 is no number here: 周一三号泵 is pump three on a Monday. */
const WEEKDAY = /(?:周|星期|礼拜)$/u;
const MINUS = /(?:^|[^\p{L}\p{N}\s]|\s)-$/u;

/** Half width, straight apostrophes and hyphens; as long as the text, so that places in it stay. */
export function sameLengthForm(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/gu, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/\u3000/gu, ' ')
    .replace(/[\u2018\u2019\u02BC`]/gu, "'")
    .replace(/[\u2010\u2011\u2212]/gu, '-');
}

/** The tokens of a text in its `sameLengthForm`, lower case; a possessive 's is none. */
export function spannedTokens(form: string): readonly SpannedToken[] {
  const tokens: SpannedToken[] = [];
  for (const found of form.matchAll(PIECE)) {
    const [raw] = found;
    if (raw.startsWith("'")) continue;
    const start = found.index;
    const at = { start, end: start + raw.length, hyphenated: false };
    const before = form.slice(Math.max(0, start - 2), start);
    if (/^\d/u.test(raw)) tokens.push({ ...at, text: MINUS.test(before) ? `-${raw}` : raw, kind: 'number' });
    else {
      const text = raw.normalize('NFC').toLowerCase();
      if (MARKS.has(text)) tokens.push({ ...at, text: NUMBER_MARK, kind: 'mark' });
      else if (/\p{Script=Han}/u.test(text))
        tokens.push({ ...at, text: WEEKDAY.test(before) ? `weekday ${text}` : text, kind: 'han' });
      else tokens.push({ ...at, text, kind: 'word' });
    }
  }
  return tokens;
}

/** Whether a token can be part of a number, or is one. */
export function isNumberToken(token: SpannedToken | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === 'number') return true;
  if (token.kind === 'word') return ENGLISH_NUMBER.has(token.text);
  return CHINESE_DIGIT.has(token.text) || CHINESE_UNIT.has(token.text) || CHINESE_RADIO_DIGIT.has(token.text);
}

const ENGLISH_NUMBER: ReadonlySet<string> = new Set(
  [...NUMBER_WORDS.en].filter((word) => !['and', 'point', 'minus', 'negative'].includes(word)),
);

/** Whether two tokens belong together in a name: only blanks of one line, or one hyphen or underscore, are between them. */
export function isJoined(form: string, one: SpannedToken, other: SpannedToken): boolean {
  const between = form.slice(one.end, other.start);
  return (one.kind === 'mark' ? /^\.?[^\S\n\r]*$/u : /^(?:[^\S\n\r]*|[-_])$/u).test(between);
}
