import type { Language } from '../../domain/language/language.ts';
import type { Capture } from '../../domain/memory/capture.ts';
import type { Episode } from '../../domain/memory/episode.ts';
import type { Fact } from '../../domain/memory/fact.ts';
import type { FindMentions, Mention } from '../../domain/memory/mention.ts';
import { isQuestion, routeRecall } from '../../domain/memory/recall/need.ts';
import { type KeyedHash, redact } from '../../domain/memory/redact.ts';
import type { WorkingMemory } from '../../domain/memory/working-memory.ts';
import { type Caller, ROLES } from '../../domain/tool/tool-call.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { EdgeError, isEdgeError } from '../../runtime/edge-error.ts';
import type { Audit } from '../ports/audit.ts';
import type { CaptureInbox } from '../ports/capture-inbox.ts';
import type { MemoryFigures, MemoryLogEntry, MemoryStore } from '../ports/memory-store.ts';
import type { CaptureDating } from './capture-dating.ts';
import type { FactCache } from './fact-cache.ts';
import { bytesOf, type FactWriter } from './fact-writer.ts';
import type { MemoryWriter, Written } from './memory-writer.ts';
import type { Recaller, Recollection } from './recaller.ts';

interface Parts {
  readonly store: MemoryStore;
  readonly writer: MemoryWriter;
  readonly facts: FactWriter;
  readonly cache: Pick<FactCache, 'about'>;
  readonly recaller: Recaller;
  readonly working: WorkingMemory;
  readonly find: FindMentions;
  readonly audit: Pick<Audit, 'append'>;
  readonly hash: KeyedHash;
  readonly clocks: Clocks;
  readonly inbox: Pick<CaptureInbox, 'add'>;
  readonly dating: Pick<CaptureDating, 'stamped'>;
}

/** It is on disk, and is remembered with its right time once the clock is set: whoever asked is told so. */
export interface Waiting {
  readonly kind: 'waiting';
  readonly episode: undefined;
  readonly facts: readonly [];
}

/** What somebody asked to be remembered. */
export interface Wish {
  /** Equal for repeats of one wish. */
  readonly id: string;
  readonly text: string;
  readonly language: Language;
  readonly caller: Caller;
}

/** What is known of one thing: facts first, then what happened last. */
export interface KnownAbout {
  readonly mentions: readonly Mention[];
  readonly facts: readonly Fact[];
  readonly episodes: readonly Episode[];
}

/** Which of what happened is wanted. */
export interface Happening {
  /** Its id; any machine and none without it. */
  readonly machine?: string | undefined;
  /** In milliseconds since 1970. */
  readonly fromMs?: number | undefined;
  /** Not included. */
  readonly toMs?: number | undefined;
  readonly limit: number;
}

export interface Forgotten {
  readonly episodes: readonly Episode[];
  readonly facts: readonly Fact[];
}

/** Everybody at the site sees what is of the site; a person may be kept to some of it. */
const SCOPES = ['site'] as const;
const BUDGET_MS = 200;
const ANSWERS = 5;
const NEWEST = 5;
const MAX_PENDING = 200;
/** What "that" means in "forget that". */
const LAST = 'last_remembered';

