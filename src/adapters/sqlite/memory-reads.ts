import { z } from 'zod';
import type {
  MemoryChanges,
  MemoryFigures,
  MemoryLogEntry,
  Tombstone,
} from '../../app/ports/memory-store.ts';
import type { Episode } from '../../domain/memory/episode.ts';
import type { Fact } from '../../domain/memory/fact.ts';
import { MEMORY_CLASSES } from '../../domain/memory/memory-class.ts';
import type { Database } from './database.ts';
import { bodySchema, changeSchema, episodeOf, factOf, logSchema, tombstoneSchema } from './memory-rows.ts';
import type { Parameter } from './statement-cache.ts';

const arrivalSchema = z.object({ arrival: z.int() });
const classSchema = z.object({ class: z.enum(MEMORY_CLASSES), n: z.int() });
const episodeFiguresSchema = z.object({ oldest: z.int().nullable() });
const factFiguresSchema = z.object({ now: z.int(), past: z.int(), pending: z.int(), disputed: z.int() });
const feedSchema = z.object({ feed: z.string(), dropped: z.int() });

export async function readEpisodes(
  database: Database,
  where: string,
  parameters: readonly Parameter[],
): Promise<Episode[]> {
  const sql = `SELECT body FROM episode CROSS JOIN episode_text USING (arrival) ${where}`;
  return (await database.all(bodySchema, sql, parameters)).map(episodeOf);
}

export async function readFacts(
  database: Database,
  where: string,
  parameters: readonly Parameter[] = [],
): Promise<Fact[]> {
  return (await database.all(bodySchema, `SELECT body FROM fact ${where}`, parameters)).map(factOf);
}

export async function arrivalOf(database: Database, id: string): Promise<number | undefined> {
  const [found] = await database.all(arrivalSchema, 'SELECT arrival FROM episode WHERE id = ?', [id]);
  return found?.arrival;
}

export function readLog(database: Database, limit: number): Promise<MemoryLogEntry[]> {
  return database.all(
    logSchema,
    `SELECT action, target, source, at AS atMs, bytes_before AS bytesBefore, bytes_after AS bytesAfter
       FROM memory_log ORDER BY seq DESC LIMIT ?`,
    [limit],
  );
}

export function readTombstones(database: Database, limit: number): Promise<Tombstone[]> {
  return database.all(
    tombstoneSchema,
    'SELECT id, at AS atMs, reason, episodes, facts FROM tombstone ORDER BY seq DESC LIMIT ?',
    [limit],
  );
}

export async function readChanges(database: Database, seq: number, limit: number): Promise<MemoryChanges> {
  const changes = await database.all(
    changeSchema,
    'SELECT seq, kind, id FROM change WHERE seq > ? ORDER BY seq LIMIT ?',
    [seq, limit],
  );
  // Read after the changes: what was dropped meanwhile counts as missing.
  const [state] = await database.all(
    feedSchema,
    `SELECT (SELECT value FROM meta WHERE key = 'feed') AS feed,
       coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'dropped_changes'), 0) AS dropped`,
  );
  return { feed: state?.feed ?? '', changes, isGap: seq < (state?.dropped ?? 0) };
}

export async function readFigures(database: Database, bytes: number): Promise<MemoryFigures> {
  const [classes, [episodes], [facts]] = await Promise.all([
    database.all(classSchema, 'SELECT class, count(*) AS n FROM episode GROUP BY class'),
    database.all(episodeFiguresSchema, 'SELECT min(at) AS oldest FROM episode'),
    database.all(
      factFiguresSchema,
      `SELECT count(*) FILTER (WHERE superseded_at IS NULL) AS now,
         count(*) FILTER (WHERE superseded_at IS NOT NULL) AS past,
         count(*) FILTER (WHERE superseded_at IS NULL AND status = 'pending') AS pending,
         count(*) FILTER (WHERE superseded_at IS NULL AND is_disputed) AS disputed FROM fact`,
    ),
  ]);
  return {
    episodes: classes.reduce((sum, { n }) => sum + n, 0),
    episodesByClass: Object.fromEntries(classes.map((row) => [row.class, row.n])),
    factsNow: facts?.now ?? 0,
    factsPast: facts?.past ?? 0,
    factsPending: facts?.pending ?? 0,
    factsDisputed: facts?.disputed ?? 0,
    bytes,
    oldestEpisodeMs: episodes?.oldest ?? undefined,
  };
}
