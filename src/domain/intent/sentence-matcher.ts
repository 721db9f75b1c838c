import type { Language } from '../language/language.ts';
import { NUMBER_WORDS } from '../language/number-words.ts';
import { numbersAt, type SpokenNumber } from '../language/numbers-at.ts';
import { type Token, textOf, tokenise } from '../language/tokens.ts';
import { type MatchOutcome, type Meaning, meaningKey, type SlotValue } from './meaning.ts';
import { buildGraph, type Sentence } from './sentence-graph.ts';
import type { Found, ValueList } from './value-list.ts';

/** Longer texts are no commands, and not worth the time. */
const MAX_TOKENS = 300;
const MAX_CHARACTERS = 4000;
const UNKNOWN = '[unk]';
/** Meanings kept side by side, and the most a tie names; from two on it is a tie whatever their number. */
const MAX_READINGS = 16;

/** What a place leads to, ready for look-up by the token at hand. */
interface Moves {
  readonly byWord: ReadonlyMap<string, readonly number[]>;
  readonly byList: readonly { readonly list: string; readonly slot: string; readonly target: number }[];
  readonly intent: string | undefined;
}

/** The slots filled on the way to a place. */
interface Reading {
  readonly key: string;
  readonly slots: readonly (readonly [string, SlotValue])[];
}

/** The best ways to explain the text up to a position that end at one place. */
interface Cell {
  skipped: number;
  readonly readings: Map<string, Reading>;
}

/** A list's value found in the text. */
interface Filling {
  readonly end: number;
  /** Tokens of it that no name or number explains. */
  readonly unexplained: number;
  readonly slotValue: SlotValue;
}

const NOTHING_FILLED: Reading = { key: '', slots: [] };

interface MatcherParts {
  readonly language: Language;
  readonly sentences: readonly Sentence[];
  readonly lists: ReadonlyMap<string, ValueList>;
  readonly skipWords: readonly string[];
}

/**
 * Takes a whole sentence apart: every token has to be explained by a template or be a skip word.
 * Each position and place is visited once, with the readings that skip the fewest tokens, so the time grows with
 * the length of the text times the moves of the templates, however ambiguous either is.
 */
export class SentenceMatcher {
  readonly #language: Language;
  readonly #lists: ReadonlyMap<string, ValueList>;
  readonly #skipPhrases: readonly (readonly string[])[];
  readonly #moves: readonly Moves[];
  readonly #start: number;
  readonly #words: ReadonlySet<string>;

