import { MAX_WORD_CHARACTERS, segment } from '../language/segment.ts';
import { buildGraph, type Sentence, type SentenceGraph } from './sentence-graph.ts';

const HAN_RUN = /^\p{Script=Han}+$/u;

/** Puts the words of sentences and names into the words a recogniser's model knows. */
export class RecogniserWords {
  readonly #known: ReadonlySet<string>;
  readonly #asSpelled: ReadonlyMap<string, string>;

  constructor(known: ReadonlySet<string>) {
    this.#known = known;
    this.#asSpelled = new Map([...known].map((word) => [word.toLowerCase(), word]));
  }

  /** The model's words for a word, several for an unspaced Chinese run; undefined when a part of it is unknown. */
  of(word: string): readonly string[] | undefined {
    if (this.#known.has(word)) return [word];
    if (HAN_RUN.test(word)) {
      const { words, unknown } = segment(word, this.#known);
      return unknown.length === 0 ? words : undefined;
    }
    const spelled = this.#asSpelled.get(word.toLowerCase());
    return spelled === undefined ? undefined : [spelled];
  }

  /** All words for a phrase, or undefined when one is unknown. */
  ofAll(words: readonly string[]): readonly string[] | undefined {
    const all: string[] = [];
    for (const word of words) {
      const known = this.of(word);
      if (known === undefined) return undefined;
      all.push(...known);
    }
    return all;
  }

  /** The parts of a word that the model does not know. */
  missingIn(word: string): readonly string[] {
    if (this.of(word) !== undefined) return [];
    return HAN_RUN.test(word) ? segment(word, this.#known).unknown : [word];
  }
}

/** What to ask a model about to be able to write `word` in its words: spellings of Latin letters, parts of a Chinese run. */
export function candidatesFor(word: string): readonly string[] {
  if (!HAN_RUN.test(word)) return [...new Set([word, word.toLowerCase(), word.toUpperCase()])];
  const characters = [...word];
  const parts = characters.flatMap((_, from) =>
    Array.from({ length: Math.min(MAX_WORD_CHARACTERS, characters.length - from) }, (_, length) =>
      characters.slice(from, from + length + 1).join(''),
    ),
  );
  return [...new Set([word, ...parts])];
}

/** The sentences in the recogniser's own words; ways through them that hold an unknown word are gone. */
export function sayableGraph(sentences: readonly Sentence[], words: RecogniserWords): SentenceGraph {
  return buildGraph(sentences, (leaf) =>
    leaf.kind === 'list' ? [leaf] : words.of(leaf.text)?.map((text) => ({ kind: 'word' as const, text })),
  );
}
