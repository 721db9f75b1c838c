import type { Fact } from './fact.ts';
import { covers } from './valid-interval.ts';

/** Known now: nothing has taken its place. */
export function isCurrent(fact: Fact): boolean {
  return fact.supersededAtMs === undefined;
}

/** Believed: known now, verified, and disputing nothing. Of one key, these never overlap. */
export function isStanding(fact: Fact): boolean {
  return isCurrent(fact) && fact.status === 'verified' && fact.disputes === undefined;
}

/**
 * What the box knew at `knownMs` of what held at `validMs`, in milliseconds since 1970; pending and disputing ones among it.
 * A row that was superseded in the millisecond that it was recorded in was never known: such rows only keep who said something.
 */
export function factsAt(
  facts: readonly Fact[],
  { validMs, knownMs }: { readonly validMs: number; readonly knownMs: number },
): readonly Fact[] {
  return knownAt(facts, knownMs).filter((fact) => covers(fact, validMs));
}

/** Everything that the box knew at a moment, whenever it holds. */
export function knownAt(facts: readonly Fact[], knownMs: number): readonly Fact[] {
  return facts.filter(
    ({ recordedAtMs, supersededAtMs }) =>
      recordedAtMs <= knownMs && (supersededAtMs === undefined || knownMs < supersededAtMs),
  );
}

/** What has come in the place of a fact, by its id; the fact itself while it is known. Undefined for one that is not among `facts`. */
export function successorOf(facts: readonly Fact[], id: string): Fact | undefined {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  let fact = byId.get(id);
  for (let steps = 0; steps < byId.size && fact?.supersededBy !== undefined; steps += 1)
    fact = byId.get(fact.supersededBy) ?? fact;
  return fact;
}
