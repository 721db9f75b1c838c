import { type Forgetting, forgettingOf } from '../../domain/memory/decay.ts';
import type { Fact } from '../../domain/memory/fact.ts';
import { isCurrent } from '../../domain/memory/fact-history.ts';
import type { MemoryArchive } from '../ports/memory-archive.ts';
import type { MemoryLogEntry, MemoryStore } from '../ports/memory-store.ts';
import type { FactWriter } from './fact-writer.ts';
import { archive, type Leaving, logOfCandidate, logOfLeaving } from './forgetting-batch.ts';

interface Parts {
  readonly store: Pick<MemoryStore, 'factsNow' | 'factsOf' | 'episode' | 'commit'>;
  readonly writer: Pick<FactWriter, 'forget'>;
  readonly archive: Pick<MemoryArchive, 'append'>;
  /** Somebody should be asked whether these still hold; all that are due, each time. */
  readonly recheck: (facts: readonly Fact[]) => void;
}

export interface FactsSwept {
  readonly candidates: number;
  readonly archived: number;
  readonly deleted: number;
  readonly rechecks: number;
}

const BATCH = 100;
const MAX_ROWS = 5_000;

/**
 * The sweep of facts. Which are candidates is kept in memory only: after a restart each has its hour again. With a fact goes
 * what its key held before, as far as that has had its time too.
 */
export class FactSweep {
  readonly #parts: Parts;
  readonly #since = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Rejects with the EdgeErrors of the store and the archive. */
  async run(nowMs: number): Promise<FactsSwept> {
    const facts = await this.#parts.store.factsNow();
    const known = new Set(facts.map(({ id }) => id));
    for (const id of [...this.#since.keys()]) if (!known.has(id)) this.#since.delete(id);
    const log: MemoryLogEntry[] = [];
    const leaving: Leaving[] = [];
    const due: Fact[] = [];
    for (const fact of facts) {
      const verdict = await this.#judge(fact, nowMs, this.#since.get(fact.id));
      if (verdict.kind === 'gone') leaving.push({ memory: fact, how: verdict.how });
      else if (verdict.kind === 'candidate' && !this.#since.has(fact.id)) {
        this.#since.set(fact.id, nowMs);
        log.push(logOfCandidate(fact, nowMs));
      } else if (verdict.kind !== 'candidate') this.#since.delete(fact.id);
      if (verdict.kind === 'recheck') due.push(fact);
    }
    if (log.length > 0) await this.#parts.store.commit({ log });
    this.#parts.recheck(due);
    const archived = await this.#takeOut(leaving, nowMs);
    return { candidates: log.length, archived, deleted: leaving.length - archived, rechecks: due.length };
  }

  async #takeOut(leaving: readonly Leaving[], nowMs: number): Promise<number> {
    for (let at = 0; at < leaving.length; at += BATCH) {
      const batch = leaving.slice(at, at + BATCH);
      const before: Leaving[] = [];
      for (const { memory, how } of batch)
        if ('predicate' in memory)
          for (const fact of await this.#before(memory, nowMs)) before.push({ memory: fact, how });
      const all = [...new Map([...batch, ...before].map((each) => [each.memory.id, each])).values()];
      await archive(all, this.#parts.archive);
      await this.#parts.writer.forget(
        all.map(({ memory }) => memory.id),
        logOfLeaving(all, nowMs),
      );
      for (const { memory } of all) this.#since.delete(memory.id);
    }
    return leaving.filter(({ how }) => how === 'archive').length;
  }

  async #before({ scope, subject, predicate }: Fact, nowMs: number): Promise<readonly Fact[]> {
    const rows = await this.#parts.store.factsOf(subject, MAX_ROWS);
    const ofKey = rows.filter((row) => !isCurrent(row) && row.scope === scope && row.predicate === predicate);
    const old: Fact[] = [];
    for (const row of ofKey) {
      // What has been superseded was a candidate ever since.
      const verdict = await this.#judge(row, nowMs, row.supersededAtMs);
      if (verdict.kind === 'gone') old.push(row);
    }
    return old;
  }

  async #judge(fact: Fact, nowMs: number, candidateSinceMs: number | undefined): Promise<Forgetting> {
    const closedAtMs = await this.#closedAtMs(fact);
    return forgettingOf(fact, { nowMs, clockSynced: true, candidateSinceMs, closedAtMs });
  }

  /** An episode that is gone itself had been closed long before. */
  async #closedAtMs({ class: memoryClass, episodeId, confirmedAtMs }: Fact): Promise<number | undefined> {
    if (memoryClass !== 'project' || episodeId === undefined) return undefined;
    const episode = await this.#parts.store.episode(episodeId);
    return episode === undefined ? confirmedAtMs : episode.closedAtMs;
  }
}
