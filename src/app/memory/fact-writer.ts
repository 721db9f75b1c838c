import type { Claim, Fact, FactKey } from '../../domain/memory/fact.ts';
import { applyClaim, settleFact } from '../../domain/memory/fact-ledger.ts';
import type { LedgerChange } from '../../domain/memory/ledger-draft.ts';
import type { MemorySource } from '../../domain/memory/memory-source.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { MemoryLogEntry, MemoryStore, MemoryWrite } from '../ports/memory-store.ts';
import type { FactCache } from './fact-cache.ts';

interface Parts {
  readonly store: Pick<MemoryStore, 'commit' | 'factsOf'>;
  readonly cache: Pick<FactCache, 'take' | 'drop' | 'ofKey'>;
  readonly clocks: Pick<Clocks, 'wall'>;
  readonly newId: () => string;
}

const MAX_WAITING = 200;
/** Rows of one subject that are looked through for what came before. */
const MAX_ROWS = 5_000;

/**
 * The one place that writes facts: one after another, so that each claim is judged by what the one before it left, and
 * what is known in memory never runs ahead of the disk.
 */
export class FactWriter {
  readonly #parts: Parts;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Rejects with EdgeError MEMORY_BUSY when too many wait, and with those of the store; nothing has changed then. */
  tell(claim: Claim, signature: { readonly byMaintainer?: boolean } = {}): Promise<LedgerChange> {
    return this.#inTurn(async () => {
      const known = await this.#knownOf(claim);
      return this.#write(applyClaim(known, claim, this.#nowMs(), this.#parts.newId, signature), claim.source);
    });
  }

  /** As `tell`; `unchanged` when the fact is not pending any more. */
  settle(
    fact: Fact,
    verdict: { readonly says: 'verified' | 'rejected'; readonly by: MemorySource },
  ): Promise<LedgerChange> {
    return this.#inTurn(async () => {
      const known = await this.#knownOf(fact);
      return this.#write(settleFact(known, fact.id, verdict, this.#nowMs(), this.#parts.newId), verdict.by);
    });
  }

  /** Takes facts out of memory for good. */
  forget(ids: readonly string[], log: readonly MemoryLogEntry[]): Promise<void> {
    return this.#inTurn(async () => {
      await this.#parts.store.commit({ forgotten: { episodes: [], facts: ids }, log });
      this.#parts.cache.drop(ids);
    });
  }

  /** The rows of a key, what is known now always among them. */
  async #knownOf(key: FactKey): Promise<readonly Fact[]> {
    const rows = await this.#parts.store.factsOf(key.subject, MAX_ROWS);
    const ofKey = [...rows, ...this.#parts.cache.ofKey(key)].filter(
      ({ scope, predicate }) => scope === key.scope && predicate === key.predicate,
    );
    return [...new Map(ofKey.map((fact) => [fact.id, fact])).values()];
  }

  async #write({ changes, what, log }: LedgerChange, source: string): Promise<LedgerChange> {
    const change = { changes, what, log };
    if (changes.length === 0) return change;
    const atMs = this.#nowMs();
    const write: MemoryWrite = {
      facts: changes,
      log: log.map(({ action, target }) => ({
        action,
        target,
        source,
        atMs,
        bytesBefore: 0,
        bytesAfter: bytesOf(changes.find(({ id }) => id === target)),
      })),
    };
    await this.#parts.store.commit(write);
    this.#parts.cache.take(changes);
    return change;
  }

  #nowMs(): number {
    return this.#parts.clocks.wall().getTime();
  }

  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING)
      throw new EdgeError('MEMORY_BUSY', `${MAX_WAITING} facts wait to be written`, { retry: 'safe' });
    this.#waiting += 1;
    const turn = this.#last.then(run);
    this.#last = turn.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }
}

/** What a memory takes, as it is written. */
export function bytesOf(memory: unknown): number {
  return memory === undefined ? 0 : Buffer.byteLength(JSON.stringify(memory));
}
