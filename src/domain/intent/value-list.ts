import type { Language } from '../language/language.ts';
import { NUMBER_WORDS } from '../language/number-words.ts';
import { numbersAt, type SpokenNumber } from '../language/numbers-at.ts';
import { type Token, tokenise } from '../language/tokens.ts';
import type { NumberRange } from './sentence-file.ts';

/** One value of a list and what it is called. */
interface ListEntry {
  readonly value: string | number;
  readonly spoken: readonly string[];
  /** Names that the recogniser does not listen for. */
  readonly typed?: readonly string[];
}

export type ListSource =
  | { readonly kind: 'entries'; readonly entries: readonly ListEntry[] }
  | { readonly kind: 'range'; readonly range: NumberRange }
  | { readonly kind: 'free' };

export interface Found {
  readonly end: number;
  readonly value: string | number;
  readonly digits?: number;
}

/** The numbers that begin at a position of the text being matched; asked for repeatedly, so it remembers. */
type NumbersAt = (position: number) => readonly SpokenNumber[];

/** A list made ready for look-up at a position of a text. */
export interface ValueList {
  /** Every value named by the tokens from `start` on. */
  findAt(tokens: readonly Token[], start: number, numbers: NumbersAt): readonly Found[];
  /** Whether the token occurs in any name. */
  knows(token: string): boolean;
  /** It takes any words to the end: a reading that explains them is better. */
  readonly isFree?: true;
}

export function valueList(source: ListSource, language: Language): ValueList {
  if (source.kind === 'free') return FREE_LIST;
  return source.kind === 'range' ? rangeList(source.range, language) : nameList(source.entries, language);
}

const FREE_LIST: ValueList = {
  findAt: (tokens, start) =>
    start < tokens.length
      ? [
          {
            end: tokens.length,
            value: tokens
              .slice(start)
              .map(({ text }) => text)
              .join(' '),
          },
        ]
      : [],
  knows: () => false,
  isFree: true,
};

function rangeList(range: NumberRange, language: Language): ValueList {
  const scale = 10 ** range.decimals;
  const fits = ({ value }: SpokenNumber) =>
    value >= range.from && value <= range.to && Math.abs(value * scale - Math.round(value * scale)) < 1e-6;
  return {
    findAt: (_tokens, start, numbers) => numbers(start).filter(fits),
    knows: (token) => NUMBER_WORDS[language].has(token),
  };
}

interface Node {
  readonly words: Map<string, Node>;
  readonly numbers: Map<string, Node>;
  readonly values: (string | number)[];
}

const emptyNode = (): Node => ({ words: new Map(), numbers: new Map(), values: [] });

/** A trie of names in which a number is one step, however it is said: "machine 12" is "machine twelve" is "machine one two". */
function nameList(entries: readonly ListEntry[], language: Language): ValueList {
  const root = emptyNode();
  const known = new Set<string>();
  for (const { value, spoken, typed = [] } of entries)
    for (const name of [...spoken, ...typed]) {
      const tokens = tokenise(name, language);
      for (const { text } of tokens) known.add(text);
      insert(root, tokens, 0, value, language);
    }

  function walk(
    node: Node,
    tokens: readonly Token[],
    at: number,
    numbers: NumbersAt,
    found: Map<string, Found>,
  ): void {
    for (const value of node.values) found.set(`${at} ${typeof value} ${value}`, { end: at, value });
    const token = tokens[at];
    if (token === undefined) return;
    const next = node.words.get(token.text);
    if (next !== undefined) walk(next, tokens, at + 1, numbers, found);
    if (node.numbers.size === 0) return;
    for (const number of numbers(at)) {
      const after = node.numbers.get(numberKey(number, token));
      if (after !== undefined) walk(after, tokens, number.end, numbers, found);
    }
  }

  return {
    findAt(tokens, start, numbers) {
      const token = tokens[start];
      if (token === undefined || (!root.words.has(token.text) && root.numbers.size === 0)) return [];
      const found = new Map<string, Found>();
      walk(root, tokens, start, numbers, found);
      return [...found.values()];
    },
    knows: (token) => known.has(token),
  };
}

function insert(
  node: Node,
  tokens: readonly Token[],
  at: number,
  value: string | number,
  language: Language,
): void {
  const token = tokens[at];
  if (token === undefined) {
    if (at > 0 && !node.values.includes(value)) node.values.push(value);
    return;
  }
  const longest = numbersAt(tokens, at, language).reduce<SpokenNumber | undefined>(
    (best, number) => (best === undefined || number.end > best.end ? number : best),
    undefined,
  );
  if (longest === undefined) {
    insert(child(node.words, token.text), tokens, at + 1, value, language);
    return;
  }
  // "Pump 01" is called "pump zero one" and "pump one"; a heard "zero one" is never taken for a plain 1.
  const keys = new Set([numberKey(longest, token), numberKey({ ...longest, digits: 0 }, token)]);
  for (const key of keys) insert(child(node.numbers, key), tokens, longest.end, value, language);
}

function child(children: Map<string, Node>, key: string): Node {
  const present = children.get(key);
  if (present !== undefined) return present;
  const node = emptyNode();
  children.set(key, node);
  return node;
}

/** Equal for one number said or written in different ways; leading zeros count. */
function numberKey({ value, digits = 0 }: SpokenNumber, { hyphenated }: Token): string {
  return String(hyphenated ? Math.abs(value) : value).padStart(digits, '0');
}
