import { LANGUAGES, type Language } from '../language/language.ts';
import type { NamedEntry } from '../plc/plant-model.ts';
import type { Procedure, ProcedureText } from './procedure.ts';

/** Weight of a word by where it stands. */
const WEIGHTS = { title: 4, keywords: 3, steps: 1 } as const;

/** The procedures of a site, found by id, by title or by words. */
export class ProcedureLibrary {
  readonly procedures: readonly Procedure[];

  constructor(procedures: readonly Procedure[]) {
    this.procedures = procedures;
  }

  /** The best first; all of the words count, the rarer ones more. */
  find(words: string, limit: number): readonly Procedure[] {
    const exact = this.procedures.filter((procedure) => isNamed(procedure, words));
    if (exact.length > 0) return exact.slice(0, limit);
    const wanted = [...termsOf(words)];
    const documents = this.procedures.map((procedure) => ({ procedure, terms: termWeights(procedure) }));
    const rarity = (term: string): number => {
      const having = documents.filter(({ terms }) => terms.has(term)).length;
      return having === 0 ? 0 : Math.log(1 + documents.length / having);
    };
    return documents
      .map(({ procedure, terms }) => ({
        procedure,
        score: wanted.reduce((sum, term) => sum + (terms.get(term) ?? 0) * rarity(term), 0),
      }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, limit)
      .map(({ procedure }) => procedure);
  }

  /** Titles as a list of things that can be said. */
  spokenList(): NamedEntry[] {
    return this.procedures.map(({ id, texts }) => ({
      value: id,
      spoken: {
        en: texts.en === undefined ? [] : [texts.en.title.toLowerCase()],
        zh: texts.zh === undefined ? [] : [texts.zh.title],
      },
    }));
  }
}

function isNamed({ id, texts }: Procedure, words: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replace(/[\s\p{P}]+/gu, '');
  return id === words || LANGUAGES.some((language) => plain(texts[language]?.title ?? '') === plain(words));
}

function termWeights({ texts }: Procedure): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const text of languagesOf(texts))
    for (const [part, weight] of [
      [text.title, WEIGHTS.title],
      [text.keywords.join(' '), WEIGHTS.keywords],
      [text.steps.join(' '), WEIGHTS.steps],
    ] as const)
      for (const term of termsOf(part)) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  return weights;
}

function languagesOf(texts: Readonly<Partial<Record<Language, ProcedureText>>>): readonly ProcedureText[] {
  return LANGUAGES.flatMap((language) => texts[language] ?? []);
}

const STOP_WORDS = new Set([
  'a',
  'an',
  'the',
  'to',
  'of',
  'on',
  'in',
  'and',
  'or',
  'i',
  'do',
  'how',
  'is',
  'it',
  'with',
  'for',
]);

/** English words without their plural, and pairs of Chinese characters, which stand in for its words. */
function termsOf(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/[a-z0-9]+/gu))
    if (!STOP_WORDS.has(word)) terms.add(word.length > 3 ? word.replace(/s$/u, '') : word);
  for (const [run] of text.matchAll(/\p{Script=Han}+/gu)) {
    const characters = [...run];
    for (let at = 0; at + 1 < characters.length; at += 1) terms.add(`${characters[at]}${characters[at + 1]}`);
  }
  return terms;
}
