import { z } from 'zod';
import type { EpisodeQuery, FoundEpisode } from '../../app/ports/memory-store.ts';
import type { Database } from './database.ts';
import { type MemoryFrequencies, splitTerms } from './memory-frequencies.ts';
import { bodySchema, episodeOf } from './memory-rows.ts';
import { scoreOf, weightOf } from './memory-score.ts';
import type { Parameter } from './statement-cache.ts';

/** So many places of terms are looked at for one query. */
const PLACES = 5000;
/** So many episodes are scored exactly. */
const SCORED = 300;
/** The rarest of more terms are used. */
const MOST_TERMS = 24;

const candidateSchema = z.object({
  arrival: z.int(),
  at: z.int(),
  terms: z.string(),
  around: z.string(),
});
type Candidate = z.output<typeof candidateSchema>;
const bodyOfSchema = bodySchema.extend({ arrival: z.int() });
const arrivalSchema = z.object({ arrival: z.int() });

interface Sql {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/**
 * Finds episodes in a time that does not grow with how common the terms are. Where a person, a machine or a period leaves few
 * episodes, these are scored by BM25. Otherwise terms are walked from the rarest, each one's newest places first, up to
 * `PLACES` in all; the `SCORED` episodes in which what was found weighs most are then scored by BM25 with all terms. So an
 * episode can be missed that holds, of the terms, only common ones and is old, or is one of more than `SCORED` with the same rare terms.
 */
export async function searchEpisodes(
  database: Database,
  frequencies: MemoryFrequencies,
  query: EpisodeQuery,
): Promise<readonly FoundEpisode[]> {
  if (query.scopes.length === 0 || query.limit <= 0) return [];
  const terms = [...new Set(splitTerms(query.terms.join(' ')))];
  if (terms.length === 0) return newest(database, query);
  const [extent, holding] = await Promise.all([frequencies.extent(), frequencies.of(terms)]);
  // A term that stands only around episodes is as rare as one can be.
  const ranked = terms
    .map((term) => ({ term, holding: holding.get(term) ?? 0 }))
    .sort((a, b) => a.holding - b.holding)
    .slice(0, MOST_TERMS);
  const weights = new Map(ranked.map((rank) => [rank.term, weightOf(rank.holding, extent.episodes)]));
  const few = await fewOf(database, query);
  const candidates = await textsOf(database, query, few ?? walk(ranked, weights, query));
  const scored = candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate, weights, extent.usualLength) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => (query.byTime ? 0 : b.score - a.score) || later(a.candidate, b.candidate))
    .slice(0, query.limit);
  return withBodies(
    database,
    scored.map(({ candidate, score }) => ({ arrival: candidate.arrival, score })),
  );
}

function later(a: Candidate, b: Candidate): number {
  return b.at - a.at || b.arrival - a.arrival;
}

