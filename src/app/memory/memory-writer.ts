import type { Capture } from '../../domain/memory/capture.ts';
import { decideCapture } from '../../domain/memory/capture-rules.ts';
import { claimsOf } from '../../domain/memory/claims.ts';
import type { Episode } from '../../domain/memory/episode.ts';
import { likenessOf } from '../../domain/memory/episode-likeness.ts';
import { episodeOf } from '../../domain/memory/episode-of.ts';
import type { Fact } from '../../domain/memory/fact.ts';
import type { LedgerOutcome } from '../../domain/memory/ledger-draft.ts';
import type { FindMentions } from '../../domain/memory/mention.ts';
import type { IndexTerms } from '../../domain/memory/recall/index-terms.ts';
import type { KeyedHash } from '../../domain/memory/redact.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { IndexedEpisode, MemoryLogEntry, MemoryStore } from '../ports/memory-store.ts';
import { bytesOf, type FactWriter } from './fact-writer.ts';

interface Parts {
  readonly store: Pick<MemoryStore, 'commit' | 'search' | 'episode'>;
  readonly facts: Pick<FactWriter, 'tell'>;
  readonly find: FindMentions;
  readonly terms: IndexTerms;
  readonly hash: KeyedHash;
  readonly clocks: Pick<Clocks, 'wall'>;
  /** IANA name of the zone the site lives by. */
  readonly timeZone: string;
  /** Nothing is dated by a clock that nobody has set: what happens then waits. */
  readonly isClockSet: () => boolean;
}

/** What became of a capture. */
export interface Written {
  readonly kind: 'written' | 'refreshed' | 'repeated' | 'not_worth_it';
  /** Undefined when it was not worth keeping. */
  readonly episode: Episode | undefined;
  /** What it states, and what became of that. */
  readonly facts: readonly {
    readonly what: LedgerOutcome;
    readonly fact: Fact | undefined;
    /** What it took the place of, where it says otherwise. */
    readonly replaced?: Fact | undefined;
  }[];
}

/** Older than this nothing is taken as news. */
const OLDEST_MS = 30 * 86_400_000;
/** A clock of a sender may be so far ahead. */
const AHEAD_MS = 300_000;
/** From here on two texts say the same. */
const SAME_FROM = 0.85;
/** What was said before is looked for so far back: within a shift it is a repeat, later it is news. */
const REPEAT_WITHIN_MS = 8 * 3_600_000;
const LOOKED_AT = 20;
const MOST_OF_A_PROJECT = 500;

/**
 * The one way into memory: prepare, validate, commit. The draft is in this process alone, and whatever goes wrong, nothing of it
 * stays behind.
 */
export class MemoryWriter {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Resolves when it is on disk. Rejects with EdgeError MEMORY_WRITE_REJECTED for what will never be taken, CLOCK_NOT_SET, and as
   * the store does.
   */
  async write(capture: Capture): Promise<Written> {
    const nowMs = this.#parts.clocks.wall().getTime();
    const draft = this.#prepare(capture, nowMs);
    if (draft === undefined) return { kind: 'not_worth_it', episode: undefined, facts: [] };
    this.#validate(capture, nowMs);
    const before = await this.#saidBefore(draft);
    const kind =
      before === undefined ? await this.#commit(draft, capture, nowMs) : await this.#refresh(before, nowMs);
    if (capture.closesProject === true && draft.project !== undefined)
      await this.#close(draft.project, draft.scope, nowMs);
    return { kind, episode: before ?? draft, facts: await this.#facts(before ?? draft, draft, capture) };
  }

  #prepare(capture: Capture, nowMs: number): Episode | undefined {
    const { find, hash, timeZone } = this.#parts;
    const decision = decideCapture(capture, find(capture.text, capture.language));
    if (!decision.isCaptured) return undefined;
    return episodeOf(capture, {
      id: capture.id,
      recordedAtMs: nowMs,
      timeZone,
      class: decision.class,
      hash,
      findMentions: find,
    }).episode;
  }

