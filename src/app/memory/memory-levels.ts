import { CLASS_RULES, MEMORY_CLASSES, type MemoryClass } from '../../domain/memory/memory-class.ts';
import { WORKING_MAX_BYTES, WORKING_TTL_MS, type WorkingMemory } from '../../domain/memory/working-memory.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { CaptureInbox } from '../ports/capture-inbox.ts';
import type { MemoryArchive } from '../ports/memory-archive.ts';
import type { MemoryStore } from '../ports/memory-store.ts';
import type { ProcedureRepository } from '../ports/procedure-repository.ts';
import { isoOf } from './memory-report.ts';

interface Parts {
  readonly store: Pick<MemoryStore, 'figures' | 'tombstones'>;
  readonly working: Pick<WorkingMemory, 'figures'>;
  readonly inbox: Pick<CaptureInbox, 'count'>;
  readonly archive: Pick<MemoryArchive, 'days' | 'bytes'>;
  readonly procedures: Pick<ProcedureRepository, 'read' | 'pushState'>;
  /** Milliseconds since the last sweep that went through; undefined before the first. */
  readonly lastSweepAgeMs: () => number | undefined;
  /** What was not taken since the start. */
  readonly rejectedWrites: () => number;
  readonly clocks: Pick<Clocks, 'wall'>;
  readonly settings: {
    readonly archiveDays: number;
    readonly archiveMaxBytes: number;
  };
}

export interface ClassLevel {
  readonly class: MemoryClass;
  readonly episodes: number;
  readonly decay_per_h: number;
  /** After it was last confirmed; undefined for what has no end, as the next for what is not asked about again. */
  readonly expires_after_h: number | undefined;
  readonly recheck_after_h: number | undefined;
}

/** Every level of memory: what is in it, how much it takes, and how long that stays. */
export interface MemoryLevels {
  readonly working: {
    readonly sessions: number;
    readonly bytes: number;
    readonly max_bytes: number;
    readonly max_age_s: number;
  };
  readonly episodes: {
    readonly total: number;
    readonly oldest_at: string | undefined;
    readonly classes: readonly ClassLevel[];
  };
  readonly facts: {
    readonly now: number;
    readonly past: number;
    readonly pending: number;
    readonly disputed: number;
  };
  /** How episodes are found. */
  readonly semantic: { readonly kind: 'full_text'; readonly episodes: number };
  /** Of `memory.db`: episodes, facts, full text, log. */
  readonly bytes: number;
  readonly procedures: {
    readonly commit: string | undefined;
    readonly committed_at: string | undefined;
    readonly procedures: number;
    /** Undefined where no remote is configured. */
    readonly pushed: boolean | undefined;
    readonly ahead: number;
    readonly fault: string | undefined;
  };
  readonly archive: {
    readonly days: number;
    readonly oldest_day: string | undefined;
    readonly bytes: number;
    readonly max_bytes: number;
    readonly keep_days: number;
  };
  /** What happened and is not remembered yet. */
  readonly waiting: number;
  readonly rejected_writes: number;
  readonly last_sweep: { readonly at: string; readonly age_s: number } | undefined;
  /** What was removed on request, without anything of it; the newest first. */
  readonly tombstones: readonly {
    readonly at: string;
    readonly reason: string;
    readonly episodes: number;
    readonly facts: number;
  }[];
}

const SHOWN_TOMBSTONES = 5;

/** Looks at every level. */
export class LevelsOfMemory {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Rejects with the EdgeErrors of the stores. */
  async look(): Promise<MemoryLevels> {
    const { store, working, inbox, rejectedWrites } = this.#parts;
    const figures = await store.figures();
    const { episodesByClass, oldestEpisodeMs, factsNow, factsPast, factsPending, factsDisputed } = figures;
    return {
      working: {
        ...working.figures,
        max_bytes: WORKING_MAX_BYTES,
        max_age_s: WORKING_TTL_MS / 1000,
      },
      episodes: {
        total: figures.episodes,
        oldest_at: oldestEpisodeMs === undefined ? undefined : isoOf(oldestEpisodeMs),
        classes: MEMORY_CLASSES.map((name) => {
          const { decayPerHour, expiresAfterHours, recheckAfterHours } = CLASS_RULES[name];
          return {
            class: name,
            episodes: episodesByClass[name] ?? 0,
            decay_per_h: decayPerHour,
            expires_after_h: expiresAfterHours,
            recheck_after_h: recheckAfterHours,
          };
        }),
      },
      facts: { now: factsNow, past: factsPast, pending: factsPending, disputed: factsDisputed },
      semantic: { kind: 'full_text', episodes: figures.episodes },
      bytes: figures.bytes,
      procedures: await this.#procedures(),
      archive: await this.#archive(),
      waiting: await inbox.count(),
      rejected_writes: rejectedWrites(),
      last_sweep: this.#lastSweep(),
      tombstones: (await store.tombstones(SHOWN_TOMBSTONES)).map(({ atMs, reason, episodes, facts }) => ({
        at: isoOf(atMs),
        reason,
        episodes,
        facts,
      })),
    };
  }

  async #procedures(): Promise<MemoryLevels['procedures']> {
    const shelf = await this.#parts.procedures.read();
    const { pushed, ahead, fault } = this.#parts.procedures.pushState();
    return {
      commit: shelf?.version.commit,
      committed_at: shelf === undefined ? undefined : isoOf(shelf.version.atMs),
      procedures: shelf?.procedures.procedures.length ?? 0,
      pushed,
      ahead,
      fault: fault?.message,
    };
  }

  async #archive(): Promise<MemoryLevels['archive']> {
    const { archive, settings } = this.#parts;
    const days = await archive.days();
    return {
      days: days.length,
      oldest_day: days[0],
      bytes: await archive.bytes(),
      max_bytes: settings.archiveMaxBytes,
      keep_days: settings.archiveDays,
    };
  }

  #lastSweep(): MemoryLevels['last_sweep'] {
    const ageMs = this.#parts.lastSweepAgeMs();
    if (ageMs === undefined) return undefined;
    return {
      at: isoOf(this.#parts.clocks.wall().getTime() - ageMs),
      age_s: Math.round(ageMs / 1000),
    };
  }
}
