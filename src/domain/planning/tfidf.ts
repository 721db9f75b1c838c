/** How often each term stands in a text. */
export type TermCounts = ReadonlyMap<string, number>;

type Vector = ReadonlyMap<string, number>;

interface Labelled {
  readonly label: string;
  readonly vector: Vector;
}

export interface Likeness {
  readonly label: string;
  /** 0 to 1. */
  readonly score: number;
}

/** The share of the label's nearest example in its score; the rest is that of the middle of its examples. */
const NEAREST_SHARE = 0.7;
/** What a word that no example has weighs against the rarest one that some have. */
const UNKNOWN_SHARE = 0.5;

/**
 * Labelled examples as vectors of term frequency times inverse document frequency, the labels being the documents: a term
 * counts by 1 + ln(labels / labels that have it), after K. Spärck Jones, "A statistical interpretation of term specificity",
 * 1972, and is dampened to 1 + ln(count) within a text. Likeness is the cosine.
 */
export class TfIdf {
  readonly #idf: ReadonlyMap<string, number>;
  readonly #unknownIdf: number;
  readonly #examples: readonly Labelled[];
  readonly #middles: ReadonlyMap<string, Vector>;

  constructor(examples: readonly { readonly label: string; readonly terms: TermCounts }[]) {
    const labelsOf = new Map<string, Set<string>>();
    for (const { label, terms } of examples)
      for (const term of terms.keys()) labelsOf.set(term, (labelsOf.get(term) ?? new Set()).add(label));
    const labels = new Set(examples.map(({ label }) => label)).size;
    this.#idf = new Map([...labelsOf].map(([term, having]) => [term, 1 + Math.log(labels / having.size)]));
    this.#unknownIdf = 1 + Math.log(Math.max(1, labels));
    this.#examples = examples.map(({ label, terms }) => ({ label, vector: this.#vector(terms) }));
    const byLabel = new Map<string, Vector[]>();
    for (const { label, vector } of this.#examples)
      byLabel.set(label, [...(byLabel.get(label) ?? []), vector]);
    this.#middles = new Map([...byLabel].map(([label, vectors]) => [label, unit(sum(vectors))]));
  }

  /** Every label with its likeness, the likest first; labels with nothing in common are left out. */
  rank(terms: TermCounts): readonly Likeness[] {
    const vector = this.#vector(terms);
    const nearest = new Map<string, number>();
    for (const example of this.#examples) {
      const likeness = dot(vector, example.vector);
      if (likeness > (nearest.get(example.label) ?? 0)) nearest.set(example.label, likeness);
    }
    return [...nearest]
      .map(([label, likeness]) => {
        const middle = dot(vector, this.#middles.get(label) ?? new Map());
        return { label, score: NEAREST_SHARE * likeness + (1 - NEAREST_SHARE) * middle };
      })
      .sort((a, b) => b.score - a.score);
  }

  /** Of length 1; words that no example has make everything less like it, pairs of words that none has do not. */
  #vector(terms: TermCounts): Vector {
    const weighed = [...terms].flatMap(([term, count]): [string, number][] => {
      const idf = this.#idf.get(term) ?? (term.includes(' ') ? 0 : UNKNOWN_SHARE * this.#unknownIdf);
      return idf === 0 ? [] : [[term, (1 + Math.log(count)) * idf]];
    });
    return unit(new Map(weighed));
  }
}

function sum(vectors: readonly Vector[]): Vector {
  const total = new Map<string, number>();
  for (const vector of vectors)
    for (const [term, weight] of vector) total.set(term, (total.get(term) ?? 0) + weight);
  return total;
}

function unit(vector: Vector): Vector {
  const length = Math.sqrt([...vector.values()].reduce((square, weight) => square + weight * weight, 0));
  return length === 0 ? vector : new Map([...vector].map(([term, weight]) => [term, weight / length]));
}

function dot(a: Vector, b: Vector): number {
  let total = 0;
  for (const [term, weight] of a) total += weight * (b.get(term) ?? 0);
  return total;
}
