/**
 * Whether what was told is found again. Own questions: the factory corpus of `recall/corpus`, told and asked in the order of its sixty
 * days, by the way that everything goes into memory; the `final` half is reported, `tune` beside it. Plain FTS5 (unicode61, the question's words,
 * `ORDER BY bm25`) is the baseline over the same texts. `--locomo FILE` adds an external set of dialogues in the layout of LoCoMo: every
 * turn told by its speaker, any evidence turn within the first 5, 10, 20. `--all` reports both halves of the own questions as one.
 */
import { parseArgs } from 'node:util';
import { askCorpus } from './recall/ask-corpus.ts';
import { readCorpus } from './recall/corpus.ts';
import { askDialogues } from './recall/dialogues.ts';
import { report } from './report.ts';

const { values } = parseArgs({
  options: { locomo: { type: 'string' }, all: { type: 'boolean', default: false } },
});

const corpus = readCorpus();
const own = await askCorpus(corpus);
const { final, tune } = own;
const main = values.all ? own.all : final;
const figures: Record<string, number> = {
  questions: main.answerable + main.unanswerable,
  any_at_1: main.at1,
  any_at_3: main.at3,
  any_at_5: main.at5,
  abstain: main.abstained,
  found_at_5: main.foundAt5,
  tune_any_at_5: tune.at5,
  tune_abstain: tune.abstained,
  fts5_any_at_1: main.peer.at1,
  fts5_any_at_3: main.peer.at3,
  fts5_any_at_5: main.peer.at5,
};
if (values.locomo !== undefined) Object.assign(figures, await askDialogues(values.locomo));
report('recall', figures, {}, { any_at_5: 0.95, abstain: 0.9 });
