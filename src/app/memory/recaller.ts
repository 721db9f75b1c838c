import type { PeriodSetting } from '../../domain/history/period.ts';
import type { Language } from '../../domain/language/language.ts';
import { codeId } from '../../domain/memory/compress/entities-of.ts';
import type { Fact } from '../../domain/memory/fact.ts';
import { type Trust, trustOf } from '../../domain/memory/memory-source.ts';
import type { FindMentions } from '../../domain/memory/mention.ts';
import type { IndexTerms } from '../../domain/memory/recall/index-terms.ts';
import { type RecallQuestion, readQuestion } from '../../domain/memory/recall/question.ts';
import { type Candidate, type Ranking, rank } from '../../domain/memory/recall/rank.ts';
import type { Ranked } from '../../domain/memory/recall/ranked.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { EpisodeQuery, FoundEpisode, MemoryStore } from '../ports/memory-store.ts';

export interface RecallRequest {
  readonly text: string;
  readonly language: Language;
  /** Wall time of the question, in milliseconds since 1970: "yesterday" is seen from here. */
  readonly askedAtMs: number;
  /** What the asker may see. */
  readonly scopes: readonly string[];
  /** After so long no further road is tried, in milliseconds. */
  readonly budgetMs: number;
  /** At most so many are given. */
  readonly limit: number;
}

/** One thing remembered, with what a listener needs to judge it. */
export interface Recalled extends Ranked {
  readonly ageMs: number;
  readonly trust: Trust;
}

export interface Recollection {
  readonly question: RecallQuestion;
  /** The best first; empty when nothing may be answered. */
  readonly items: readonly Recalled[];
  /** What comes nearest, whether it answers or not: for a person to look through, never to be said as an answer. */
  readonly nearest: readonly Recalled[];
  readonly abstains: Ranking['abstains'];
  /** The budget ended before every road was tried. */
  readonly isCut: boolean;
}

interface Parts {
  readonly store: Pick<MemoryStore, 'search' | 'frequencies'>;
  /** What is known now of a subject such as `machine:pump-7`. */
  readonly factsAbout: (subjects: readonly string[]) => readonly Fact[];
  readonly find: FindMentions;
  readonly terms: IndexTerms;
  readonly clocks: Clocks;
  readonly setting: Omit<PeriodSetting, 'nowMs'>;
}

/** Each road brings so many candidates. */
const CANDIDATES = 20;
/** What happened in a shift is often told at its handover or the day after. */
const TOLD_LATER_MS = 36 * 3_600_000;

/** Answers questions from what is remembered. In: a question and who may see what. Out: episodes with source, age and trust, or none. */
export class Recaller {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Rejects as the store does. */
  async recall(request: RecallRequest): Promise<Recollection> {
    const { store, find, clocks, setting, terms: maker } = this.#parts;
    const beganMs = clocks.monotonicMs();
    const question = readQuestion(request.text, request.language, {
      find,
      terms: maker,
      setting: { ...setting, nowMs: request.askedAtMs },
    });
    const terms = [
      ...new Set(question.words.flatMap(({ term, concepts, pieces }) => [term, ...concepts, ...pieces])),
    ];
    const entities = question.mentions
      .filter(({ kind }) => kind === 'machine' || kind === 'line' || kind === 'person')
      .flatMap(({ kind, candidates }) => candidates.map((id) => `${kind}:${id}`));
    const roads = roadsOf(request, question, terms, entities);
    const frequencies = store.frequencies(terms);
    const found = new Map<string, FoundEpisode>();
    let isCut = false;
    for (const [at, road] of roads.entries()) {
      if (at > 0 && clocks.monotonicMs() - beganMs >= request.budgetMs) {
        isCut = true;
        break;
      }
      for (const each of await store.search(road)) {
        const known = found.get(each.episode.id);
        if (known === undefined || each.score > known.score) found.set(each.episode.id, each);
      }
    }
    const { ranked, abstains } = rank(
      question,
      this.#candidates(question, [...found.values()]),
      await frequencies,
      maker,
    );
    const nearest = ranked.slice(0, request.limit).map((each) => ({
      ...each,
      ageMs: Math.max(0, request.askedAtMs - each.episode.atMs),
      trust: trustOf(each.episode.source),
    }));
    return { question, abstains, isCut, nearest, items: abstains === undefined ? nearest : [] };
  }

  #candidates(question: RecallQuestion, found: readonly FoundEpisode[]): readonly Candidate[] {
    const subjects = question.mentions.flatMap(({ kind, candidates }) =>
      candidates.map((id) => `${kind}:${id}`),
    );
    const stating = new Map(
      this.#parts
        .factsAbout([...subjects, ...question.codes.map((code) => `code:${codeId(code)}`)])
        .flatMap(({ episodeId, validToMs, supersededAtMs }) =>
          episodeId === undefined
            ? []
            : [
                [
                  episodeId,
                  validToMs === undefined && supersededAtMs === undefined ? 'now' : 'past',
                ] as const,
              ],
        ),
    );
    return found.map((each) => ({ ...each, standing: stating.get(each.episode.id) }));
  }
}

/** The searches of a question, the most exact first. */
function roadsOf(
  { scopes, askedAtMs }: RecallRequest,
  { period, words }: RecallQuestion,
  terms: readonly string[],
  entities: readonly string[],
): readonly EpisodeQuery[] {
  const common = { scopes, limit: CANDIDATES, toMs: askedAtMs + 1 };
  const within =
    period === undefined
      ? undefined
      : { ...common, fromMs: period.fromMs, toMs: Math.min(askedAtMs + 1, period.toMs + TOLD_LATER_MS) };
  const roads: EpisodeQuery[] = [];
  if (within !== undefined) {
    if (words.length === 0)
      roads.push({
        ...within,
        toMs: Math.min(askedAtMs + 1, period?.toMs ?? askedAtMs),
        terms: [],
        entities,
        byTime: true,
      });
    else roads.push({ ...within, terms, entities, byTime: false });
  }
  if (entities.length > 0 && terms.length > 0) roads.push({ ...common, terms, entities, byTime: false });
  if (entities.length > 0) roads.push({ ...(within ?? common), terms: [], entities, byTime: true });
  if (terms.length > 0) roads.push({ ...(within ?? common), terms, entities: [], byTime: false });
  if (within !== undefined && terms.length > 0) roads.push({ ...common, terms, entities: [], byTime: false });
  return roads;
}
