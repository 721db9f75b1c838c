import type { Language } from '../language/language.ts';
import { tokenise } from '../language/tokens.ts';
import { type FormsByList, writeGrammar } from './grammar-writer.ts';
import type { MatchOutcome } from './meaning.ts';
import { candidatesFor, RecogniserWords, sayableGraph } from './recogniser-words.ts';
import type { SentenceFile, SiteLists } from './sentence-file.ts';
import { type Sentence, slotsOf } from './sentence-graph.ts';
import { SentenceMatcher } from './sentence-matcher.ts';
import { sentencesInvalid } from './sentences-invalid.ts';
import { nameForms, rangeForms } from './spoken-forms.ts';
import { fixedWaysOf, listsOf, parseTemplate, type Template, wordsOf } from './template.ts';
import { findUnknownWords, type ListedName, type UnknownWord } from './unknown-words.ts';
import { type ListSource, valueList } from './value-list.ts';

export interface GrammarOptions {
  /** The words of `candidates()` that the recogniser's model knows. */
  readonly known: ReadonlySet<string>;
  /** Sentences are repeated in turn until there are so many phrases; default 1,500. */
  readonly minPhrases?: number;
  /** Where to stop even if some pairs of words have not occurred; default 3,000. */
  readonly maxPhrases?: number;
}

const DEFAULT_MIN_PHRASES = 1500;
const DEFAULT_MAX_PHRASES = 3000;
/** Of one template; those of the shipped files have at most a few dozen. */
const MAX_FIXED_WAYS = 200;

/** A whole sentence in which nothing of the site is named. */
export interface FixedSentence {
  readonly intent: string;
  readonly text: string;
}

/** A value of a list, and what it is called. */
export interface NamedValue {
  readonly value: string | number;
  readonly spoken: string;
}

/** Everything that can be said in one language at one site: what a text means, and what a recogniser has to know. */
export interface SentenceBook {
  readonly language: Language;
  readonly intents: readonly string[];
  /** The meaning of a whole text, typed or recognised. Safe for any text. */
  match(text: string): MatchOutcome;
  /** The values of a list, each once by its first name; none of a range, or of a list that is not there. */
  valuesOf(list: string): readonly NamedValue[];
  /** The sentences that name nothing of the site ("emergency stop"), at most 200 of one template. */
  fixedSentences(): readonly FixedSentence[];
  /** Every word of sentences, names and numbers; Chinese names in the runs they were written in. */
  vocabulary(): readonly string[];
  /** What to ask a model about: the vocabulary, the parts of Chinese runs (up to 6 characters), both cases of Latin words. */
  candidates(): readonly string[];
  unknownWords(known: ReadonlySet<string>): readonly UnknownWord[];
  /** Phrases in the model's words that make its bigram model; those with unknown words are left out. Repetition is weight. */
  grammar(options: GrammarOptions): readonly string[];
}

/**
 * Compiles a sentence file with the names of a site.
 * Throws EdgeError SENTENCES_INVALID naming file key, sentence and column.
 */
export function compileSentences(file: SentenceFile, siteLists: SiteLists): SentenceBook {
  const lists = listSources(file, siteLists);
  const scope = { lists: new Set(lists.keys()), rules: new Map(Object.entries(file.expansion_rules)) };
  // A rule no sentence uses is parsed too: its mistakes should not wait for the first use.
  for (const rule of scope.rules.keys()) parseTemplate(`<${rule}>`, `expansion_rules.${rule}`, scope);
  const compiled = (kind: 'sentences' | 'typed') =>
    Object.entries(file.intents).flatMap(([intent, entry]) =>
      entry[kind].map((text, i): Sentence => {
        const where = `intents.${intent} ${kind === 'typed' ? 'typed ' : ''}sentence ${i + 1}`;
        const template = parseTemplate(text, where, scope);
        slotsOf(template, `${where}, "${text}"`);
        if (kind === 'sentences') refuseFreeLists(template, `${where}, "${text}"`, lists);
        return { intent, text, where, template };
      }),
    );
  for (const phrase of file.skip_words) requireWords(phrase, 'skip_words', file.language);
  return new CompiledBook(file, { spoken: compiled('sentences'), typed: compiled('typed') }, lists);
}

function listSources(file: SentenceFile, siteLists: SiteLists): ReadonlyMap<string, ListSource> {
  const lists = new Map<string, ListSource>();
  for (const [name, list] of Object.entries(file.lists)) {
    if ('range' in list) {
      lists.set(name, { kind: 'range', range: list.range });
      continue;
    }
    if ('free' in list) {
      lists.set(name, { kind: 'free' });
      continue;
    }
    const entries = list.values.map((entry) =>
      entry.typed === true
        ? { value: entry.out, spoken: [], typed: [entry.in] }
        : { value: entry.out, spoken: [entry.in] },
    );
    lists.set(name, { kind: 'entries', entries });
  }
  for (const [name, entries] of Object.entries(siteLists)) {
    if (lists.has(name)) throw sentencesInvalid(`lists.${name}: the site gives a list of this name`);
    lists.set(name, { kind: 'entries', entries });
  }
  for (const [name, source] of lists)
    if (source.kind === 'entries')
      for (const { value, spoken, typed = [] } of source.entries)
        for (const phrase of [...spoken, ...typed]) requireWords(phrase, `${name} "${value}"`, file.language);
  return lists;
}

