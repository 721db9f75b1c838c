import { CANDIDATE_FOR_MS } from '../../domain/memory/decay.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service } from '../../runtime/service.ts';
import type { MemoryArchive } from '../ports/memory-archive.ts';
import type { MemoryStore } from '../ports/memory-store.ts';
import type { FactSweep } from './fact-sweep.ts';
import { archive, judge, logOfCandidate, logOfLeaving, sortCandidates } from './forgetting-batch.ts';

interface Parts {
  readonly store: Pick<MemoryStore, 'commit' | 'candidates' | 'episodesAfter'>;
  readonly facts: Pick<FactSweep, 'run'>;
  readonly archive: Pick<MemoryArchive, 'append'>;
  readonly clocks: Pick<Clocks, 'wall' | 'monotonicMs'>;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** Nothing is forgotten by a clock that nobody has set. */
  readonly isClockSet: () => boolean;
}

const FIRST_AFTER_MS = 600_000;
const EVERY_MS = 3_600_000;
const BATCH = 100;
/** Between two batches, so that a sweep of everything keeps nobody waiting. */
const PAUSE_MS = 10;
const MAX_WAITING = 10_000;

/**
 * The hourly sweep. What has had its time becomes a candidate, and goes at a sweep at least an hour later unless it was told again;
 * what is kept for an audit is in the archive before it is taken out.
 */
export class Forgetter implements Service {
  readonly name = 'forgetter';
  readonly #parts: Parts;
  readonly #figures = { candidates: 0, archived: 0, deleted: 0, rechecks: 0 };
  #cancel: Cancel | undefined;
  #endPause: (() => void) | undefined;
  #sweep: Promise<void> | undefined;
  #isStopping = false;
  #lastSuccessMs: number;
  #sweptAtMs: number | undefined;
  #trouble: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#lastSuccessMs = parts.clocks.monotonicMs();
  }

  async start(): Promise<void> {
    this.#isStopping = false;
    this.#lastSuccessMs = this.#parts.clocks.monotonicMs();
    this.#later(FIRST_AFTER_MS);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancel?.();
    this.#endPause?.();
    await this.#sweep;
  }

  /** Milliseconds since a sweep went through, or since the start; an alert is due above 3,600,000 and the length of one. */
  get silentForMs(): number {
    return this.#parts.clocks.monotonicMs() - this.#lastSuccessMs;
  }

  /** Milliseconds since the last sweep that went through by a clock that is set; undefined before the first. */
  get lastSweepAgeMs(): number | undefined {
    return this.#sweptAtMs === undefined ? undefined : this.#parts.clocks.monotonicMs() - this.#sweptAtMs;
  }

  health(): Health {
    const figures = { ...this.#figures, silent_for_s: Math.round(this.silentForMs / 1000) };
    return this.#trouble === undefined
      ? { status: 'ok', detail: `${figures.archived + figures.deleted} memories forgotten`, figures }
      : { status: 'degraded', detail: `nothing can be forgotten: ${this.#trouble}`, figures };
  }

  #later(afterMs: number): void {
    this.#cancel = this.#parts.scheduler.after(afterMs, () => {
      this.#later(EVERY_MS);
      this.#sweep ??= this.#run().finally(() => {
        this.#sweep = undefined;
      });
    });
  }

  async #run(): Promise<void> {
    const { clocks, facts, isClockSet, logger } = this.#parts;
    try {
      if (isClockSet()) {
        const nowMs = clocks.wall().getTime();
        await this.#takeOut(nowMs);
        await this.#mark(nowMs);
        if (this.#isStopping) return;
        const { candidates, archived, deleted, rechecks } = await facts.run(nowMs);
        this.#figures.candidates += candidates;
        this.#figures.archived += archived;
        this.#figures.deleted += deleted;
        this.#figures.rechecks = rechecks;
        this.#sweptAtMs = clocks.monotonicMs();
      }
      this.#lastSuccessMs = clocks.monotonicMs();
      this.#trouble = undefined;
    } catch (error) {
      this.#trouble = messageOf(error);
      logger.error({ error: this.#trouble }, 'what has had its time cannot be forgotten');
    }
  }

  async #takeOut(nowMs: number): Promise<void> {
    const { store } = this.#parts;
    for (;;) {
      if (this.#isStopping) return;
      const due = await store.candidates(nowMs - CANDIDATE_FOR_MS + 1, BATCH);
      if (due.length === 0) return;
      const { leaving, staying } = sortCandidates(due, nowMs);
      await archive(leaving, this.#parts.archive);
      await store.commit({
        amended: staying,
        forgotten: { episodes: leaving.map(({ memory }) => memory.id), facts: [] },
        log: logOfLeaving(leaving, nowMs),
      });
      const archived = leaving.filter(({ how }) => how === 'archive').length;
      this.#figures.archived += archived;
      this.#figures.deleted += leaving.length - archived;
      await this.#pause();
    }
  }

  async #mark(nowMs: number): Promise<void> {
    const { store } = this.#parts;
    const waiting = await store.candidates(Number.MAX_SAFE_INTEGER, MAX_WAITING);
    const marked = new Set(waiting.map(({ id }) => id));
    let after: string | undefined;
    for (;;) {
      if (this.#isStopping) return;
      const batch = await store.episodesAfter(after, BATCH);
      const fresh = batch.filter(
        (episode) => !marked.has(episode.id) && judge(episode, nowMs).kind === 'candidate',
      );
      if (fresh.length > 0)
        await store.commit({
          amended: fresh.map(({ id }) => ({ id, candidateSinceMs: nowMs })),
          log: fresh.map((episode) => logOfCandidate(episode, nowMs)),
        });
      this.#figures.candidates += fresh.length;
      after = batch.at(-1)?.id;
      if (after === undefined || batch.length < BATCH) return;
      await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.scheduler.after(PAUSE_MS, resolve);
      this.#endPause = () => {
        cancel();
        resolve();
      };
    });
    this.#endPause = undefined;
  }
}
