import type { JsonObject } from '../../domain/json.ts';
import type { Episode } from '../../domain/memory/episode.ts';
import type { Fact } from '../../domain/memory/fact.ts';
import { trustOf } from '../../domain/memory/memory-source.ts';
import type { PeopleDirectory } from '../../domain/people/directory.ts';
import { type Caller, ROLES } from '../../domain/tool/tool-call.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { MemoryDesk } from '../memory/memory-desk.ts';

/** What the capabilities of memory share. */
export interface MemoryParts {
  /** Undefined where nothing is remembered. */
  readonly memory: MemoryDesk | undefined;
  readonly people: Pick<PeopleDirectory, 'person'>;
  readonly clocks: Pick<Clocks, 'wall'>;
}

/** Throws EdgeError TOOL_UNAVAILABLE where nothing is remembered. */
export function deskOf({ memory }: Pick<MemoryParts, 'memory'>): MemoryDesk {
  if (memory !== undefined) return memory;
  throw new EdgeError('TOOL_UNAVAILABLE', 'memory is not set up', { hint: 'hermes-edge doctor says why' });
}

/** What is remembered, for a handler to quote: `{ id, text, when, age_s, source, trust, who }`. */
export function episodeJson(episode: Episode, caller: Caller, parts: MemoryParts): JsonObject {
  return toldJson(episode, episode.atMs, caller, parts);
}

/** As `episodeJson`, with `standing`: `believed`, `pending` or `disputed`. Its age is that of the last time that it was told. */
export function factJson(fact: Fact, caller: Caller, parts: MemoryParts): JsonObject {
  const { confirmedAtMs, disputes, status } = fact;
  return {
    ...toldJson(fact, confirmedAtMs, caller, parts),
    standing: disputes !== undefined ? 'disputed' : status === 'pending' ? 'pending' : 'believed',
  };
}

function toldJson(
  { id, text, source, userId }: Pick<Episode, 'id' | 'text' | 'source' | 'userId'>,
  atMs: number,
  caller: Caller,
  parts: MemoryParts,
): JsonObject {
  return {
    id,
    text,
    ...dated(atMs, parts),
    source,
    trust: trustOf(source),
    who: whoOf(userId, caller, parts),
  };
}

function dated(atMs: number, { clocks }: MemoryParts): JsonObject {
  const ageMs = clocks.wall().getTime() - atMs;
  return { when: new Date(atMs).toISOString(), age_s: Math.max(0, Math.round(ageMs / 1000)) };
}

/** Names of people are for those who may reach people; null for whoever stood at a station. */
function whoOf(userId: string, { role, person }: Caller, { people }: MemoryParts): JsonObject | null {
  const reach = person === undefined ? undefined : people.person(person.id)?.scope;
  const maySee =
    ROLES.indexOf(role) >= ROLES.indexOf('operator') && (reach === undefined || reach.includes('people'));
  const names = people.person(userId)?.names;
  return maySee && names !== undefined ? { en: names.en, zh: names.zh } : null;
}
