import type { RecallCorpus, RecallQuestion } from './corpus.ts';
import { PlainFts5 } from './plain-fts5.ts';
import { openToldMemory } from './told-corpus.ts';

interface Hits {
  readonly at1: number;
  readonly at3: number;
  readonly at5: number;
}

/** Shares, 0 to 1. */
export interface RecallScore extends Hits {
  readonly answerable: number;
  readonly unanswerable: number;
  /** Of the unanswerable ones, those that were not answered. */
  readonly abstained: number;
  /** As `at5`, of what would have been said had nothing been held back. */
  readonly foundAt5: number;
  readonly peer: Hits;
}

interface Asked {
  readonly question: RecallQuestion;
  readonly given: readonly string[];
  readonly found: readonly string[];
  readonly peer: readonly string[];
}

const FIRST = 5;

/** Tells and asks the whole corpus in the order of its days. */
export async function askCorpus(
  corpus: RecallCorpus,
): Promise<{ readonly all: RecallScore; readonly tune: RecallScore; readonly final: RecallScore }> {
  const memory = await openToldMemory(corpus);
  const plain = new PlainFts5();
  await plain.open();
  const asked: Asked[] = [];
  const waiting = [...corpus.episodes];
  try {
    for (const question of corpus.questions) {
      const askedAtMs = Date.parse(question.asked_at);
      for (let next = waiting[0]; next !== undefined && Date.parse(next.at) <= askedAtMs; next = waiting[0]) {
        await memory.tell(next);
        await plain.add(next.id, next.text);
        waiting.shift();
      }
      const { items, nearest } = await memory.recaller.recall({
        text: question.text,
        language: question.language,
        askedAtMs,
        scopes: ['site'],
        budgetMs: 10_000,
        limit: FIRST,
      });
      asked.push({
        question,
        given: items.map(({ episode }) => episode.id),
        found: nearest.map(({ episode }) => episode.id),
        peer: await plain.search(question.text, FIRST),
      });
    }
  } finally {
    await memory.close();
    await plain.close();
  }
  const of = (set: 'tune' | 'final'): readonly Asked[] =>
    asked.filter(({ question }) => question.set === set);
  return { all: scoreOf(asked), tune: scoreOf(of('tune')), final: scoreOf(of('final')) };
}

function scoreOf(asked: readonly Asked[]): RecallScore {
  const answerable = asked.filter(({ question }) => question.evidence.length > 0);
  const unanswerable = asked.filter(({ question }) => question.evidence.length === 0);
  const share = (ids: (each: Asked) => readonly string[], first: number): number =>
    answerable.filter((each) =>
      ids(each)
        .slice(0, first)
        .some((id) => each.question.evidence.includes(id)),
    ).length / answerable.length;
  const hits = (ids: (each: Asked) => readonly string[]): Hits => ({
    at1: share(ids, 1),
    at3: share(ids, 3),
    at5: share(ids, FIRST),
  });
  return {
    ...hits(({ given }) => given),
    answerable: answerable.length,
    unanswerable: unanswerable.length,
    abstained: unanswerable.filter(({ given }) => given.length === 0).length / unanswerable.length,
    foundAt5: share(({ found }) => found, FIRST),
    peer: hits(({ peer }) => peer),
  };
}
