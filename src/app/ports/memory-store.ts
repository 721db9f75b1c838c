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

/** All of it is written, in one transaction, or nothing. */
export interface MemoryWrite {
  readonly episodes?: readonly IndexedEpisode[];
  /** New facts, and known ones as they are now. */
  readonly facts?: readonly Fact[];
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
  readonly scopes: readonly string[];
  readonly limit: number;
  /** Newest first instead of best first. */
  readonly byTime: boolean;
}

export interface FoundEpisode {
  readonly episode: Episode;
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
  /** Everything ever known of a subject, superseded ones too, oldest first. */
  factsOf(subject: string, limit: number): Promise<readonly Fact[]>;
  /** Episodes in the order of their id's arrival, for sweeps; `after` is the last one of the batch before. */
  episodesAfter(after: string | undefined, limit: number): Promise<readonly Episode[]>;
  log(limit: number): Promise<readonly MemoryLogEntry[]>;
  figures(): Promise<MemoryFigures>;
}
