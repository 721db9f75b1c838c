import { z } from 'zod';
import type { IndexedEpisode, MemoryLogEntry, MemoryWrite } from '../../app/ports/memory-store.ts';
import { type Episode, episodeSchema } from '../../domain/memory/episode.ts';
import { type Fact, factSchema } from '../../domain/memory/fact.ts';
import type { Parameter } from './statement-cache.ts';

/** The columns of the view `incoming`; its trigger puts each JSON array into its table (`memory-migrations.ts`). */
export const INTO_MEMORY = `INSERT INTO incoming (episodes, amended, facts, forgotten_episodes, forgotten_facts, log, tombstone)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

/** `repeated` when the view refused episodes that are all there: nothing was written then (`memory-migrations.ts`). */
export async function insertOnce(written: Promise<void>): Promise<'written' | 'repeated'> {
  try {
    await written;
    return 'written';
  } catch (error) {
    if (error instanceof Error && error.message === 'SQLITE_CONSTRAINT: repeated') return 'repeated';
    throw error;
  }
}

/** What one write puts in, one parameter for each column of `incoming`. `tombstone` is what stands for what is forgotten. */
export function memoryRows(
  { episodes = [], amended = [], facts = [], forgotten, log }: MemoryWrite,
  tombstone: { readonly id: string; readonly at: number },
): Parameter[] {
  const once = [...new Map(episodes.map((indexed) => [indexed.episode.id, indexed])).values()];
  const amendments = amended.map(({ id, candidateSinceMs, ...change }) => ({
    id,
    class: change.class,
    confirmedAt: change.confirmedAtMs,
    candidateSince: candidateSinceMs,
    body: JSON.stringify(change),
  }));
  return [
    JSON.stringify(once.map(episodeRow)),
    JSON.stringify(amendments),
    JSON.stringify(facts.map(factRow)),
    JSON.stringify(forgotten?.episodes ?? []),
    JSON.stringify(forgotten?.facts ?? []),
    JSON.stringify(log.map(logRow)),
    JSON.stringify(tombstone),
  ];
}

function episodeRow({ episode, terms, around }: IndexedEpisode) {
  const { id, atMs: at, class: kept, kind, scope, userId, confirmedAtMs: confirmedAt } = episode;
  const body = JSON.stringify(episode);
  const entities = entityKeys(episode);
  return { id, at, class: kept, kind, scope, userId, confirmedAt, entities, body, terms, around };
}

/** As in `EpisodeQuery.entities`, whoever told it and its work order too. What the site does not know cannot be asked for. */
function entityKeys({ entities, userId, project }: Episode): readonly string[] {
  const named = entities.flatMap(({ kind, id }) => (id === undefined ? [] : [`${kind}:${id}`]));
  return [
    ...new Set([...named, `person:${userId}`, ...(project === undefined ? [] : [`project:${project}`])]),
  ];
}

function factRow(fact: Fact) {
  const { id, scope, subject, predicate, status, userId } = fact;
  return {
    id,
    scope,
    subject,
    predicate,
    status,
    userId,
    recordedAt: fact.recordedAtMs,
    supersededAt: fact.supersededAtMs ?? null,
    isDisputed: Number(fact.disputes !== undefined),
    body: JSON.stringify(fact),
  };
}

function logRow({ action, target, source, atMs, bytesBefore, bytesAfter }: MemoryLogEntry) {
  return { at: atMs, action, target, source, before: bytesBefore, after: bytesAfter };
}

export const bodySchema = z.object({ body: z.string() });
export const countSchema = z.object({ n: z.int() });

export const logSchema = z.object({
  action: z.enum([
    'capture',
    'compress',
    'refresh',
    'supersede',
    'dispute',
    'verify',
    'reject',
    'candidate',
    'archive',
    'forget',
    'erase',
  ]),
  target: z.string(),
  source: z.string(),
  atMs: z.int(),
  bytesBefore: z.int(),
  bytesAfter: z.int(),
});

export const tombstoneSchema = z.object({
  id: z.string(),
  atMs: z.int(),
  reason: z.enum(['forget', 'erase']),
  episodes: z.int(),
  facts: z.int(),
});

export const changeSchema = z.object({
  seq: z.int(),
  kind: z.enum(['episode', 'fact', 'forget', 'erase']),
  id: z.string(),
});

export function episodeOf({ body }: { readonly body: string }): Episode {
  return episodeSchema.parse(JSON.parse(body));
}

export function factOf({ body }: { readonly body: string }): Fact {
  return factSchema.parse(JSON.parse(body));
}