/** Whether an episode `e` is in the scopes, the period and about any of the entities. */
function conditions({ scopes, entities, fromMs, toMs }: EpisodeQuery): Sql {
  const parts: Sql[] = [
    { text: 'e.scope IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(scopes)] },
  ];
  if (fromMs !== undefined) parts.push({ text: 'e.at >= ?', parameters: [Math.ceil(fromMs)] });
  if (toMs !== undefined) parts.push({ text: 'e.at < ?', parameters: [Math.ceil(toMs)] });
  if (entities.length > 0)
    parts.push({
      text: `EXISTS (SELECT 1 FROM entity WHERE key IN (${entities.map(() => '?').join(', ')})
        AND entity.at = e.at AND entity.arrival = e.arrival)`,
      parameters: entities,
    });
  return {
    text: parts.map(({ text }) => text).join(' AND '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

/** The newest `limit` arrivals about the entities, or all, in the period. */
function newestIn({ entities, fromMs, toMs }: EpisodeQuery, limit: number): Sql {
  const period = [Math.ceil(fromMs ?? Number.MIN_SAFE_INTEGER), Math.ceil(toMs ?? Number.MAX_SAFE_INTEGER)];
  if (entities.length === 0)
    return {
      text: 'SELECT arrival, at FROM episode WHERE at >= ? AND at < ? ORDER BY at DESC, arrival DESC LIMIT ?',
      parameters: [...period, limit],
    };
  const each = entities.map(
    () =>
      'SELECT * FROM (SELECT arrival, at FROM entity WHERE key = ? AND at >= ? AND at < ? ORDER BY at DESC, arrival DESC LIMIT ?)',
  );
  return {
    text: `SELECT DISTINCT arrival, at FROM (${each.join(' UNION ALL ')}) ORDER BY at DESC, arrival DESC LIMIT ?`,
    parameters: [...entities.flatMap((key) => [key, ...period, limit]), limit],
  };
}

/** What the entities and the period leave, when it is few. */
async function fewOf(database: Database, query: EpisodeQuery): Promise<Sql | undefined> {
  if (query.entities.length === 0 && query.fromMs === undefined && query.toMs === undefined) return undefined;
  const { text, parameters } = newestIn(query, SCORED + 1);
  const rows = await database.all(arrivalSchema, text, parameters);
  if (rows.length > SCORED) return undefined;
  const arrivals = JSON.stringify(rows.map(({ arrival }) => arrival));
  return { text: 'SELECT value AS arrival FROM json_each(?)', parameters: [arrivals] };
}

/** Arrivals that hold any of the terms, those first in which they weigh most. */
function walk(
  ranked: readonly { readonly term: string; readonly holding: number }[],
  weights: ReadonlyMap<string, number>,
  query: EpisodeQuery,
): Sql {
  let left = PLACES;
  const walks: Sql[] = ranked.map(({ term, holding }, index) => {
    const places = Math.floor(left / (ranked.length - index));
    left -= Math.min(places, holding);
    return {
      text: `SELECT * FROM (SELECT rowid AS arrival, ? AS weight FROM episode_fts
        WHERE episode_fts MATCH ? ORDER BY rowid DESC LIMIT ?)`,
      parameters: [weights.get(term) ?? 0, phrase(term), places],
    };
  });
  const about = newestIn(query, SCORED);
  if (query.entities.length > 0 || query.fromMs !== undefined || query.toMs !== undefined)
    walks.push({
      text: `SELECT * FROM (SELECT arrival, 0 AS weight FROM (${about.text}))`,
      parameters: about.parameters,
    });
  const order = query.byTime ? 'arrival DESC' : 'sum(weight) DESC, arrival DESC';
  return {
    text: `SELECT arrival FROM (${walks.map(({ text }) => text).join(' UNION ALL ')}) GROUP BY arrival ORDER BY ${order}`,
    parameters: walks.flatMap(({ parameters }) => parameters),
  };
}

/** What FTS5 takes as one term, whatever stands in it. */
function phrase(term: string): string {
  return `"${term.replaceAll('"', '""').replaceAll('\0', '')}"`;
}

function textsOf(database: Database, query: EpisodeQuery, arrivals: Sql): Promise<Candidate[]> {
  const { text, parameters } = conditions(query);
  return database.all(
    candidateSchema,
    `SELECT e.arrival, e.at, t.terms, t.around
       FROM (${arrivals.text} LIMIT ?) AS found CROSS JOIN episode AS e ON e.arrival = found.arrival
       CROSS JOIN episode_text AS t ON t.arrival = e.arrival
       WHERE ${text} LIMIT ?`,
    [...arrivals.parameters, PLACES, ...parameters, Math.max(SCORED, query.limit)],
  );
}

async function newest(database: Database, query: EpisodeQuery): Promise<readonly FoundEpisode[]> {
  const { text, parameters } = conditions(query);
  const pool = newestIn(query, PLACES);
  const rows = await database.all(
    arrivalSchema,
    `SELECT e.arrival FROM (${pool.text}) AS found CROSS JOIN episode AS e ON e.arrival = found.arrival
       WHERE ${text} LIMIT ?`,
    [...pool.parameters, ...parameters, query.limit],
  );
  return withBodies(
    database,
    rows.map(({ arrival }) => ({ arrival, score: 0 })),
  );
}

async function withBodies(
  database: Database,
  found: readonly { readonly arrival: number; readonly score: number }[],
): Promise<readonly FoundEpisode[]> {
  const rows = await database.all(
    bodyOfSchema,
    'SELECT arrival, body FROM episode_text WHERE arrival IN (SELECT value FROM json_each(?))',
    [JSON.stringify(found.map(({ arrival }) => arrival))],
  );
  const bodies = new Map(rows.map((row) => [row.arrival, row]));
  return found.flatMap(({ arrival, score }) => {
    const row = bodies.get(arrival);
    // It may have been forgotten meanwhile.
    return row === undefined ? [] : [{ episode: episodeOf(row), score }];
  });
}
