import type { EpisodeQuery } from '../../app/ports/memory-store.ts';
import type { Parameter } from './statement-cache.ts';

/** A piece of a statement. */
export interface Sql {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/** Whether an episode `e` is in the scopes, the period and about any of the entities. */
export function conditions({ scopes, entities, fromMs, toMs }: EpisodeQuery): Sql {
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

export function hasPeriod({ fromMs, toMs }: EpisodeQuery): boolean {
  return fromMs !== undefined || toMs !== undefined;
}

/** The newest, or the oldest, `limit` arrivals about the entities, or all, in the period; their scopes are not looked at. */
export function oneEndOf(
  { entities, fromMs, toMs }: EpisodeQuery,
  end: 'newest' | 'oldest',
  limit: number,
): Sql {
  const period = [Math.ceil(fromMs ?? Number.MIN_SAFE_INTEGER), Math.ceil(toMs ?? Number.MAX_SAFE_INTEGER)];
  const order = end === 'newest' ? 'ORDER BY at DESC, arrival DESC' : 'ORDER BY at, arrival';
  if (entities.length === 0)
    return {
      text: `SELECT arrival, at FROM episode WHERE at >= ? AND at < ? ${order} LIMIT ?`,
      parameters: [...period, limit],
    };
  const each = entities.map(
    () =>
      `SELECT * FROM (SELECT arrival, at FROM entity WHERE key = ? AND at >= ? AND at < ? ${order} LIMIT ?)`,
  );
  return {
    text: `SELECT DISTINCT arrival, at FROM (${each.join(' UNION ALL ')}) ${order} LIMIT ?`,
    parameters: [...entities.flatMap((key) => [key, ...period, limit]), limit],
  };
}

/** Places of a term to be walked, so many of them, the newest first. */
export interface Walk {
  /** Its number. */
  readonly index: number;
  readonly term: string;
  /** Only where any of these stands as well; empty for all its places. */
  readonly beside: readonly string[];
  readonly places: number;
  /** Arrivals to keep to, both included. */
  readonly within: { readonly from: number; readonly to: number } | undefined;
}

/** One row a walk, in their order: the arrivals as a JSON array, which costs a fraction of a row for each. */
export function walks(each: readonly Walk[]): Sql {
  const parts = each.map(({ index, term, beside, places, within }): Sql => {
    const match =
      beside.length === 0 ? phrase(term) : `${phrase(term)} AND (${beside.map(phrase).join(' OR ')})`;
    const range = within === undefined ? '' : 'AND rowid >= ? AND rowid <= ?';
    return {
      text: `SELECT ${index} AS term, json_group_array(arrival) AS arrivals FROM (
        SELECT rowid AS arrival FROM episode_fts WHERE episode_fts MATCH ? ${range} ORDER BY rowid DESC LIMIT ?)`,
      parameters: [match, ...(within === undefined ? [] : [within.from, within.to]), places],
    };
  });
  return {
    text: parts.map(({ text }) => text).join(' UNION ALL '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

/** What FTS5 takes as one term, whatever stands in it. */
function phrase(term: string): string {
  return `"${term.replaceAll('"', '""').replaceAll('\0', '')}"`;
}
