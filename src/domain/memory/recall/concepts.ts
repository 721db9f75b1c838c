import { EdgeError } from '../../../runtime/edge-error.ts';
import { didYouMean } from '../../../runtime/nearest.ts';

/** One meaning with the words for it. */
export interface Concept {
  readonly id: string;
  /** Base forms, of up to three words. */
  readonly en: readonly string[];
  readonly zh: readonly string[];
}

/** Meanings, and which of them are near each other though they share no word: how hot, and degrees. */
export interface Glossary {
  readonly concepts: readonly Concept[];
  /** Ids, each group near throughout. */
  readonly near: readonly (readonly string[])[];
}

/** What terms of meanings begin with, so that no word is one. */
const PREFIX = 'c_';
const MAX_CONCEPTS = 20_000;

/**
 * A glossary: a meaning a line, `id | english, words | 中文、词`, and lines `~ id, id` of those that are near each other; "#" begins a
 * comment. `file` names it in errors. Throws EdgeError CONFIG_INVALID with one `file:line fault` a line.
 */
export function parseGlossary(text: string, file: string): Glossary {
  const concepts: Concept[] = [];
  const near: { readonly ids: readonly string[]; readonly where: string }[] = [];
  const faults: string[] = [];
  const lines = new Map<string, number>();
  for (const [at, line] of text.split(/\r?\n/u).entries()) {
    const [said = ''] = line.split('#');
    if (said.trim() === '') continue;
    const where = `${file}:${at + 1}`;
    if (said.trim().startsWith('~')) {
      near.push({ ids: split(said.trim().slice(1), /,/u), where });
      continue;
    }
    const [id = '', en, zh, ...more] = said.split('|').map((part) => part.trim());
    if (en === undefined || zh === undefined || more.length > 0 || !/^[a-z][a-z0-9_]*$/u.test(id)) {
      faults.push(`${where} expected "id | english, words | 中文、词"`);
      continue;
    }
    const before = lines.get(id);
    if (before !== undefined) faults.push(`${where} ${id} is already in line ${before}`);
    lines.set(id, at + 1);
    concepts.push({ id, en: split(en, /,/u).map((word) => word.toLowerCase()), zh: split(zh, /[、,，]/u) });
  }
  if (concepts.length > MAX_CONCEPTS) faults.push(`${file}: more than ${MAX_CONCEPTS} meanings`);
  for (const { ids, where } of near)
    for (const id of ids)
      if (!lines.has(id)) faults.push(`${where} there is no meaning "${id}".${didYouMean(id, lines.keys())}`);
  if (faults.length > 0)
    throw new EdgeError('CONFIG_INVALID', faults.join('\n'), { hint: 'correct the lines above' });
  return { concepts, near: near.map(({ ids }) => ids) };
}