  #validate({ id, atMs }: Capture, nowMs: number): void {
    if (!this.#parts.isClockSet())
      throw new EdgeError('CLOCK_NOT_SET', 'the clock is not set yet: nothing can be dated', {
        hint: 'it waits until the time has been synchronised',
        retry: 'safe',
      });
    if (atMs > nowMs + AHEAD_MS || atMs < nowMs - OLDEST_MS)
      throw new EdgeError(
        'MEMORY_WRITE_REJECTED',
        `${id} is dated ${new Date(atMs).toISOString()}: memory takes what happened within 30 days up to now`,
        { hint: 'check the clock of its sender' },
      );
  }

  /** Somebody said the same a short while ago: it is one thing that happened. */
  async #saidBefore(draft: Episode): Promise<Episode | undefined> {
    if (draft.source !== 'operator') return undefined;
    const { store, terms } = this.#parts;
    const found = await store.search({
      terms: terms.terms(draft.text),
      entities: [],
      fromMs: draft.atMs - REPEAT_WITHIN_MS,
      toMs: draft.atMs + 1,
      scopes: [draft.scope],
      limit: LOOKED_AT,
      byTime: false,
    });
    return found
      .map(({ episode }) => episode)
      .find(
        (episode) =>
          episode.id !== draft.id &&
          episode.userId === draft.userId &&
          episode.kind === draft.kind &&
          likenessOf(episode, draft, terms) >= SAME_FROM,
      );
  }

  async #commit(draft: Episode, capture: Capture, nowMs: number): Promise<'written' | 'repeated'> {
    const { store } = this.#parts;
    const entry = (
      action: MemoryLogEntry['action'],
      bytesBefore: number,
      bytesAfter: number,
    ): MemoryLogEntry => ({
      action,
      target: draft.id,
      source: draft.source,
      atMs: nowMs,
      bytesBefore,
      bytesAfter,
    });
    const said = Buffer.byteLength(capture.text);
    const compressed = bytesOf({ summary: draft.summary, entities: draft.entities, deeds: draft.deeds });
    return await store.commit({
      episodes: [this.#indexed(draft)],
      log: [entry('capture', said, bytesOf(draft)), entry('compress', said, compressed)],
    });
  }

  async #refresh(before: Episode, nowMs: number): Promise<'refreshed'> {
    const bytes = bytesOf(before);
    await this.#parts.store.commit({
      amended: [{ id: before.id, confirmedAtMs: nowMs, candidateSinceMs: null }],
      log: [
        {
          action: 'refresh',
          target: before.id,
          source: before.source,
          atMs: nowMs,
          bytesBefore: bytes,
          bytesAfter: bytes,
        },
      ],
    });
    return 'refreshed';
  }

  /** From its closing on, what belongs to a work order has its end; one that is closed already keeps its own. */
  async #close(project: string, scope: string, nowMs: number): Promise<void> {
    const { store } = this.#parts;
    const found = await store.search({
      terms: [],
      entities: [`project:${project}`],
      scopes: [scope],
      limit: MOST_OF_A_PROJECT,
      byTime: true,
    });
    const open = found.filter(({ episode }) => episode.closedAtMs === undefined);
    if (open.length > 0)
      await store.commit({
        amended: open.map(({ episode }) => ({ id: episode.id, closedAtMs: nowMs })),
        log: open.map(({ episode: { id, source } }) => ({
          action: 'refresh',
          target: id,
          source,
          atMs: nowMs,
          bytesBefore: 0,
          bytesAfter: 0,
        })),
      });
  }

  #indexed(episode: Episode): IndexedEpisode {
    return { episode, terms: this.#parts.terms.terms(episode.text).join(' '), around: '' };
  }

  /** Told after the episode is kept: a crash between both is made good by the repeat, which changes nothing twice. */
  async #facts(kept: Episode, { text, language }: Episode, { isWish }: Capture): Promise<Written['facts']> {
    const { find, facts, timeZone } = this.#parts;
    const told: Written['facts'][number][] = [];
    for (const claim of claimsOf({ ...kept, text, language }, find(text, language), { timeZone, isWish })) {
      const { what, changes } = await facts.tell(claim);
      told.push({
        what,
        // What is left of an older one is among the changes too.
        fact: changes.findLast(
          ({ supersededAtMs, episodeId }) => supersededAtMs === undefined && episodeId === claim.episodeId,
        ),
        ...(what === 'superseded' || what === 'closed'
          ? { replaced: changes.find(({ supersededAtMs }) => supersededAtMs !== undefined) }
          : {}),
      });
    }
    return told;
  }
}
