import type { Entity, Episode } from '../episode.ts';
import { type Abstention, abstentionOf } from './abstain.ts';
import type { IndexTerms, IndexWord } from './index-terms.ts';
import { asksAboutADay, questionShare, type RecallQuestion } from './question.ts';
import type { Ranked } from './ranked.ts';

/** What is known of the terms of a question in the store. */
export interface TermFrequencies {
  readonly episodes: number;
  readonly holding: ReadonlyMap<string, number>;
}

export interface Candidate {
  readonly episode: Episode;
  /** Terms of what stood around it, separated by spaces. */
  readonly around?: string;
  /** Of the full text, greater is better. */
  readonly score: number;
  /** It states what is known now, or what was known before. */
  readonly standing?: 'now' | 'past' | undefined;
}

export interface Ranking {
  readonly ranked: readonly Ranked[];
  /** Why nothing may be answered, or undefined. */
  readonly abstains: Abstention | undefined;
}

/** How the parts of a score weigh against each other; found on the first half of the factory questions. */
export const WEIGHTS = {
  coverage: 0.55,
  text: 0.15,
  /** Of a name in a question, as the weight of a word. */
  mention: 5,
  concept: 0.95,
  near: 0.4,
  around: 0.5,
  piece: 0.5,
  otherThing: 0.35,
  unnamed: 0.4,
  wanted: 0.05,
  period: 0.08,
  /** Of what happened on the day that was asked about. */
  day: 0.4,
  newest: 0.2,
  kind: 0.15,
  standing: 0.08,
  negation: 0.2,
} as const;

interface Weighed {
  readonly word: IndexWord;
  readonly near: ReadonlySet<string>;
  readonly weight: number;
}

/** Orders what the store found by how well it answers, the best first, and says whether it answers at all. */
export function rank(
  question: RecallQuestion,
  candidates: readonly Candidate[],
  frequencies: TermFrequencies,
  terms: IndexTerms,
): Ranking {
  const weighed = question.words.map((word) => ({
    word,
    near: terms.nearTo(word),
    weight: weightOf(word, frequencies),
  }));
  const bestText = Math.max(1e-9, ...candidates.map(({ score }) => score));
  const scored = candidates.map((candidate) =>
    scoreOf(question, weighed, candidate, bestText, terms.words(candidate.episode.text)),
  );
  const timed = byTime(question, inTheirTime(question, scored));
  const ranked = timed.toSorted(
    (one, other) => other.score - one.score || other.episode.atMs - one.episode.atMs,
  );
  return { ranked, abstains: abstentionOf(question, ranked, terms) };
}

/** Rarer words weigh more: ln(1 + N/(1 + n)), where n of N episodes hold the word or its meaning. */
function weightOf(word: IndexWord, { episodes, holding }: TermFrequencies): number {
  const having = Math.max(
    holding.get(word.term) ?? 0,
    ...word.concepts.map((concept) => (holding.get(concept) ?? 0) * 0.7),
  );
  const weight = Math.log(1 + Math.max(1, episodes) / (1 + having));
  return (word.kind === 'number' ? weight * 0.7 : weight) * questionShare(word);
}

function scoreOf(
  question: RecallQuestion,
  weighed: readonly Weighed[],
  { episode, score, standing, around = '' }: Candidate,
  bestText: number,
  words: readonly IndexWord[],
): Ranked {
  const terms = new Set(words.map(({ term }) => term));
  const concepts = new Set(words.flatMap((word) => word.concepts));
  const pieces = new Set(words.flatMap((word) => word.pieces));
  const aroundTerms = new Set(around === '' ? [] : around.split(' '));
  const fits = mentionFits(question, episode);
  const ofWords = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const matches = weighed.map(({ word, near, weight }) => ({
    word,
    weight,
    match: matchOf(word, near, { terms, concepts, pieces, around: aroundTerms, text: episode.text }),
  }));
  const heldWords = matches.reduce((sum, { match, weight }) => sum + weight * match, 0);
  const strong = matches.reduce((sum, { match, weight }) => sum + (match >= 0.8 ? weight : 0), 0);
  const missing = matches.filter(({ match }) => match === 0).map(({ weight }) => weight);
  const all = ofWords + WEIGHTS.mention * fits.length;
  const held = heldWords + WEIGHTS.mention * fits.reduce((sum, { share }) => sum + share, 0);
  const coverage = all === 0 ? 1 : held / all;
  const total =
    WEIGHTS.coverage * coverage +
    WEIGHTS.text * (score / bestText) -
    (fits.some(({ isOther }) => isOther) ? WEIGHTS.otherThing : 0) +
    (fitsWanted(question, episode) ? WEIGHTS.wanted : 0) +
    (isWithin(question, episode) ? WEIGHTS.period : 0) +
    (standing === 'now' && question.which !== 'earlier' ? WEIGHTS.standing : 0) -
    (standing === 'past' && question.which !== 'earlier' ? WEIGHTS.standing : 0) +
    kindFit(episode) +
    negationFit(question, episode);
  return {
    episode,
    coverage,
    wordCoverage: ofWords === 0 ? 1 : heldWords / ofWords,
    strongCoverage: ofWords === 0 ? 1 : strong / ofWords,
    heaviestMissing: ofWords === 0 ? 0 : Math.max(0, ...missing) / ofWords,
    lacksNumber: matches.some(({ word, match }) => word.kind === 'number' && match === 0),
    isAbout: fits.every(({ share }) => share === 1),
    score: total,
  };
}

