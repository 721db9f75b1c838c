import { stemmer } from 'stemmer';
import type { Language } from '../../language/language.ts';
import { NUMBER_WORDS } from '../../language/number-words.ts';
import { numbersAt } from '../../language/numbers-at.ts';
import { type ConceptIndex, conceptIndex, type Glossary } from './concepts.ts';
import { IRREGULAR_WORDS } from './irregular-words.ts';
import { STOP_WORDS } from './stop-words.ts';

/** One word of a text with the terms that it is found by. */
export interface IndexWord {
  /** What it says by itself: a stem, a Chinese word, a number, a code without its hyphen. */
  readonly term: string;
  /** Of its meaning, shared by its synonyms in both languages. */
  readonly concepts: readonly string[];
  /** Pieces of a Chinese word, by which a word that was cut otherwise is still found. */
  readonly pieces: readonly string[];
  /** UTF-16 indices in the text as it was given; `end` is not included. */
  readonly start: number;
  readonly end: number;
  readonly kind: 'word' | 'han' | 'number' | 'code';
}

const TOKEN =
  /(?<code>(?<![a-z\d])(?:[a-z]{1,4}[-_]?\d{1,6}[a-z]?|\d{1,3}[a-z]{1,3}\d{1,4})(?![a-z\d]))|(?<number>\d+(?:[.,]\d+)*)|(?<word>[a-z\u00c0-\u024f]+(?:'[a-z]+)?)|(?<han>\p{Script=Han}+)/gu;

/** What a Chinese numeral counts; before anything else one character of it may be part of a word (一下, 统一). */
const COUNTED =
  /^(?:号|线|台|个|次|点|度|柜|楼|层|班|月|日|天|周|年|米|公斤|千克|升|小时|分钟|秒|分|巴|安|伏|赫|转|毫米|吨|批|班次|千|万|百|#)/u;
const ENGLISH_NUMBERS = NUMBER_WORDS.en;
const CHINESE_NUMBERS = NUMBER_WORDS.zh;

const STEMS = new Map<string, string>();
const MAX_STEMS = 20_000;

/** The stem of an English word, in lower case. */
export function stemOf(word: string): string {
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  const stem = stemmer(IRREGULAR_WORDS.get(word) ?? word);
  if (STEMS.size >= MAX_STEMS) STEMS.clear();
  STEMS.set(word, stem);
  return stem;
}

const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' });

/** Lower case and half width, of the same length as the text. */
function plain(text: string): string {
  const half = text.replace(/[\uff01-\uff5e]/gu, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
  const lower = half.toLowerCase();
  return (lower.length === text.length ? lower : half).replace(/[\u2018\u2019]/gu, "'");
}

/** Makes the terms that texts are kept and searched by. */
export class IndexTerms {
  readonly #load: () => Glossary;
  #made: ConceptIndex | undefined;

  /** `load` is asked on first use, or by `prepare`: a glossary takes a tenth of a second. */
  constructor(load: () => Glossary) {
    this.#load = load;
  }

  get #concepts(): ConceptIndex {
    this.#made ??= conceptIndex(this.#load(), stemOf);
    return this.#made;
  }

  /** Throws what `load` throws. */
  prepare(): void {
    void this.#concepts;
  }

  /**
   * The words of a text in either language, or of both mixed, in their order and without those that say nothing. Number words count
   * as their digits ("pump seven", "pump 7"), a code as one word however it is hyphenated (`E-203`, `e203`).
   */
  words(text: string): readonly IndexWord[] {
    const words: IndexWord[] = [];
    const found = [...plain(text).matchAll(TOKEN)];
    for (let at = 0; at < found.length; at += 1) {
      const match = found[at];
      if (match === undefined) break;
      const { code, number, word, han } = match.groups ?? {};
      const start = match.index;
      if (code !== undefined) words.push(codeWord(code, start));
      else if (number !== undefined)
        words.push(numberWord(number.replace(/,(?=\d{3}\b)/gu, ''), start, start + number.length));
      else if (han !== undefined) words.push(...hanWords(han, start, this.#concepts));
      else if (word !== undefined) {
        const spoken = ENGLISH_NUMBERS.has(word) ? englishNumber(found, at) : undefined;
        if (spoken === undefined) words.push(...englishWord(found, at, this.#concepts));
        else {
          words.push(numberWord(String(spoken.value), start, spoken.end));
          at = spoken.last;
        }
      }
    }
    return joinedCodes(words);
  }

  /** Meanings near those of a word. */
  nearTo({ concepts }: IndexWord): ReadonlySet<string> {
    return new Set(concepts.flatMap((concept) => [...this.#concepts.nearTo(concept)]));
  }

  /** All terms that a text is found by, as the index keeps them. */
  terms(text: string): readonly string[] {
    return this.words(text).flatMap(({ term, concepts, pieces }) => [term, ...concepts, ...pieces]);
  }
}

function codeWord(code: string, start: number): IndexWord {
  const term = code.replace(/[-_]/gu, '');
  const short = term.replace(/^([a-z]+)0+(?=\d)/u, '$1');
  return {
    term,
    concepts: [],
    pieces: short === term ? [] : [short],
    start,
    end: start + code.length,
    kind: 'code',
  };
}

function numberWord(digits: string, start: number, end: number): IndexWord {
  const value = Number(digits);
  const term = Number.isFinite(value) ? String(value) : digits;
  return { term, concepts: [], pieces: [], start, end, kind: 'number' };
}

function englishWord(
  found: readonly RegExpMatchArray[],
  at: number,
  concepts: ConceptIndex,
): readonly IndexWord[] {
  const word = bareAt(found, at);
  const match = found[at];
  if (word === undefined || match === undefined || STOP_WORDS.has(word)) return [];
  const term = stemOf(word);
  const start = match.index ?? 0;
  return [
    {
      term,
      concepts: [...new Set([...(concepts.byStem.get(term) ?? []), ...phraseConcepts(found, at, concepts)])],
      pieces: [],
      start,
      end: start + match[0].length,
      kind: 'word',
    },
  ];
}

function bareAt(found: readonly RegExpMatchArray[], at: number): string | undefined {
  return found[at]?.groups?.['word']?.replace(/'[a-z]*$/u, '');
}

/** Of the terms of several words that a word is part of: "light barrier". */
function phraseConcepts(
  found: readonly RegExpMatchArray[],
  at: number,
  { byStem, longestPhrase }: ConceptIndex,
): readonly string[] {
  const concepts: string[] = [];
  for (let from = Math.max(0, at - longestPhrase + 1); from <= at; from += 1) {
    let phrase = '';
    for (let to = from; to < from + longestPhrase; to += 1) {
      const word = bareAt(found, to);
      if (word === undefined) break;
      phrase = phrase === '' ? stemOf(word) : `${phrase} ${stemOf(word)}`;
      if (to > from && to >= at) concepts.push(...(byStem.get(phrase) ?? []));
    }
  }
  return concepts;
}

/** The longest number that the words from `at` on make. */
function englishNumber(
  found: readonly RegExpMatchArray[],
  at: number,
): { readonly value: number; readonly end: number; readonly last: number } | undefined {
  const run: string[] = [];
  for (let next = at; next < found.length && run.length < 12; next += 1) {
    const { word } = found[next]?.groups ?? {};
    // "Two oh three": the letter stands for the digit between others.
    const digit = run.length > 0 && (word === 'oh' || word === 'o') ? 'zero' : word;
    if (digit === undefined || !ENGLISH_NUMBERS.has(digit)) break;
    run.push(digit);
  }
  const best = longest(run, 'en');
  if (best === undefined) return undefined;
  const lastMatch = found[at + best.end - 1];
  if (lastMatch === undefined) return undefined;
  return { value: best.value, last: at + best.end - 1, end: (lastMatch.index ?? 0) + lastMatch[0].length };
}

function longest(
  run: readonly string[],
  language: Language,
): { readonly end: number; readonly value: number } | undefined {
  const tokens = run.map((text) => ({ text, hyphenated: false }));
  return numbersAt(tokens, 0, language).toSorted((one, other) => other.end - one.end)[0];
}

function hanWords(run: string, start: number, concepts: ConceptIndex): readonly IndexWord[] {
  const words: IndexWord[] = [];
  let from = 0;
  for (let at = 0; at < run.length; ) {
    const number = chineseNumber(run, at);
    if (number === undefined) {
      at += 1;
      continue;
    }
    words.push(...segmented(run.slice(from, at), start + from, concepts));
    words.push(numberWord(String(number.value), start + at, start + number.end));
    at = number.end;
    from = at;
  }
  words.push(...segmented(run.slice(from), start + from, concepts));
  return words;
}

function chineseNumber(
  run: string,
  at: number,
): { readonly value: number; readonly end: number } | undefined {
  const characters: string[] = [];
  while (characters.length < 12 && CHINESE_NUMBERS.has(run[at + characters.length] ?? ''))
    characters.push(run[at + characters.length] ?? '');
  if (characters.length === 0 || characters[0] === '点') return undefined;
  const best = longest(characters, 'zh');
  if (best === undefined) return undefined;
  const end = at + best.end;
  return best.end > 1 || COUNTED.test(run.slice(end)) || run[at - 1] === '第'
    ? { value: best.value, end }
    : undefined;
}

/** Cut at the words of the table first, the longest at each place; between them as the dictionary cuts. */
function segmented(run: string, start: number, concepts: ConceptIndex): readonly IndexWord[] {
  const words: IndexWord[] = [];
  let from = 0;
  const close = (to: number): void => {
    for (const { segment, index } of SEGMENTER.segment(run.slice(from, to)))
      if (!STOP_WORDS.has(segment)) words.push(hanWord(run, from + index, segment, start, concepts));
  };
  for (let at = 0; at < run.length; ) {
    const known = knownHanAt(run, at, concepts);
    if (known === undefined) {
      at += 1;
      continue;
    }
    close(at);
    if (!STOP_WORDS.has(known)) words.push(hanWord(run, at, known, start, concepts));
    at += known.length;
    from = at;
  }
  close(run.length);
  return words;
}

/** The longest word of the table, of at least two characters, at a place. */
function knownHanAt(run: string, at: number, { byHan, longestHan }: ConceptIndex): string | undefined {
  for (let length = Math.min(longestHan, run.length - at); length > 1; length -= 1) {
    const word = run.slice(at, at + length);
    if (byHan.has(word)) return word;
  }
  return undefined;
}

function hanWord(
  run: string,
  index: number,
  segment: string,
  start: number,
  concepts: ConceptIndex,
): IndexWord {
  const characters = [...segment];
  const pieces: string[] = [];
  if (characters.length > 2)
    for (let at = 0; at + 1 < characters.length; at += 1)
      pieces.push(`${characters[at]}${characters[at + 1]}`);
  // A word that the dictionary cut in two is still found by the pair of characters where it was cut.
  const next = run[index + segment.length];
  if (next !== undefined) pieces.push(`${characters.at(-1)}${next}`);
  return {
    term: segment,
    concepts: hanConcepts(run, index, segment, concepts),
    pieces,
    start: start + index,
    end: start + index + segment.length,
    kind: 'han',
  };
}

/** Of the word, or else of the longest words of the table that begin within it. */
function hanConcepts(
  run: string,
  index: number,
  segment: string,
  { byHan, longestHan }: ConceptIndex,
): readonly string[] {
  const whole = byHan.get(segment);
  if (whole !== undefined) return whole;
  const found = new Set<string>();
  for (let at = index; at < index + segment.length; at += 1)
    for (let length = Math.min(longestHan, run.length - at); length > 0; length -= 1) {
      const concepts = byHan.get(run.slice(at, at + length));
      if (concepts === undefined || (length === 1 && segment.length > 2)) continue;
      for (const concept of concepts) found.add(concept);
      break;
    }
  return [...found];
}

/** A letter that was spoken before a number is its code: "E two hundred three". */
function joinedCodes(words: readonly IndexWord[]): readonly IndexWord[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1];
    if (word.kind !== 'word' || !/^[b-z]$/u.test(word.term) || next?.kind !== 'number') return [word];
    return [word, { ...codeWord(`${word.term}${next.term}`, word.start), end: next.end }];
  });
}
