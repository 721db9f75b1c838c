import type { Fact } from '../../domain/memory/fact.ts';
import type { CheckAnswer } from '../../domain/memory/verification.ts';

/** Asks the system that a fact is about, as `checkPlanOf` names it. */
export interface FactChecker {
  /** `unknown` where it cannot be reached, does not know, or knows nothing fresh; what it rejects with counts as that. */
  check(fact: Fact, signal: AbortSignal): Promise<CheckAnswer>;
}

/** Whoever says aloud that something was not kept. */
export interface RejectionTelling {
  rejected(fact: Fact): void;
}
