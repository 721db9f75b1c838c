import { sentencesInvalid } from './sentences-invalid.ts';
import type { Template } from './template.ts';

/** What is said at one place of a sentence: a word, or any value of a list. */
export type Label =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'list'; readonly list: string; readonly slot: string };

export interface Place {
  readonly label: Label;
  /** Places that may come next. */
  readonly next: number[];
  /** The intent of a sentence that may end here. */
  intent: string | undefined;
}

export interface Sentence {
  readonly intent: string;
  /** As written. */
  readonly text: string;
  /** Where it stands in the file. */
  readonly where: string;
  readonly template: Template;
}

/**
 * All sentences of a book side by side, each place of a template a node (Glushkov's automaton: no empty moves).
 * Without loops, since templates have none.
 */
export interface SentenceGraph {
  readonly places: readonly Place[];
  /** Places each sentence may begin with, in the order of the sentences. */
  readonly starts: readonly (readonly number[])[];
}

const MAX_PLACES = 20_000;
const MAX_MOVES = 200_000;
const BEGIN = -1;

/**
 * `labelsOf` gives what one template word or list is said as, in order; undefined when it cannot be said, which
 * takes the paths through it away. Throws EdgeError SENTENCES_INVALID for a sentence that may be empty, fills a slot
 * twice, or has too many forms to be held in memory.
 */
export function buildGraph(
  sentences: readonly Sentence[],
  labelsOf: (leaf: Label) => readonly Label[] | undefined,
): SentenceGraph {
  const places: Place[] = [];
  const starts = sentences.map((sentence) => addSentence(sentence, places, labelsOf));
  return { places, starts };
}

function addSentence(
  sentence: Sentence,
  places: Place[],
  labelsOf: (leaf: Label) => readonly Label[] | undefined,
): readonly number[] {
  const begin: number[] = [];
  let moves = 0;

  const tooLarge = () =>
    sentencesInvalid(`${sentence.where}, "${sentence.text}": the sentence has too many forms`);

  function step(label: Label, from: readonly number[]): readonly number[] {
    const place = places.length;
    moves += from.length;
    if (place >= MAX_PLACES || moves > MAX_MOVES) throw tooLarge();
    places.push({ label, next: [], intent: undefined });
    for (const before of from) (before === BEGIN ? begin : places[before]?.next)?.push(place);
    return [place];
  }

  function leaf(label: Label, from: readonly number[]): readonly number[] {
    let ends = from;
    for (const said of labelsOf(label) ?? []) ends = step(said, ends);
    return ends === from ? [] : ends;
  }

  function add(template: Template, from: readonly number[]): readonly number[] {
    if (from.length === 0) return from;
    switch (template.kind) {
      case 'word':
      case 'list':
        return leaf(template, from);
      case 'sequence':
        return template.parts.reduce((ends, part) => add(part, ends), from);
      case 'choice':
        return [...new Set(template.options.flatMap((option) => add(option, from)))];
      case 'optional':
        return [...new Set([...from, ...add(template.part, from)])];
    }
  }

  for (const end of add(sentence.template, [BEGIN])) {
    const place = places[end];
    if (place === undefined)
      throw sentencesInvalid(`${sentence.where}, "${sentence.text}": every word may be left out`);
    place.intent = sentence.intent;
  }
  return begin;
}

/** The slots a template can fill. Throws EdgeError SENTENCES_INVALID when one way through it fills a slot twice. */
export function slotsOf(template: Template, where: string): ReadonlySet<string> {
  switch (template.kind) {
    case 'word':
      return new Set();
    case 'list':
      return new Set([template.slot]);
    case 'optional':
      return slotsOf(template.part, where);
    case 'choice':
      return new Set(template.options.flatMap((option) => [...slotsOf(option, where)]));
    case 'sequence': {
      const all = new Set<string>();
      for (const part of template.parts)
        for (const slot of slotsOf(part, where)) {
          if (all.has(slot))
            throw sentencesInvalid(
              `${where}: slot "${slot}" is filled twice`,
              'name one of them, as in {list:slot}',
            );
          all.add(slot);
        }
      return all;
    }
  }
}
