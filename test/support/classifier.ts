import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { MatchOutcome } from '../../src/domain/intent/meaning.ts';
import { compileSentences, type SentenceBook } from '../../src/domain/intent/sentence-book.ts';
import { type SiteLists, sentenceFileSchema } from '../../src/domain/intent/sentence-file.ts';
import { LANGUAGES, type Language } from '../../src/domain/language/language.ts';
import { KeywordMatcher } from '../../src/domain/planning/keyword-match.ts';
import { when } from '../../src/domain/planning/when.ts';
import { demoPlant } from './plant-file.ts';
import { THURSDAY } from './route-context.ts';
import { shippedRules } from './rule-scope.ts';

/** The sentences and the keyword match of one language, at the demo plant with two people. */
export interface Classifier {
  readonly book: SentenceBook;
  readonly keywords: KeywordMatcher;
}

const NAMES: Readonly<Record<Language, SiteLists>> = {
  en: {
    person: [
      { value: 'zhang-wei', spoken: ['zhang', 'engineer zhang'] },
      { value: 'li-na', spoken: ['li', 'engineer li'] },
    ],
    procedure: [{ value: 'change-filter', spoken: ['change the filter'] }],
  },
  zh: {
    person: [
      { value: 'zhang-wei', spoken: ['张工', '张工程师'] },
      { value: 'li-na', spoken: ['李工'] },
    ],
    procedure: [{ value: 'change-filter', spoken: ['更换滤芯'] }],
  },
};

export function classifierOf(language: Language): Classifier {
  const text = readFileSync(new URL(`../../config/sentences/${language}.yaml`, import.meta.url), 'utf8');
  const file = sentenceFileSchema.parse(parse(text));
  const plant = demoPlant();
  const named = (entries: ReturnType<typeof plant.machineList>) =>
    entries.map(({ value, spoken }) => ({ value, spoken: spoken[language] }));
  const siteLists = {
    machine: named(plant.machineList()),
    quantity: named(plant.quantityList()),
    ...NAMES[language],
  };
  const isPeriod = (words: string): boolean => ['one', 'which'].includes(when(words, THURSDAY).kind);
  const { examples } = shippedRules();
  return {
    book: compileSentences(file, siteLists),
    keywords: new KeywordMatcher({ file, siteLists, examples, isPeriod }),
  };
}

export function classifiers(): Readonly<Record<Language, Classifier>> {
  const [en, zh] = LANGUAGES.map(classifierOf);
  if (en === undefined || zh === undefined) throw new Error('two languages');
  return { en, zh };
}

/** Templates first, then the likeness of words; `none` when neither knows. `by` is what decided. */
export function classify(
  text: string,
  { book, keywords }: Classifier,
): { readonly intent: string; readonly by: string } {
  const byTemplate = intentOf(book.match(text));
  if (byTemplate !== undefined) return { intent: byTemplate, by: 'template' };
  const likely = keywords.match(text);
  return likely === undefined ? { intent: 'none', by: 'nothing' } : { intent: likely.intent, by: 'keyword' };
}

function intentOf(match: MatchOutcome): string | undefined {
  if (match.kind === 'match') return match.meaning.intent;
  return match.kind === 'tie' ? match.meanings[0]?.intent : undefined;
}
