import type { Meaning, SlotValue } from '../intent/meaning.ts';
import type { SentenceFile, SiteLists } from '../intent/sentence-file.ts';
import type { Language } from '../language/language.ts';
import { type ExamplePhrase, examplePhrases } from './example-phrases.ts';
import { INTENT_SLOTS } from './intents.ts';
import { ValueFinder } from './named-values.ts';
import type { RuleFile } from './rule-file.ts';
import { type Likeness, type TermCounts, TfIdf } from './tfidf.ts';

export interface KeywordCandidates {
  /** The likest first. */
  readonly intents: readonly Likeness[];
  /** How far the first is ahead of the second, 0 to 1. */
  readonly margin: number;
  readonly slots: Meaning['slots'];
}

interface Parts {
  readonly file: SentenceFile;
  readonly siteLists: SiteLists;
  /** Beside the templates. */
  readonly examples: RuleFile['examples'];
  /** Whether words name a time. */
  readonly isPeriod: (words: string) => boolean;
}

/** Consent, refusal and choice are words on their own: likeness never stands for them, nor for what interrupts. */
const NEVER = new Set(['yes', 'no', 'confirm_execute', 'choose', 'cancel', 'stop', 'emergency_stop']);
/** Longer texts are no commands, and not worth the time. */
const MAX_CHARACTERS = 300;
const MIN_SCORE = 0.27;
const MIN_MARGIN = 0.01;
/** Taken off an intent that has no place for a time that was named: nobody asks for yesterday's value and means today's. */
const TIME_LEFT_OVER = 0.1;

/** The intent whose example phrases a text is most like: the way on for what fits no sentence. It carries nothing but reads. */
export class KeywordMatcher {
  readonly #language: Language;
  readonly #finder: ValueFinder;
  readonly #space: TfIdf;
  /** The lists of each intent that is never said without naming something. */
  readonly #named: ReadonlyMap<string, ReadonlySet<string>>;

  constructor({ file, siteLists, examples, isPeriod }: Parts) {
    this.#language = file.language;
    this.#finder = new ValueFinder(file, siteLists, isPeriod);
    const phrases = examplePhrases(file, siteLists).filter(({ intent }) => !NEVER.has(intent));
    const more = Object.entries(examples).flatMap(([intent, texts]) =>
      texts[file.language].map((text) => ({ intent, words: splitExample(text, this.#finder) })),
    );
    const all = [...phrases, ...more];
    this.#named = listsOfNaming(all);
    this.#space = new TfIdf(
      all.map(({ intent, words }) => ({
        label: intent,
        terms: termsOf(words, file.language),
      })),
    );
  }

  candidates(text: string): KeywordCandidates {
    if (text.length > MAX_CHARACTERS) return { intents: [], margin: 0, slots: {} };
    const { words, values } = this.#finder.find(text);
    const intents = this.#space
      .rank(termsOf(words, this.#language))
      .filter(({ label }) => {
        const lists = this.#named.get(label);
        return lists === undefined || [...values.keys()].some((list) => lists.has(list));
      })
      .map(({ label, score }) => {
        const leavesTimeOver = values.has('period') && INTENT_SLOTS.get(label)?.includes('period') !== true;
        return { label, score: leavesTimeOver ? score - TIME_LEFT_OVER : score };
      })
      .sort((a, b) => b.score - a.score);
    const [first, second] = intents;
    const margin = first === undefined ? 0 : first.score - (second?.score ?? 0);
    return { intents, margin, slots: slotsOf(first?.label, values) };
  }

  /** Undefined when nothing is like enough, or two are alike. */
  match(text: string): Meaning | undefined {
    const { intents, margin, slots } = this.candidates(text);
    const [first] = intents;
    if (first === undefined || first.score < MIN_SCORE || margin < MIN_MARGIN) return undefined;
    return { intent: first.label, slots };
  }
}

function listsOfNaming(phrases: readonly ExamplePhrase[]): ReadonlyMap<string, ReadonlySet<string>> {
  const lists = new Map<string, Set<string>>();
  const without = new Set<string>();
  for (const { intent, words } of phrases) {
    const named = words.filter((word) => word.startsWith('{')).map((word) => word.slice(1, -1));
    if (named.length === 0) without.add(intent);
    lists.set(intent, new Set([...(lists.get(intent) ?? []), ...named]));
  }
  return new Map([...lists].filter(([intent]) => !without.has(intent)));
}

/** `{machine}` in an example stands for any machine; names of the site in it are found as well. */
function splitExample(text: string, finder: ValueFinder): readonly string[] {
  return text
    .split(/(\{[a-z_]+\})/u)
    .flatMap((part) => (part.startsWith('{') ? [part] : finder.find(part).words));
}

/** Words and pairs of neighbours; of Chinese, characters and pairs of them, which carry most of its words. */
function termsOf(words: readonly string[], language: Language): TermCounts {
  const units = words.flatMap((word) =>
    word.startsWith('{') || language === 'en' ? [language === 'en' ? stemOf(word) : word] : [...word],
  );
  const terms = new Map<string, number>();
  const count = (term: string): unknown => terms.set(term, (terms.get(term) ?? 0) + 1);
  for (const [i, unit] of units.entries()) {
    count(unit);
    const next = units[i + 1];
    if (next !== undefined) count(`${unit} ${next}`);
  }
  return terms;
}

/** "Compared", "compares" and "comparing" are one word. */
function stemOf(word: string): string {
  if (word.startsWith('{') || word.length < 5) return word;
  return word.replace(/(?:ing|ed|es|s|e)$/u, '');
}

/** Lists whose values fill a slot of another name. */
const SLOT_OF_LIST: Readonly<Record<string, readonly string[]>> = {
  machine: ['machine', 'other_machine'],
  value: ['value', 'number', 'ordinal'],
  procedure: ['topic'],
  deed: ['tool'],
  change: ['action'],
  set: ['action'],
  switch: ['action'],
};

function slotsOf(
  intent: string | undefined,
  values: ReadonlyMap<string, readonly SlotValue[]>,
): Meaning['slots'] {
  const wanted = INTENT_SLOTS.get(intent ?? '') ?? [];
  const slots = new Map<string, SlotValue>();
  for (const [list, found] of values) {
    const names = (SLOT_OF_LIST[list] ?? [list]).filter((slot) => wanted.includes(slot) && !slots.has(slot));
    for (const [i, slot] of names.entries()) {
      const value = found[i];
      if (value !== undefined) slots.set(slot, value);
    }
  }
  return Object.fromEntries(slots);
}