  constructor({ language, sentences, lists, skipWords }: MatcherParts) {
    this.#language = language;
    this.#lists = lists;
    this.#skipPhrases = skipWords.map((phrase) => tokenise(phrase, language).map((token) => token.text));
    const graph = buildGraph(sentences, (leaf) =>
      leaf.kind === 'list'
        ? [leaf]
        : tokenise(leaf.text, language).map(({ text }) => ({ kind: 'word' as const, text })),
    );
    const movesTo = (targets: readonly number[], intent: string | undefined): Moves => {
      const byWord = new Map<string, number[]>();
      const byList: { list: string; slot: string; target: number }[] = [];
      for (const target of targets) {
        const label = graph.places[target]?.label;
        if (label?.kind === 'list') byList.push({ list: label.list, slot: label.slot, target });
        else if (label !== undefined) byWord.set(label.text, [...(byWord.get(label.text) ?? []), target]);
      }
      return { byWord, byList, intent };
    };
    this.#moves = [
      ...graph.places.map((place) => movesTo(place.next, place.intent)),
      movesTo(graph.starts.flat(), undefined),
    ];
    this.#start = graph.places.length;
    const templateWords = graph.places.flatMap(({ label }) => (label.kind === 'word' ? [label.text] : []));
    this.#words = new Set([...templateWords, ...this.#skipPhrases.flat(), ...NUMBER_WORDS[language]]);
  }

  match(text: string): MatchOutcome {
    if (text.length > MAX_CHARACTERS) return { kind: 'none', knownWords: 0, unknownWords: [] };
    const tokens = tokenise(text, this.#language);
    if (tokens.length > MAX_TOKENS) return { kind: 'none', knownWords: 0, unknownWords: [] };
    if (tokens.some((token) => token.text === UNKNOWN)) return this.#noMatch(tokens);
    const meanings = this.#meanings(tokens, text);
    const [meaning] = meanings;
    if (meaning === undefined) return this.#noMatch(tokens);
    return meanings.length === 1 ? { kind: 'match', meaning } : { kind: 'tie', meanings };
  }

  #meanings(tokens: readonly Token[], text: string): readonly Meaning[] {
    const columns = Array.from({ length: tokens.length + 1 }, () => new Map<number, Cell>());
    const numbersSeen: (readonly SpokenNumber[])[] = [];
    const numbers = (position: number): readonly SpokenNumber[] => {
      numbersSeen[position] ??= numbersAt(tokens, position, this.#language);
      return numbersSeen[position];
    };

    columns[0]?.set(this.#start, { skipped: 0, readings: new Map([['', NOTHING_FILLED]]) });
    for (const [position, column] of columns.entries()) {
      const word = tokens[position]?.text;
      if (word === undefined || column.size === 0) continue;
      const skips = this.#skipsAt(tokens, position);
      const found = new Map<string, readonly Filling[]>();
      const fillingsOf = (list: string): readonly Filling[] => {
        const before = found.get(list);
        if (before !== undefined) return before;
        const source = this.#lists.get(list);
        const hits = source?.findAt(tokens, position, numbers) ?? [];
        const now = hits.map((hit): Filling => {
          if (source?.isFree !== true)
            return {
              end: hit.end,
              unexplained: 0,
              slotValue: slotValueOf(hit, textOf(tokens, position, hit.end, this.#language)),
            };
          const typed = typedFrom(text, tokens, position, this.#language);
          return {
            end: hit.end,
            unexplained: hit.end - position,
            slotValue: { value: typed, spoken: typed },
          };
        });
        found.set(list, now);
        return now;
      };
      for (const [place, cell] of column) {
        const moves = this.#moves[place];
        if (moves === undefined) continue;
        for (const length of skips)
          offer(columns[position + length], place, cell.skipped + length, cell.readings.values());
        for (const target of moves.byWord.get(word) ?? [])
          offer(columns[position + 1], target, cell.skipped, cell.readings.values());
        for (const { list, slot, target } of moves.byList)
          for (const { end, slotValue, unexplained } of fillingsOf(list))
            offer(columns[end], target, cell.skipped + unexplained, filled(cell, slot, slotValue));
      }
    }
    return this.#best(columns[tokens.length] ?? new Map());
  }

  /** Lengths of the skip phrases that stand at a position. */
  #skipsAt(tokens: readonly Token[], position: number): readonly number[] {
    return this.#skipPhrases
      .filter((phrase) => phrase.every((word, i) => tokens[position + i]?.text === word))
      .map((phrase) => phrase.length);
  }

  #best(column: ReadonlyMap<number, Cell>): readonly Meaning[] {
    const ends = [...column].filter(([place]) => this.#moves[place]?.intent !== undefined);
    const fewestSkipped = Math.min(...ends.map(([, cell]) => cell.skipped));
    const meanings = new Map<string, Meaning>();
    for (const [place, { skipped, readings }] of ends) {
      const intent = this.#moves[place]?.intent;
      if (intent === undefined || skipped !== fewestSkipped) continue;
      for (const { slots } of readings.values()) {
        const meaning = { intent, slots: Object.fromEntries(slots) };
        const key = meaningKey(meaning);
        if (!meanings.has(key)) meanings.set(key, meaning);
      }
    }
    return [...meanings.values()];
  }

  #noMatch(tokens: readonly Token[]): MatchOutcome {
    const unknown = tokens.filter((token) => !this.#knows(token.text));
    return {
      kind: 'none',
      knownWords: tokens.length - unknown.length,
      unknownWords: [...new Set(unknown.map((token) => token.text))],
    };
  }

  #knows(word: string): boolean {
    if (this.#words.has(word) || /^-?\d+(\.\d+)?$/.test(word)) return true;
    for (const list of this.#lists.values()) if (list.knows(word)) return true;
    return false;
  }
}

/**
 * Keeps the readings at a place when they skip fewer tokens than those already there. Dropping the others is safe:
 * whatever follows is open to both alike, so they can never catch up.
 */
function offer(
  column: Map<number, Cell> | undefined,
  place: number,
  skipped: number,
  readings: Iterable<Reading>,
): void {
  if (column === undefined) return;
  let cell = column.get(place);
  if (cell === undefined || skipped < cell.skipped) {
    cell = { skipped, readings: new Map() };
    column.set(place, cell);
  }
  if (skipped > cell.skipped || cell.readings.size >= MAX_READINGS) return;
  for (const reading of readings) {
    if (cell.readings.size >= MAX_READINGS) return;
    if (!cell.readings.has(reading.key)) cell.readings.set(reading.key, reading);
  }
}

function slotValueOf({ value, digits }: Found, spoken: string): SlotValue {
  return { value, spoken, ...(digits === undefined ? {} : { digits }) };
}

/** The text from the token at `position` on as it was typed: with its capitals, hyphens and points. */
function typedFrom(text: string, tokens: readonly Token[], position: number, language: Language): string {
  const wanted = tokens.slice(position);
  for (const { index } of [
    ...text.matchAll(/(?<![\p{L}\p{M}\p{N}])[-%°℃\p{L}\p{N}]|\p{Script=Han}|[%°℃]/gu),
  ].toReversed()) {
    const rest = tokenise(text.slice(index), language);
    if (rest.length === wanted.length && rest.every((token, at) => token.text === wanted[at]?.text))
      return text.slice(index).trim();
    if (rest.length > wanted.length + 1) break;
  }
  return textOf(tokens, position, tokens.length, language);
}

function* filled(cell: Cell, slot: string, slotValue: SlotValue): Generator<Reading> {
  const { value } = slotValue;
  for (const { key, slots } of cell.readings.values())
    yield { key: `${key}\n${slot}=${typeof value}:${value}`, slots: [...slots, [slot, slotValue]] };
}