/** Memory for whoever uses it: people at stations by tools, people at the command line, the engine. */
export class MemoryDesk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Rejects as `MemoryWriter.write`. What was not worth keeping comes back as such: whoever asked is told. */
  async remember({ id, text, language, caller }: Wish): Promise<Written | Waiting> {
    const { writer, working, clocks, inbox, dating, audit, hash } = this.#parts;
    const capture: Capture = {
      id,
      atMs: clocks.wall().getTime(),
      kind: 'note',
      source: sourceOf(caller),
      origin: { kind: 'action', id, sessionId: caller.sessionId },
      scope: SCOPES[0],
      userId: caller.person?.id ?? caller.station,
      language,
      text,
      about: [],
      isWish: true,
    };
    try {
      const written = await writer.write(capture);
      if (written.episode !== undefined)
        working.put(caller.sessionId, LAST, [written.episode.id], clocks.monotonicMs());
      return written;
    } catch (error) {
      if (isEdgeError(error, 'MEMORY_WRITE_REJECTED'))
        await audit.append('memory.write_rejected', { id, reason: error.message });
      if (!isEdgeError(error, 'CLOCK_NOT_SET')) throw error;
      await inbox.add(dating.stamped({ ...capture, text: redact(text, hash).text }));
      return { kind: 'waiting', episode: undefined, facts: [] };
    }
  }

  /** Rejects as the store does. What is recalled is what "that" means next. */
  async recall(
    text: string,
    language: Language,
    caller: Pick<Caller, 'sessionId'>,
    limit = ANSWERS,
  ): Promise<Recollection> {
    const { recaller, working, clocks } = this.#parts;
    const found = await recaller.recall({
      text,
      language,
      askedAtMs: clocks.wall().getTime(),
      scopes: SCOPES,
      budgetMs: BUDGET_MS,
      limit,
    });
    const ids = found.items.map(({ episode }) => episode.id);
    if (ids.length > 0) working.put(caller.sessionId, LAST, ids, clocks.monotonicMs());
    return found;
  }

  /** Whether a sentence asks for what is remembered. */
  asksForMemory(text: string): boolean {
    const route = routeRecall(text, { hasWords: true, hasPeriod: false });
    return isQuestion(text) && (route === 'text' || route === 'times');
  }

  /** What is known of the things that a text names. Rejects as the store does. */
  async about(text: string, language: Language): Promise<KnownAbout> {
    const mentions = this.#parts.find(text, language);
    const subjects = mentions.flatMap(({ kind, candidates }) => candidates.map((id) => `${kind}:${id}`));
    return { mentions, ...(await this.aboutThings(subjects)) };
  }

  /** What is known of things such as `machine:pump-7`. Rejects as the store does. */
  async aboutThings(subjects: readonly string[]): Promise<Omit<KnownAbout, 'mentions'>> {
    const { cache, store } = this.#parts;
    const episodes =
      subjects.length === 0
        ? []
        : await store.search({ terms: [], entities: subjects, scopes: SCOPES, limit: NEWEST, byTime: true });
    return {
      facts: cache
        .about(subjects)
        .filter(({ status }) => status !== 'rejected')
        .toSorted(bySafetyThenNews),
      episodes: episodes.map(({ episode }) => episode),
    };
  }

  /** What happened, the newest first. Rejects as the store does. */
  async happened({ machine, fromMs, toMs, limit }: Happening): Promise<readonly Episode[]> {
    const found = await this.#parts.store.search({
      terms: [],
      entities: machine === undefined ? [] : [`machine:${machine}`],
      ...(fromMs === undefined ? {} : { fromMs }),
      ...(toMs === undefined ? {} : { toMs }),
      scopes: SCOPES,
      limit,
      byTime: true,
    });
    return found.map(({ episode }) => episode);
  }

  /** From now on "that" means these episodes in this session. */
  told(sessionId: string, ids: readonly string[]): void {
    const { working, clocks } = this.#parts;
    working.put(sessionId, LAST, [...ids], clocks.monotonicMs());
  }

  /** What "that" can mean in this session: none when nothing was remembered or recalled for 2 hours, several after an answer of several. */
  async lastOf(sessionId: string): Promise<readonly Episode[]> {
    const { working, clocks, store } = this.#parts;
    const ids = working.get(sessionId, LAST, clocks.monotonicMs());
    const found: Episode[] = [];
    for (const id of Array.isArray(ids) ? ids : []) {
      const episode = typeof id === 'string' ? await store.episode(id) : undefined;
      if (episode !== undefined) found.push(episode);
    }
    return found;
  }

  /**
   * Takes an episode out, with the facts that were told in it. Rejects with EdgeError MEMORY_UNKNOWN, DENIED for what somebody else
   * told unless a maintainer asks, and as the store does.
   */
  async forget(id: string, caller: Pick<Caller, 'role' | 'person' | 'station'>): Promise<Forgotten> {
    const { store, facts, audit, clocks } = this.#parts;
    const episode = await store.episode(id);
    if (episode === undefined)
      throw new EdgeError('MEMORY_UNKNOWN', `there is no memory ${id}`, {
        hint: 'hermes-edge memory search WORDS lists them',
      });
    const isOwn = episode.userId === (caller.person?.id ?? caller.station);
    if (!isOwn && ROLES.indexOf(caller.role) < ROLES.indexOf('maintainer'))
      throw new EdgeError('DENIED', 'somebody else told that: a maintainer can have it forgotten');
    const told = await store.factsFrom(id);
    await audit.append('memory.forgotten', {
      episode: id,
      facts: told.map((fact) => fact.id),
      by: callerName(caller),
    });
    const entry = (target: string, what: unknown): MemoryLogEntry => ({
      action: 'forget',
      target,
      source: 'operator',
      atMs: clocks.wall().getTime(),
      bytesBefore: bytesOf(what),
      bytesAfter: 0,
    });
    if (told.length > 0)
      await facts.forget(
        told.map((fact) => fact.id),
        told.map((fact) => entry(fact.id, fact)),
      );
    await store.commit({ forgotten: { episodes: [id], facts: [] }, log: [entry(id, episode)] });
    return { episodes: [episode], facts: told };
  }

  /** Facts that have one signature only, the oldest first, and those that another source disputes. */
  async pending(): Promise<readonly Fact[]> {
    return await this.#parts.store.pendingFacts(MAX_PENDING);
  }

  /** A person's signature, or refusal. Rejects with EdgeError MEMORY_UNKNOWN, DENIED below maintainer, and as the store does. */
  async settle(
    id: string,
    says: 'verified' | 'rejected',
    caller: Pick<Caller, 'role' | 'person' | 'station'>,
  ): Promise<Fact> {
    const { facts, audit } = this.#parts;
    if (ROLES.indexOf(caller.role) < ROLES.indexOf('maintainer'))
      throw new EdgeError('DENIED', 'a maintainer decides what is believed', {
        hint: 'read your badge first',
      });
    const pending = await this.pending();
    const fact = pending.find((each) => each.id === id);
    if (fact === undefined)
      throw new EdgeError('MEMORY_UNKNOWN', `no fact ${id} waits to be reviewed`, {
        hint: 'hermes-edge memory pending lists them',
      });
    await audit.append('memory.reviewed', { fact: id, says, by: callerName(caller) });
    await facts.settle(fact, { says, by: 'operator' });
    return fact;
  }

  figures(): Promise<MemoryFigures> {
    return this.#parts.store.figures();
  }
}

/** A person at the box counts as one; what a machine or a model says for itself does not. */
function sourceOf({ origin }: Caller): 'operator' | 'mqtt' | 'model' {
  if (origin === 'voice' || origin === 'ask' || origin === 'panel') return 'operator';
  return origin === 'model' ? 'model' : 'mqtt';
}

function callerName({ person, station }: Pick<Caller, 'person' | 'station'>): string {
  return person?.id ?? station;
}

/** What keeps people safe is told first, then what was told last. */
function bySafetyThenNews(one: Fact, other: Fact): number {
  const isSafety = (fact: Fact): number => Number(fact.class === 'safety');
  return isSafety(other) - isSafety(one) || other.confirmedAtMs - one.confirmedAtMs;
}
