import type { Place, SentenceGraph } from './sentence-graph.ts';

/** The speakable forms of each list, each form its words. */
export type FormsByList = ReadonlyMap<string, readonly (readonly string[])[]>;

interface GrammarSource {
  /** Words of the recogniser in its places; what cannot be said is already gone. */
  readonly graph: SentenceGraph;
  readonly forms: FormsByList;
  readonly skipPhrases: readonly (readonly string[])[];
}

interface GrammarSize {
  readonly minPhrases: number;
  readonly maxPhrases: number;
}

/** Beginning and end of a phrase, as neighbours of its first and last word. */
const EDGE = '';
const END = -1;
/** One in so many filling phrases carries a skip word, in front or behind. */
const SKIP_WORD_EVERY = 8;

/**
 * Phrases for a recogniser that makes a bigram model of them. First every pair of neighbouring words that the
 * sentences allow occurs in some phrase; then each sentence of the file is said in turn until there are `minPhrases`,
 * so that the counts follow the file: a single-word command is heard as readily as one of a thousand reading commands.
 * The same input gives the same phrases. Repetition is weight and must be kept.
 */
export function writeGrammar(source: GrammarSource, size: GrammarSize): readonly string[] {
  return new GrammarWriter(source, size).write();
}

class GrammarWriter {
  readonly #source: GrammarSource;
  readonly #size: GrammarSize;
  readonly #places: readonly Place[];
  /** Places that lie on a whole sentence. */
  readonly #isAlive: readonly boolean[];
  readonly #before: readonly (readonly number[])[];
  readonly #moveUses = new Map<string, number>();
  readonly #formUses = new Map<string, number>();
  readonly #pairs = new Set<string>();
  readonly #phrases: string[] = [];

