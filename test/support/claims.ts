import type { Claim, Fact } from '../../src/domain/memory/fact.ts';
import { applyClaim } from '../../src/domain/memory/fact-ledger.ts';
import type { LedgerChange } from '../../src/domain/memory/ledger-draft.ts';

/** A claim of an operator that pump 7 stands in hall 2, with what a test says otherwise. */
export function claimOf(with_: Partial<Claim> & { readonly id?: string } = {}): Claim {
  const { id = 'turn-1', ...rest } = with_;
  return {
    scope: 'site',
    subject: 'machine:pump-7',
    predicate: 'location',
    value: 'hall 2',
    text: 'pump 7 is in hall 2',
    language: 'en',
    validFromMs: 0,
    source: 'operator',
    origin: { kind: 'turn', id },
    userId: 'li-na@production',
    class: 'machine',
    confidence: 0.9,
    negated: false,
    ...rest,
  };
}

/** The facts of one key, as they grow. */
export class KeyHistory {
  #facts = new Map<string, Fact>();
  #ids = 0;

  get facts(): readonly Fact[] {
    return [...this.#facts.values()];
  }

  readonly newId = (): string => {
    this.#ids += 1;
    return `f${this.#ids}`;
  };

  take(change: LedgerChange): LedgerChange {
    for (const fact of change.changes) this.#facts.set(fact.id, fact);
    return change;
  }

  tell(claim: Claim, nowMs: number, byMaintainer = false): LedgerChange {
    return this.take(applyClaim(this.facts, claim, nowMs, this.newId, { byMaintainer }));
  }
}
