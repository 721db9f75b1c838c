import { ARITHMETIC, COMPARISONS, type ExpressionFault } from './interlock-expression.ts';

export type TokenKind = 'number' | 'text' | 'name' | 'symbol' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The number's digits, the text without its quotes, the name, or the symbol or keyword itself. */
  readonly text: string;
  readonly at: number;
}

export type Tokens =
  | { readonly ok: true; readonly tokens: readonly Token[] }
  | { readonly ok: false; readonly fault: ExpressionFault };

/** As long as a plant file lets a condition be. */
const MAX_LENGTH = 300;
/** More digits are more than a number holds exactly. */
const MAX_DIGITS = 15;

const KEYWORDS: readonly string[] = ['and', 'or', 'not', 'true', 'false'];
/** Longer ones first, so that <= is not taken for <. */
const SYMBOLS: readonly string[] = [...COMPARISONS, ...ARITHMETIC, '(', ')'].toSorted(
  (one, other) => other.length - one.length,
);
const WORD = /[A-Za-z0-9_][A-Za-z0-9_.-]*/y;
const SPACE = /\s+/y;
const NUMBER = /^\d+(\.\d+)?$/;
const NAME = /^[a-z0-9][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)?$/;

/** What people write who know another language, or whose keyboard is set to Chinese. */
const MEANT: Readonly<Record<string, string>> = {
  '&': 'write and',
  '|': 'write or',
  '!': 'write not, or != for "is not equal"',
  '=': 'write == for "is equal"',
  '“': 'use straight quotes: "',
  '”': 'use straight quotes: "',
  '‘': "use straight quotes: '",
  '’': "use straight quotes: '",
  '（': 'use plain parentheses: (',
  '）': 'use plain parentheses: )',
};

/**
 * Splits a condition into tokens. A word is the longest run of letters, digits, `_`, `-` and `.`: a number when it is all
 * digits with at most one point between them, else the name of a point. So `machine-12.temperature` and `2-stage` are
 * names, and a subtraction needs a space (or a parenthesis) after its left side: `flow - 2`.
 */
export function tokensOf(text: string): Tokens {
  if (text.length > MAX_LENGTH)
    return fail(MAX_LENGTH + 1, `a condition has ${MAX_LENGTH} characters at most`);
  const tokens: Token[] = [];
  let from = 0;
  while (from < text.length) {
    from += matchAt(SPACE, text, from)?.length ?? 0;
    const character = text[from];
    if (character === undefined) break;
    const at = from + 1;
    if (character === '"' || character === "'") {
      const quoted = quotedAt(text, from);
      if (quoted === undefined) return fail(at, `this text has no closing ${character}`);
      tokens.push({ kind: 'text', text: quoted.text, at });
      from = quoted.end;
      continue;
    }
    const word = matchAt(WORD, text, from);
    if (word !== undefined) {
      const token = wordToken(word, at);
      if ('message' in token) return { ok: false, fault: token };
      tokens.push(token);
      from += word.length;
      continue;
    }
    const symbol = SYMBOLS.find((known) => text.startsWith(known, from));
    if (symbol === undefined) return fail(at, unexpected(text, from));
    tokens.push({ kind: 'symbol', text: symbol, at });
    from += symbol.length;
  }
  return { ok: true, tokens: [...tokens, { kind: 'end', text: '', at: text.length + 1 }] };
}

function wordToken(word: string, at: number): Token | ExpressionFault {
  if (NUMBER.test(word)) {
    if (word.replace('.', '').length > MAX_DIGITS)
      return { at, message: `a number has ${MAX_DIGITS} digits at most` };
    return { kind: 'number', text: word, at };
  }
  if (KEYWORDS.includes(word)) return { kind: 'symbol', text: word, at };
  if (NAME.test(word)) return { kind: 'name', text: word, at };
  const lower = word.toLowerCase();
  const meant = KEYWORDS.includes(lower) || NAME.test(lower) ? `; write ${lower}` : '';
  return {
    at,
    message: `"${word}" is no number and no name of a point: names are point or machine.point, in lower case${meant}`,
  };
}

/** A backslash takes the character behind it as it is. */
function quotedAt(text: string, from: number): { readonly text: string; readonly end: number } | undefined {
  const quote = text[from];
  let taken = '';
  for (let index = from + 1; index < text.length; index += 1) {
    const character = text[index];
    if (character === quote) return { text: taken, end: index + 1 };
    if (character === '\\') index += 1;
    taken += text[index] ?? '';
  }
  return undefined;
}

function unexpected(text: string, from: number): string {
  const character = String.fromCodePoint(text.codePointAt(from) ?? 0);
  const meant = MEANT[character];
  if (meant !== undefined) return `${character} means nothing here: ${meant}`;
  return /\p{L}/u.test(character)
    ? `${character} cannot begin a name: points go by their keys, texts go in quotes`
    : `${character} means nothing here`;
}

function matchAt(pattern: RegExp, text: string, from: number): string | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0];
}

function fail(at: number, message: string): Tokens {
  return { ok: false, fault: { at, message } };
}
