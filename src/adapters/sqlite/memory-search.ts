import { z } from 'zod';
import type { EpisodeQuery, FoundEpisode } from '../../app/ports/memory-store.ts';
import type { Database } from './database.ts';
import { type MemoryFrequencies, splitTerms } from './memory-frequencies.ts';
import { arrivalsIn, heaviest } from './memory-meeting.ts';
import { conditions, hasPeriod, oneEndOf, type Walk, walks } from './memory-query.ts';
import { bodySchema, episodeOf } from './memory-rows.ts';
import { scoreOf, weightOf } from './memory-score.ts';

/** So many places of terms are looked at for one query. */
const PLACES = 5000;
/** So many episodes are scored exactly. */
const SCORED = 100;
/** So many of those that are about the entities and in the period are known before anything is walked. */
const POOL = 4000;
/** Of so many it is looked at whether they meet the conditions, until `SCORED` do. */
const LOOKED_AT = 1500;
/** The rarest of more terms are used. */
const MOST_TERMS = 24;

const candidateSchema = z.object({ arrival: z.int(), at: z.int(), terms: z.string(), around: z.string() });
type Candidate = z.output<typeof candidateSchema>;
const bodyOfSchema = bodySchema.extend({ arrival: z.int(), around: z.string() });
const arrivalSchema = z.object({ arrival: z.int() });
const rangeSchema = z.object({ from: z.int().nullable(), to: z.int().nullable() });
const poolSchema = z.object({ arrivals: z.string() });
const walkSchema = poolSchema.extend({ term: z.int() });

/**
 * Finds episodes in a time that does not grow with how common the terms are. Where entities and period leave at most `SCORED`,
 * all of these are scored by BM25. Otherwise the terms are walked from the rarest, the newest places of each first (of a common
 * one in the period that is asked for), up to `PLACES` in all; of what was met, the `SCORED` episodes in which the terms weigh
 * most are scored by BM25. So an episode can be missed that holds, of the terms, only common ones and is not among the newest, or that is
 * one of more than `SCORED` with the same terms. Where the terms have fewer places in all, none is left out.
 */
