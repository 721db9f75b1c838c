import type { Episode } from '../../domain/memory/episode.ts';
import type { Fact } from '../../domain/memory/fact.ts';
import type { MemoryClass } from '../../domain/memory/memory-class.ts';

/** An entry of the log of what memory does to itself. */
export interface MemoryLogEntry {
  readonly action:
    | 'capture'
    | 'compress'
    | 'refresh'
    | 'supersede'
    | 'dispute'
    | 'verify'
    | 'reject'
    | 'candidate'
    | 'archive'
    | 'forget'
    | 'erase';
  /** What it was done to, by id; never its content. */
  readonly target: string;
  readonly source: string;
  readonly atMs: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** An episode with the words it is found by, made by `domain/memory/recall/index-terms`. */
export interface IndexedEpisode {
  readonly episode: Episode;
  /** Separated by spaces; a search gives terms of the same making. */
  readonly terms: string;
  /** Terms of what stood around it, found with less weight. */
  readonly around: string;
}

/** What changes of an episode that stays what it is; what is left out stays as it was. */
export interface EpisodeChange {
  readonly id: string;
  readonly class?: MemoryClass;
  readonly confirmedAtMs?: number;
  readonly closedAtMs?: number;
  /** Since when it is a candidate for forgetting, in milliseconds since 1970; null where it is none any more. */
  readonly candidateSinceMs?: number | null;
}

/** All of it is written, in one transaction, or nothing. */
export interface MemoryWrite {
  readonly episodes?: readonly IndexedEpisode[];
  /** Those that are not there any more are passed over. */
  readonly amended?: readonly EpisodeChange[];
  /** New facts, and known ones as they are now. */
  readonly facts?: readonly Fact[];
  /** Leaves a tombstone where anything of it was there. */
  readonly forgotten?: { readonly episodes: readonly string[]; readonly facts: readonly string[] };
  readonly log: readonly MemoryLogEntry[];
}

/** What recall asks the store for; every given condition has to hold. */
export interface EpisodeQuery {
  /** Terms of `index-terms`, any of which is enough; without any, the newest come. */
  readonly terms: readonly string[];
  /** As `kind:id`, any of which is enough; empty for all. */
  readonly entities: readonly string[];
  readonly fromMs?: number;
  /** Not included. */
  readonly toMs?: number;
  /** Any of which is enough; without any, nothing is found. */
  readonly scopes: readonly string[];
  readonly limit: number;
  /** Newest first instead of best first. */
  readonly byTime: boolean;
}

export interface FoundEpisode {
  readonly episode: Episode;
  /** As it was written with it. */
  readonly around: string;
  /** Of the full text, greater is better; 0 where no term was asked for. */
  readonly score: number;
}

/** How much is remembered. */
export interface MemoryFigures {
  readonly episodes: number;
  readonly episodesByClass: Readonly<Partial<Record<MemoryClass, number>>>;
  readonly factsNow: number;
  readonly factsPast: number;
  readonly factsPending: number;
  readonly factsDisputed: number;
  readonly bytes: number;
  readonly oldestEpisodeMs: number | undefined;
}

/** What remains of what was removed: nothing of its content. */
export interface Tombstone {
  /** Opaque. */
  readonly id: string;
  readonly atMs: number;
  readonly reason: 'forget' | 'erase';
  readonly episodes: number;
  readonly facts: number;
}

/** Something that a copy elsewhere has to follow. `forget` has the id of what was forgotten, `erase` that of a tombstone. */
export interface MemoryChange {
  /** Grows by any amount. */
  readonly seq: number;
  readonly kind: 'episode' | 'fact' | 'forget' | 'erase';
  readonly id: string;
}

export interface MemoryChanges {
  /** Of the file: where it is another one than before, the reader begins again at 0. */
  readonly feed: string;
  /** Oldest first. */
  readonly changes: readonly MemoryChange[];
  /** Some after the place that was asked for are not kept any more: only a look at everything brings a copy up to date. */
  readonly isGap: boolean;
}

/** Whom to erase. */
export interface Erasure {
  /** As in `Episode.userId` and in the ids of entities. */
  readonly personIds: readonly string[];
  /** Names to look for in texts: whole words, in any case, in scripts with spaces; anywhere in others. */
  readonly forms: readonly string[];
  /** Stands in place of the person where something remains: in the log, and in facts that they only told. */
  readonly pseudonym: string;
}

export interface ErasureCounts {
  /** Of the tombstone. */
  readonly id: string;
  readonly episodes: number;
  /** Of all times. */
  readonly facts: number;
  /** Facts that do not name the person, of which it is no longer known that they told them. */
  readonly pseudonymised: number;
  readonly logEntries: number;
  /** Damaged files, set aside earlier, that were removed. */
  readonly files: number;
  /** False when the bytes could not be cleared from the disk yet, as on a full one: it is tried again, and shown in `health`. */
  readonly cleared: boolean;
}

/** Where episodes and facts are kept. Everything rejects with EdgeError MEMORY_DB_FAILED or STATE_DB_BUSY. */
export interface MemoryStore {
  /** `repeated` when every episode is there already under its id: nothing is changed then. */
  commit(write: MemoryWrite): Promise<'written' | 'repeated'>;
  episode(id: string): Promise<Episode | undefined>;
  search(query: EpisodeQuery): Promise<readonly FoundEpisode[]>;
  /** How many episodes hold a term, of how many; terms that none holds are left out. */
  frequencies(
    terms: readonly string[],
  ): Promise<{ readonly episodes: number; readonly holding: ReadonlyMap<string, number> }>;
  /** All facts that are known now (not superseded), pending and disputed ones too. */
  factsNow(): Promise<readonly Fact[]>;
  /** Everything that was ever told in an episode, superseded rows too. */
  factsFrom(episodeId: string): Promise<readonly Fact[]>;
  /** Everything ever known of a subject, superseded ones too, oldest first. */
  factsOf(subject: string, limit: number): Promise<readonly Fact[]>;
  /** Those known now that wait for a second signature, oldest first. */
  pendingFacts(limit: number): Promise<readonly Fact[]>;
  /** Episodes that have been candidates for forgetting since before `beforeMs`, longest first. */
  candidates(beforeMs: number, limit: number): Promise<readonly Episode[]>;
  /**
   * Episodes in the order of their id's arrival, for sweeps; `after` is the last one of the batch before, which may have been
   * forgotten meanwhile. After an id that was never given out and is not there, it begins at the oldest.
   */
  episodesAfter(after: string | undefined, limit: number): Promise<readonly Episode[]>;
  log(limit: number): Promise<readonly MemoryLogEntry[]>;
  figures(): Promise<MemoryFigures>;
  /** Newest first. */
  tombstones(limit: number): Promise<readonly Tombstone[]>;
  /** What changed after `seq`; 0 for all that is kept. */
  changesAfter(seq: number, limit: number): Promise<MemoryChanges>;
  /**
   * Removes episodes of the person and whatever names them; facts that they only told stay, under the pseudonym. After it
   * resolved with `cleared`, no byte of what was removed is in the files. Other writes wait meanwhile, seconds for a large file.
   */
  erase(person: Erasure): Promise<ErasureCounts>;
}