function split(words: string, at: RegExp): readonly string[] {
  return words
    .split(at)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Terms of the concepts by English stems, those of several words with a space between, and by Chinese word. */
export interface ConceptIndex {
  readonly byStem: ReadonlyMap<string, readonly string[]>;
  readonly byHan: ReadonlyMap<string, readonly string[]>;
  /** In characters. */
  readonly longestHan: number;
  /** In words. */
  readonly longestPhrase: number;
  /** Meanings that share a word, or whose words hold one of the other: overheating and hot. */
  nearTo(term: string): ReadonlySet<string>;
}

/** `stem` is the one that index terms are made with. */
export function conceptIndex({ concepts, near }: Glossary, stem: (word: string) => string): ConceptIndex {
  const byStem = new Map<string, string[]>();
  const byHan = new Map<string, string[]>();
  let longestHan = 0;
  let longestPhrase = 0;
  for (const { id, en, zh } of concepts) {
    const term = `${PREFIX}${id}`;
    for (const words of en) {
      const stems = words.split(/[\s-]+/u).map(stem);
      add(byStem, stems.join(' '), term);
      longestPhrase = Math.max(longestPhrase, stems.length);
    }
    for (const word of zh) {
      add(byHan, word, term);
      longestHan = Math.max(longestHan, word.length);
    }
  }
  const nearness = new Nearness(byStem, byHan, near);
  return { byStem, byHan, longestHan, longestPhrase, nearTo: (term) => nearness.of(term) };
}

/** A word that is part of so many others says little about each. */
const MOST_HOLDING = 40;

/** Which meanings are near which: those that share a word, or whose words hold one of the other, as overheating and hot. */
class Nearness {
  /** Words by meaning. */
  readonly #words = new Map<string, { readonly stems: string[]; readonly han: string[] }>();
  /** Meanings of the words that hold a shorter word, by that. */
  readonly #holding = new Map<string, string[]>();
  /** What the glossary says to be near. */
  readonly #told = new Map<string, Set<string>>();
  readonly #near = new Map<string, ReadonlySet<string>>();
  readonly #byStem: ReadonlyMap<string, readonly string[]>;
  readonly #byHan: ReadonlyMap<string, readonly string[]>;

  constructor(
    byStem: ReadonlyMap<string, readonly string[]>,
    byHan: ReadonlyMap<string, readonly string[]>,
    groups: Glossary['near'],
  ) {
    this.#byStem = byStem;
    this.#byHan = byHan;
    for (const group of groups)
      for (const id of group) {
        const known = this.#told.get(`${PREFIX}${id}`) ?? new Set();
        for (const other of group) known.add(`${PREFIX}${other}`);
        this.#told.set(`${PREFIX}${id}`, known);
      }
    for (const [words, terms] of byStem) {
      for (const term of terms) this.#wordsOf(term).stems.push(words);
      for (const part of partsOfPhrase(words)) if (byStem.has(part)) this.#hold(part, terms);
    }
    for (const [word, terms] of byHan) {
      for (const term of terms) this.#wordsOf(term).han.push(word);
      for (const part of partsOfHan(word)) if (byHan.has(part)) this.#hold(part, terms);
    }
  }

  of(term: string): ReadonlySet<string> {
    const known = this.#near.get(term);
    if (known !== undefined) return known;
    const near = new Set<string>(this.#told.get(term));
    const { stems, han } = this.#wordsOf(term);
    for (const [words, by, partsOf] of [
      [stems, this.#byStem, partsOfPhrase],
      [han, this.#byHan, partsOfHan],
    ] as const)
      for (const word of words) {
        for (const other of [word, ...partsOf(word)]) {
          const isCommon = other !== word && (this.#holding.get(other)?.length ?? 0) > MOST_HOLDING;
          if (!isCommon) for (const each of by.get(other) ?? []) near.add(each);
        }
        const holding = this.#holding.get(word) ?? [];
        if (holding.length <= MOST_HOLDING) for (const each of holding) near.add(each);
      }
    near.delete(term);
    this.#near.set(term, near);
    return near;
  }

  #wordsOf(term: string): { readonly stems: string[]; readonly han: string[] } {
    const known = this.#words.get(term);
    if (known !== undefined) return known;
    const words = { stems: [], han: [] };
    this.#words.set(term, words);
    return words;
  }

  #hold(part: string, terms: readonly string[]): void {
    const known = this.#holding.get(part);
    if (known === undefined) this.#holding.set(part, [...terms]);
    else known.push(...terms);
  }
}

function partsOfPhrase(words: string): readonly string[] {
  return words.includes(' ') ? words.split(' ') : [];
}

/** Every shorter word that may stand in a Chinese one. */
function partsOfHan(word: string): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < word.length; from += 1)
    for (let to = from + 1; to <= word.length; to += 1)
      if (to - from < word.length) parts.push(word.slice(from, to));
  return parts;
}

function add(map: Map<string, string[]>, key: string, term: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [term]);
  else if (!known.includes(term)) known.push(term);
}