interface Holding {
  readonly terms: ReadonlySet<string>;
  readonly concepts: ReadonlySet<string>;
  readonly pieces: ReadonlySet<string>;
  readonly around: ReadonlySet<string>;
  readonly text: string;
}

/** How much of a word a text holds, 0 to 1: the word itself, its meaning, or a part of a Chinese one. */
function matchOf(
  word: IndexWord,
  near: ReadonlySet<string>,
  { terms, concepts, pieces, around, text }: Holding,
): number {
  if (terms.has(word.term)) return 1;
  if (word.kind === 'han' && word.term.length > 1 && text.includes(word.term)) return 1;
  if (word.kind === 'code') return word.pieces.some((piece) => terms.has(piece) || pieces.has(piece)) ? 1 : 0;
  if (word.concepts.some((concept) => concepts.has(concept))) return WEIGHTS.concept;
  if (word.kind === 'han' && word.pieces.some((piece) => text.includes(piece))) return WEIGHTS.piece;
  if (around.has(word.term) || word.concepts.some((concept) => around.has(concept))) return WEIGHTS.around;
  for (const concept of concepts) if (near.has(concept)) return WEIGHTS.near;
  return 0;
}

interface MentionFit {
  /** How much of a name it holds, 0 to 1. */
  readonly share: number;
  /** It names another one of the kind, and not this. */
  readonly isOther: boolean;
}

/** What is named counts for those that name it, and against those that name another one of its kind. */
function mentionFits(question: RecallQuestion, episode: Episode): readonly MentionFit[] {
  return (
    question.mentions
      // A short code that two machines might be called by names none of them.
      .filter(({ kind, candidates }) => kind === 'person' || (kind !== 'point' && candidates.length === 1))
      .map(({ kind, candidates }) => {
        const of = episode.entities.flatMap((entity) =>
          entity.kind === kind && entity.id !== undefined ? [entity.id] : [],
        );
        const holds =
          of.some((id) => candidates.includes(id)) ||
          (kind === 'person' && candidates.includes(episode.userId));
        if (holds) return { share: 1, isOther: false };
        return { share: of.length > 0 ? 0 : WEIGHTS.unnamed, isOther: of.length > 0 && kind !== 'person' };
      })
  );
}

function names({ entities }: Episode, kind: Entity['kind']): boolean {
  return entities.some((entity) => entity.kind === kind);
}

const PLACE =
  /\b(?:in|on|at|under|behind|next to|inside|cabinet|shelf|drawer|room|rack|store|office|warehouse|container|box)\b|在|放|柜|架|抽屉|仓库|办公室|箱|楼|角|旁边|后面|里面/iu;
const CAUSE =
  /\b(?:because|due to|caused?|reason|since|found|turned out|was the problem|culprit|came from|led to)\b|因为|由于|原因|导致|引起|造成|是因|发现|结果是/iu;

function fitsWanted({ wanted }: RecallQuestion, episode: Episode): boolean {
  switch (wanted) {
    case 'who':
      return names(episode, 'person');
    case 'where':
      return PLACE.test(episode.text);
    case 'cause':
      return CAUSE.test(episode.text) || episode.kind === 'diagnosis';
    case 'quantity':
      return names(episode, 'number');
    case 'when':
    case 'count':
    case 'way':
    case 'what':
      return false;
  }
}

function isWithin({ period }: RecallQuestion, { atMs }: Episode): boolean {
  return period !== undefined && atMs >= period.fromMs && atMs < period.toMs;
}

/** Where a day or a shift is asked about and something of it is known, that comes before all else. */
function inTheirTime(question: RecallQuestion, scored: readonly Ranked[]): readonly Ranked[] {
  if (!asksAboutADay(question)) return scored;
  const isOfIt = (each: Ranked): boolean =>
    isWithin(question, each.episode) &&
    each.isAbout &&
    (question.words.length === 0 || each.wordCoverage > 0);
  return scored.map((each) => (isOfIt(each) ? { ...each, score: each.score + WEIGHTS.day } : each));
}

/** What somebody said or found answers more than a reading that was asked for. */
function kindFit({ kind, class: memoryClass }: Episode): number {
  if (kind === 'command' || memoryClass === 'summary') return -WEIGHTS.kind;
  return kind === 'tool_result' ? -WEIGHTS.kind / 2 : 0;
}

const DENIES =
  /\b(?:not|never|no longer|didn't|wasn't|isn't|haven't|without|cancelled|canceled|postponed|skipped)\b|n't\b|没|未|不再|取消|推迟|不用/iu;

function negationFit({ negated }: RecallQuestion, { text }: Episode): number {
  return negated && DENIES.test(text) ? WEIGHTS.negation : 0;
}

/** Among those that answer nearly as well, the newest, or the oldest, is what was asked for. */
function byTime({ which, period }: RecallQuestion, scored: readonly Ranked[]): readonly Ranked[] {
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const close = scored
    .filter(({ score }) => score >= best - 0.22)
    .toSorted((one, other) => one.episode.atMs - other.episode.atMs);
  if (close.length < 2) return scored;
  const share = which === 'any' ? (period === undefined ? 0.5 : 0.2) : 1;
  const place = new Map(close.map(({ episode }, at) => [episode.id, at / (close.length - 1)]));
  const newest = close.at(-1);
  return scored.map((each) => {
    const at = place.get(each.episode.id);
    if (at === undefined) return each;
    const bonus = which === 'oldest' || which === 'earlier' ? 1 - at : at;
    const isPresent = which === 'earlier' && each === newest;
    return { ...each, score: each.score + WEIGHTS.newest * share * bonus - (isPresent ? WEIGHTS.newest : 0) };
  });
}