export async function searchEpisodes(
  database: Database,
  frequencies: MemoryFrequencies,
  query: EpisodeQuery,
): Promise<readonly FoundEpisode[]> {
  if (query.scopes.length === 0 || query.limit <= 0) return [];
  const asked = [...new Set(splitTerms(query.terms.join(' ')))];
  if (asked.length === 0) return newest(database, query);
  const [extent, holding] = await Promise.all([frequencies.extent(), frequencies.of(asked)]);
  // A term that stands only around episodes is as rare as one can be.
  const terms = asked
    .map((term) => ({ term, holding: holding.get(term) ?? 0 }))
    .sort((a, b) => a.holding - b.holding)
    .slice(0, MOST_TERMS);
  const weights = new Map(terms.map((each) => [each.term, weightOf(each.holding, extent.episodes)]));
  const planned = withoutLateEnd(query, extent.latestMs ?? 0);
  const pool = await poolOf(database, planned);
  const arrivals =
    pool !== undefined && pool.length <= SCORED ? pool : await walk(database, planned, terms, weights, pool);
  const candidates = await textsOf(database, query, arrivals);
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

/** Up to now is no period: everything is before it. */
function withoutLateEnd(query: EpisodeQuery, latestMs: number): EpisodeQuery {
  if (query.toMs === undefined || query.toMs <= latestMs) return query;
  const { toMs: _, ...open } = query;
  return open;
}

function later(a: Candidate, b: Candidate): number {
  return b.at - a.at || b.arrival - a.arrival;
}

/** The newest arrivals about the entities and in the period, the newest first; undefined where all are asked for. */
async function poolOf(database: Database, query: EpisodeQuery): Promise<number[] | undefined> {
  if (query.entities.length === 0 && !hasPeriod(query)) return undefined;
  const { text, parameters } = oneEndOf(query, 'newest', POOL);
  const [found] = await database.all(
    poolSchema,
    `SELECT json_group_array(arrival) AS arrivals FROM (${text})`,
    parameters,
  );
  return arrivalsIn(found?.arrivals ?? '[]');
}

/** Arrivals that hold any of the terms, those first in which they weigh most, then the newest of `pool`. */
async function walk(
  database: Database,
  query: EpisodeQuery,
  terms: readonly { readonly term: string; readonly holding: number }[],
  weights: ReadonlyMap<string, number>,
  pool: readonly number[] | undefined,
): Promise<readonly number[]> {
  const range = hasPeriod(query) ? await rangeOf(database, query) : undefined;
  let left = PLACES;
  const each = terms.flatMap(({ term, holding }, index): Walk[] => {
    const places = Math.floor(left / (terms.length - index));
    left -= Math.min(places, holding);
    const plain = { index, term, beside: [], within: undefined };
    if (holding <= places) return [{ ...plain, places }];
    // Of a common one those places count where a rarer one stands too; some others, so that not too few are found.
    const rarer = terms.slice(0, index).map((other) => other.term);
    const newest = { ...plain, within: range };
    if (rarer.length === 0) return [{ ...newest, places }];
    return [
      { ...newest, beside: rarer, places },
      { ...newest, places: SCORED },
    ];
  });
  const { text, parameters } = walks(each);
  const rows = await database.all(walkSchema, text, parameters);
  const first = heaviest(
    rows,
    terms.map(({ term }) => weights.get(term) ?? 0),
    query.byTime,
  );
  if (pool === undefined) return first.slice(0, LOOKED_AT);
  const inPool = new Set(pool);
  const oldest = pool.length < POOL ? 0 : Math.min(...pool);
  const possible = first.filter((arrival) => arrival < oldest || inPool.has(arrival));
  return [...new Set([...possible.slice(0, LOOKED_AT), ...pool.slice(0, SCORED)])];
}

/** Between which arrivals those of the period are, as far as its two ends tell. */
async function rangeOf(database: Database, query: EpisodeQuery): Promise<Walk['within']> {
  const ends = (['newest', 'oldest'] as const).map((end) =>
    oneEndOf({ ...query, entities: [] }, end, SCORED),
  );
  const [found] = await database.all(
    rangeSchema,
    `SELECT min(arrival) AS "from", max(arrival) AS "to" FROM (
       ${ends.map(({ text }) => `SELECT * FROM (${text})`).join(' UNION ALL ')})`,
    ends.flatMap(({ parameters }) => parameters),
  );
  return { from: found?.from ?? 0, to: found?.to ?? 0 };
}

function textsOf(database: Database, query: EpisodeQuery, arrivals: readonly number[]): Promise<Candidate[]> {
  const { text, parameters } = conditions(query);
  return database.all(
    candidateSchema,
    `SELECT e.arrival, e.at, t.terms, t.around
       FROM json_each(?) AS found CROSS JOIN episode AS e ON e.arrival = found.value
       CROSS JOIN episode_text AS t ON t.arrival = e.arrival
       WHERE ${text} LIMIT ?`,
    [JSON.stringify(arrivals), ...parameters, Math.max(SCORED, query.limit)],
  );
}

async function newest(database: Database, query: EpisodeQuery): Promise<readonly FoundEpisode[]> {
  const { text, parameters } = conditions(query);
  const pool = oneEndOf(query, 'newest', LOOKED_AT);
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
    'SELECT arrival, body, around FROM episode_text WHERE arrival IN (SELECT value FROM json_each(?))',
    [JSON.stringify(found.map(({ arrival }) => arrival))],
  );
  const bodies = new Map(rows.map((row) => [row.arrival, row]));
  return found.flatMap(({ arrival, score }) => {
    const row = bodies.get(arrival);
    // It may have been forgotten meanwhile.
    return row === undefined ? [] : [{ episode: episodeOf(row), around: row.around, score }];
  });
}