  constructor(source: GrammarSource, size: GrammarSize) {
    this.#source = source;
    this.#size = size;
    this.#places = source.graph.places;
    this.#isAlive = alivePlaces(source);
    const before: number[][] = this.#places.map(() => []);
    for (const starts of source.graph.starts) for (const start of starts) before[start]?.push(END);
    for (const [from, place] of this.#places.entries())
      if (this.#isAlive[from]) for (const to of place.next) before[to]?.push(from);
    this.#before = before;
  }

  write(): readonly string[] {
    for (const starts of this.#source.graph.starts) this.#saySentence(starts, []);
    this.#coverNames();
    this.#coverNeighbours();
    this.#coverSkipWords();
    this.#fill();
    return this.#phrases;
  }

  get #isFull(): boolean {
    return this.#phrases.length >= this.#size.maxPhrases;
  }

  /** Pairs of words inside the names of a list. */
  #coverNames(): void {
    for (const [list, forms] of this.#source.forms) {
      const places = [...this.#places.keys()].filter((at) => this.#isAlive[at] && this.#listAt(at) === list);
      let turn = 0;
      for (const form of forms) {
        const place = places[turn % places.length];
        if (place === undefined || this.#isFull) break;
        if (form.every((word, i) => i === 0 || this.#pairs.has(pairOf(form[i - 1] ?? EDGE, word)))) continue;
        turn += 1;
        this.#say([...this.#wayTo(place), place, ...this.#wayFrom(place)], new Map([[place, form]]));
      }
    }
  }

  /** Pairs of words across two places, where either may be a list with many first or last words. */
  #coverNeighbours(): void {
    const seen = new Set<string>();
    for (const [at, place] of this.#places.entries()) {
      if (!this.#isAlive[at]) continue;
      const nexts = place.intent === undefined ? place.next : [...place.next, END];
      if (this.#before[at]?.includes(END)) this.#coverPair(END, at, seen);
      for (const next of nexts) if (next === END || this.#isAlive[next]) this.#coverPair(at, next, seen);
    }
  }

  #coverPair(from: number, to: number, seen: Set<string>): void {
    const labels = `${this.#labelOf(from)}\n${this.#labelOf(to)}`;
    if (seen.has(labels)) return;
    seen.add(labels);
    const lasts = this.#formsByWord(from, -1);
    const firsts = this.#formsByWord(to, 0);
    for (const [last, lastForms] of lasts)
      for (const [first, firstForms] of firsts) {
        if (this.#isFull) return;
        if (this.#pairs.has(pairOf(last, first))) continue;
        const path: number[] = [];
        const fixed = new Map<number, readonly string[]>();
        if (from !== END) {
          path.push(...this.#wayTo(from), from);
          fixed.set(from, this.#nextOf(`last ${this.#labelOf(from)} ${last}`, lastForms));
        }
        if (to !== END) {
          path.push(to, ...this.#wayFrom(to));
          fixed.set(to, this.#nextOf(`first ${this.#labelOf(to)} ${first}`, firstForms));
        }
        this.#say(path, fixed);
      }
  }

  /** Every skip word in front of every word a sentence begins with. */
  #coverSkipWords(): void {
    for (const skip of this.#source.skipPhrases)
      for (const starts of this.#source.graph.starts)
        for (const start of starts.filter((at) => this.#isAlive[at]))
          for (const [first, forms] of this.#formsByWord(start, 0)) {
            if (this.#isFull) return;
            if (this.#pairs.has(pairOf(skip.at(-1) ?? EDGE, first))) continue;
            const form = this.#nextOf(`skip ${first}`, forms);
            this.#say([start, ...this.#wayFrom(start)], new Map([[start, form]]), skip);
          }
  }

  #fill(): void {
    const { starts } = this.#source.graph;
    const sayable = starts.filter((places) => places.some((at) => this.#isAlive[at]));
    if (sayable.length === 0) return;
    for (let turn = 0; this.#phrases.length < this.#size.minPhrases && !this.#isFull; turn++) {
      const kind = Math.floor(turn / sayable.length) % SKIP_WORD_EVERY;
      const skip = kind < 2 ? this.#nextOf(`fill ${kind}`, this.#source.skipPhrases, []) : [];
      const sentence = sayable[turn % sayable.length] ?? [];
      if (kind === 0) this.#saySentence(sentence, skip);
      else this.#saySentence(sentence, [], skip);
    }
  }

  #saySentence(starts: readonly number[], front: readonly string[], behind: readonly string[] = []): void {
    const alive = starts.filter((at) => this.#isAlive[at]);
    const start = this.#leastUsed(END, alive, true);
    if (start === undefined || this.#isFull) return;
    this.#say([start, ...this.#wayFrom(start)], new Map(), front, behind);
  }

  #say(
    path: readonly number[],
    fixed: ReadonlyMap<number, readonly string[]>,
    front: readonly string[] = [],
    behind: readonly string[] = [],
  ): void {
    const words = [...front];
    for (const at of path) words.push(...(fixed.get(at) ?? this.#nextForm(at)));
    words.push(...behind);
    const all = [EDGE, ...words, EDGE];
    for (let i = 1; i < all.length; i++) this.#pairs.add(pairOf(all[i - 1] ?? EDGE, all[i] ?? EDGE));
    this.#phrases.push(words.join(' '));
  }

  /** From a beginning up to, without, `place`, by the moves used least. */
  #wayTo(place: number): readonly number[] {
    const way: number[] = [];
    for (let at = place; ; ) {
      const before = this.#leastUsed(at, this.#before[at] ?? [], false);
      if (before === undefined || before === END) return way;
      way.unshift(before);
      at = before;
    }
  }

  /** On from `place`, without it, to an end. */
  #wayFrom(place: number): readonly number[] {
    const way: number[] = [];
    for (let at = place; ; ) {
      const here = this.#places[at];
      const alive = here?.next.filter((next) => this.#isAlive[next]) ?? [];
      const next = this.#leastUsed(at, here?.intent === undefined ? alive : [END, ...alive], true);
      if (next === undefined || next === END) return way;
      way.push(next);
      at = next;
    }
  }

  #leastUsed(at: number, choices: readonly number[], forward: boolean): number | undefined {
    const moveTo = (choice: number) => (forward ? `${at}>${choice}` : `${choice}>${at}`);
    let best: number | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const choice of choices) {
      const uses = this.#moveUses.get(moveTo(choice)) ?? 0;
      if (uses < fewest) {
        fewest = uses;
        best = choice;
      }
    }
    if (best !== undefined) this.#moveUses.set(moveTo(best), fewest + 1);
    return best;
  }

  #nextForm(at: number): readonly string[] {
    const label = this.#places[at]?.label;
    if (label === undefined) return [];
    if (label.kind === 'word') return [label.text];
    return this.#nextOf(`list ${label.list}`, this.#source.forms.get(label.list) ?? [], []);
  }

  /** Takes turns through `choices`. */
  #nextOf<T>(turnName: string, choices: readonly [T, ...T[]]): T;
  #nextOf<T>(turnName: string, choices: readonly T[], otherwise: T): T;
  #nextOf<T>(turnName: string, choices: readonly T[], otherwise?: T): T | undefined {
    const turn = this.#formUses.get(turnName) ?? 0;
    this.#formUses.set(turnName, turn + 1);
    return choices[turn % choices.length] ?? otherwise;
  }

  /** The forms of a place by their first (0) or last (-1) word. */
  #formsByWord(at: number, position: 0 | -1): Map<string, [readonly string[], ...(readonly string[])[]]> {
    if (at === END) return new Map([[EDGE, [[]]]]);
    const label = this.#places[at]?.label;
    const forms =
      label?.kind === 'list' ? (this.#source.forms.get(label.list) ?? []) : [[label?.text ?? EDGE]];
    const byWord = new Map<string, [readonly string[], ...(readonly string[])[]]>();
    for (const form of forms) {
      const word = form.at(position) ?? EDGE;
      const same = byWord.get(word);
      if (same === undefined) byWord.set(word, [form]);
      else same.push(form);
    }
    return byWord;
  }

  #listAt(at: number): string | undefined {
    const label = this.#places[at]?.label;
    return label?.kind === 'list' ? label.list : undefined;
  }

  #labelOf(at: number): string {
    const label = this.#places[at]?.label;
    if (label === undefined) return EDGE;
    return label.kind === 'list' ? `{${label.list}}` : label.text;
  }
}

function pairOf(before: string, after: string): string {
  return `${before} ${after}`;
}

/** Places from which an end can be said; those not sayable themselves are dead too. */
function alivePlaces({ graph, forms }: GrammarSource): readonly boolean[] {
  const alive: boolean[] = graph.places.map(() => false);
  // Templates are added front to back: what follows a place has a higher number.
  for (let at = graph.places.length - 1; at >= 0; at--) {
    const place = graph.places[at];
    if (place === undefined) continue;
    const sayable = place.label.kind === 'word' || (forms.get(place.label.list)?.length ?? 0) > 0;
    alive[at] = sayable && (place.intent !== undefined || place.next.some((next) => alive[next]));
  }
  return alive;
}
