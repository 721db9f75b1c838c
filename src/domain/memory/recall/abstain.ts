import type { IndexTerms } from './index-terms.ts';
import { asksAboutADay, type RecallQuestion } from './question.ts';
import type { Ranked } from './ranked.ts';

/** Why nothing may be answered: better nothing than what only looks like an answer. */
export type Abstention =
  | 'nothing_like_it'
  /** What is remembered is of another one. */
  | 'not_of_this_one'
  | 'unknown_code'
  /** What is remembered is of another time. */
  | 'not_then';

/** Told so much later, it is still of the shift that was asked about. */
const HANDOVER_MS = 12 * 3_600_000;
const LOOKED_AT = 5;

/** Found on the first half of the factory questions. */
export const ABSTAIN = { strong: 0.15, near: 0.44, wholeOfAnotherTime: 0.7 } as const;

/** Whether what was found, the best first, answers at all; undefined when it does. */
export function abstentionOf(
  question: RecallQuestion,
  ranked: readonly Ranked[],
  terms: IndexTerms,
): Abstention | undefined {
  const top = ranked.slice(0, LOOKED_AT);
  const [best] = top;
  if (best === undefined) return 'nothing_like_it';
  const { codes, words } = question;
  const holdsCode = (code: string): boolean =>
    top.some(({ episode }) =>
      terms.words(episode.text).some((word) => word.term === code || word.pieces.includes(code)),
    );
  if (codes.some((code) => !holdsCode(code))) return 'unknown_code';
  if (top.slice(0, 3).every(({ lacksNumber }) => lacksNumber)) return 'not_of_this_one';
  if (isOfAnotherTime(question, best)) return 'not_then';
  if (words.length === 0) return undefined;
  const about = top.filter(({ isAbout }) => isAbout);
  const strong = Math.max(0, ...about.map(({ strongCoverage }) => strongCoverage));
  const near = Math.max(0, ...about.map(({ wordCoverage }) => wordCoverage));
  return strong < ABSTAIN.strong && near < ABSTAIN.near ? 'nothing_like_it' : undefined;
}

/** A day was asked about, and nothing is known of it; what holds nearly all the words may speak of it beforehand. */
function isOfAnotherTime(question: RecallQuestion, { episode, strongCoverage }: Ranked): boolean {
  const { period, words } = question;
  if (period === undefined || !asksAboutADay(question)) return false;
  const isThen = episode.atMs >= period.fromMs && episode.atMs < period.toMs + HANDOVER_MS;
  return !isThen && (words.length < 2 || strongCoverage < ABSTAIN.wholeOfAnotherTime);
}