/** No recogniser can listen for words that nobody has listed. */
function refuseFreeLists(template: Template, where: string, lists: ReadonlyMap<string, ListSource>): void {
  for (const list of listsOf(template))
    if (lists.get(list)?.kind === 'free')
      throw sentencesInvalid(`${where}: {${list}} takes any words`, 'put the sentence under "typed"');
}

function requireWords(phrase: string, where: string, language: Language): void {
  if (tokenise(phrase, language).length === 0)
    throw sentencesInvalid(`${where}: "${phrase}" holds no word that can be said`);
}

class CompiledBook implements SentenceBook {
  readonly language: Language;
  readonly intents: readonly string[];
  readonly #all: readonly Sentence[];
  /** What the recogniser listens for. */
  readonly #spoken: readonly Sentence[];
  readonly #skipPhrases: readonly (readonly string[])[];
  readonly #names: ReadonlyMap<string, readonly ListedName[]>;
  readonly #lists: ReadonlyMap<string, ListSource>;
  readonly #matcher: SentenceMatcher;

  constructor(
    file: SentenceFile,
    { spoken, typed }: { readonly spoken: readonly Sentence[]; readonly typed: readonly Sentence[] },
    lists: ReadonlyMap<string, ListSource>,
  ) {
    const { language } = file;
    this.language = language;
    this.intents = Object.keys(file.intents);
    this.#spoken = spoken;
    this.#all = [...spoken, ...typed];
    this.#skipPhrases = file.skip_words.map((phrase) => phrase.trim().split(/\s+/));
    this.#lists = lists;
    this.#names = new Map([...lists].map(([name, source]) => [name, listedNames(name, source, language)]));
    this.#matcher = new SentenceMatcher({
      language,
      sentences: this.#all,
      lists: new Map([...lists].map(([name, source]) => [name, valueList(source, language)])),
      skipWords: file.skip_words,
    });
  }

  match(text: string): MatchOutcome {
    return this.#matcher.match(text);
  }

  valuesOf(list: string): readonly NamedValue[] {
    const source = this.#lists.get(list);
    const named = new Map<string | number, string>();
    for (const { value, spoken, typed = [] } of source?.kind === 'entries' ? source.entries : []) {
      const [name] = [...spoken, ...typed];
      if (name !== undefined && !named.has(value)) named.set(value, inOneText(name, this.language));
    }
    return [...named].map(([value, spoken]) => ({ value, spoken }));
  }

  fixedSentences(): readonly FixedSentence[] {
    const space = this.language === 'zh' ? '' : ' ';
    return this.#all.flatMap(({ intent, template }) =>
      fixedWaysOf(template, MAX_FIXED_WAYS).map((words) => ({ intent, text: words.join(space) })),
    );
  }

  vocabulary(): readonly string[] {
    const words = new Set(this.#skipPhrases.flat());
    for (const { template } of this.#spoken) for (const word of wordsOf(template)) words.add(word);
    for (const names of this.#names.values())
      for (const { forms } of names) for (const word of forms.flat()) words.add(word);
    return [...words].sort();
  }

  candidates(): readonly string[] {
    return [...new Set(this.vocabulary().flatMap(candidatesFor))].sort();
  }

  unknownWords(known: ReadonlySet<string>): readonly UnknownWord[] {
    return findUnknownWords(
      { skipPhrases: this.#skipPhrases, sentences: this.#spoken, names: [...this.#names.values()].flat() },
      known,
    );
  }

  grammar({
    known,
    minPhrases = DEFAULT_MIN_PHRASES,
    maxPhrases = DEFAULT_MAX_PHRASES,
  }: GrammarOptions): readonly string[] {
    const words = new RecogniserWords(known);
    const sayable = (forms: readonly (readonly string[])[]) =>
      forms.flatMap((form) => {
        const said = words.ofAll(form);
        return said === undefined ? [] : [said];
      });
    const forms: FormsByList = new Map(
      [...this.#names].map(([list, names]) => [list, sayable(names.flatMap((name) => name.forms))]),
    );
    const source = {
      graph: sayableGraph(this.#spoken, words),
      forms,
      skipPhrases: sayable(this.#skipPhrases),
    };
    return writeGrammar(source, { minPhrases: Math.min(minPhrases, maxPhrases), maxPhrases });
  }
}

/** A name as it is said: Chinese files part words with spaces. */
function inOneText(name: string, language: Language): string {
  return language === 'zh' ? name.replace(/\s+/gu, '') : name;
}

function listedNames(list: string, source: ListSource, language: Language): readonly ListedName[] {
  if (source.kind === 'free') return [];
  if (source.kind === 'range') return [{ where: `lists.${list}`, forms: rangeForms(source.range, language) }];
  return source.entries.map(({ value, spoken }) => ({
    where: `${list} "${value}" (${spoken.join(', ')})`,
    forms: spoken.flatMap((name) => nameForms(name, language)),
  }));
}
