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

const MARKS: ReadonlySet<string> = new Set(['no', 'nr', 'number']);
const NUMBER = /\d+(?:[.,:/]\d+)*/uy;
const ASCII_WORD = /[A-Za-z]+(?![\p{L}\p{M}])/uy;
const POSSESSIVE = /(?<=[\p{L}\p{N}])'s(?![\p{L}\p{N}])/uy;
/** What is neither ASCII nor a common character. */
const RARE = /(?<han>\p{Script=Han})|(?:(?!\p{Script=Han})[\p{L}\p{M}])+|(?!\d)\p{N}/uy;
/** 一 is no number here: 周一三号泵 is pump three on a Monday. */
const DAYS: ReadonlySet<string> = new Set('一二三四五六');
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
  // One expression for all of it is ten times slower, and this runs over everything that is said.
  for (let start = 0; start < form.length; ) {
    const sign = form.charAt(start);
    const code = form.charCodeAt(start);
    if (isCommonHan(code)) {
      tokens.push(hanToken(form, sign, start));
      start += 1;
    } else if (code >= 0x30 && code <= 0x39) {
      const number = at(NUMBER, form, start)?.[0] ?? sign;
      const text = isNegative(form, start) ? `-${number}` : number;
      tokens.push({ text, start, end: start + number.length, hyphenated: false, kind: 'number' });
      start += number.length;
    } else if (sign === '#' || sign === NUMBER_MARK) {
      tokens.push({ text: NUMBER_MARK, start, end: start + 1, hyphenated: false, kind: 'mark' });
      start += 1;
    } else if (sign === "'") start += at(POSSESSIVE, form, start)?.[0].length ?? 1;
    else if (code < 0x80 && !isAsciiLetter(code)) start += 1;
    else {
      const found = at(ASCII_WORD, form, start) ?? at(RARE, form, start);
      if (found !== undefined)
        tokens.push(
          found.groups?.['han'] === undefined ? wordToken(found[0], start) : hanToken(form, found[0], start),
        );
      start += found?.[0].length ?? 1;
    }
  }
  return tokens;
}

function at(expression: RegExp, form: string, start: number): RegExpExecArray | undefined {
  expression.lastIndex = start;
  return expression.exec(form) ?? undefined;
}

function hanToken(form: string, character: string, start: number): SpannedToken {
  const isDay = DAYS.has(character) && WEEKDAY.test(form.slice(Math.max(0, start - 2), start));
  const text = isDay ? `weekday ${character}` : character;
  return { text, start, end: start + character.length, hyphenated: false, kind: 'han' };
}

function wordToken(word: string, start: number): SpannedToken {
  const text = word.normalize('NFC').toLowerCase();
  const isMark = MARKS.has(text);
  const end = start + word.length;
  return { text: isMark ? NUMBER_MARK : text, start, end, hyphenated: false, kind: isMark ? 'mark' : 'word' };
}

function isNegative(form: string, start: number): boolean {
  return form[start - 1] === '-' && MINUS.test(form.slice(Math.max(0, start - 2), start));
}

function isCommonHan(code: number): boolean {
  return code >= 0x4e00 && code <= 0x9fff;
}

function isAsciiLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
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
