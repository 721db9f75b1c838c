import type { Claim, Fact, FactStatus } from './fact.ts';
import { isCurrent, isStanding } from './fact-history.ts';
import { isSameValue } from './fact-value.ts';
import { CLASS_RULES, type MemoryClass } from './memory-class.ts';
import { trustOf } from './memory-source.ts';
import { endOf, overlap, type ValidInterval } from './valid-interval.ts';

export type LedgerOutcome =
  | 'new'
  | 'refreshed'
  | 'superseded'
  | 'disputed'
  | 'pending'
  | 'closed'
  | 'rejected'
  | 'unchanged';

/** For the log of memory: what was done to which row. */
export interface LedgerLog {
  readonly action: 'capture' | 'refresh' | 'supersede' | 'dispute' | 'verify' | 'reject';
  readonly target: string;
}

/** What became of a claim: the rows to write, new and changed, and what the log says of it, by id. */
export interface LedgerChange {
  readonly changes: readonly Fact[];
  readonly what: LedgerOutcome;
  readonly log: readonly LedgerLog[];
}

/** What a claim's row has besides what was said. */
export interface RowMarks {
  readonly status: FactStatus;
  readonly disputes?: string | undefined;
  /** Rows that say the same, whose place it takes. */
  readonly again: readonly Fact[];
  /** False where nobody said it again: it was looked up. */
  readonly isTold?: boolean;
}

/** Rows of one key that are about to change: new ones, and known ones whose place they take. */
export class LedgerDraft {
  readonly known: readonly Fact[];
  /** Known when the draft was begun. */
  readonly current: readonly Fact[];
  /** Never before the last row of the key: after a clock has gone back, what was known when stays in its order. */
  readonly nowMs: number;
  readonly #newId: () => string;
  readonly #changes = new Map<string, Fact>();

  constructor(known: readonly Fact[], nowMs: number, newId: () => string) {
    this.known = known;
    this.current = known.filter(isCurrent);
    this.nowMs = known.reduce((last, { recordedAtMs }) => Math.max(last, recordedAtMs), nowMs);
    this.#newId = newId;
  }

  /** When it was said: what is imported was said when it began. */
  saidAtMs({ origin, validFromMs }: Claim): number {
    return origin.kind === 'import' ? Math.min(validFromMs, this.nowMs) : this.nowMs;
  }

  standing(claim: Claim): readonly Fact[] {
    return this.current.filter((fact) => isStanding(fact) && overlap(fact, claim));
  }

  /** A row that says of a known value that it ended: pending, or against a source that is trusted more. */
  isClaimedEnd(fact: Fact): boolean {
    const against = this.known.find(({ id }) => id === fact.disputes);
    return against !== undefined && isSameValue(against, fact);
  }

  add(fact: Omit<Fact, 'id' | 'recordedAtMs'>): Fact {
    const row = { ...fact, id: this.#newId(), recordedAtMs: this.nowMs };
    this.#changes.set(row.id, row);
    return row;
  }

  /** A row of what was claimed, for an interval of it. */
  addClaim(
    claim: Claim,
    interval: ValidInterval,
    { status, disputes, again, isTold = true }: RowMarks,
  ): Fact {
    const said = this.saidAtMs(claim);
    return this.add({
      ...saidBy(claim),
      ...timesOf(interval),
      confirmedAtMs: Math.max(said, ...again.map(({ confirmedAtMs }) => confirmedAtMs)),
      told: again.reduce((sum, { told }) => sum + told, isTold || again.length === 0 ? 1 : 0),
      status,
      ...(disputes === undefined ? {} : { disputes }),
      class: again.reduce((longest, fact) => lasting(longest, fact.class), claim.class),
      confidence: again.reduce((sure, { confidence }) => surer(sure, confidence), claim.confidence),
    });
  }

  /** The same again: as sure as it was and more, and as the one that is trusted more said it. */
  addRefreshed(fact: Fact, claim: Claim): Fact {
    const row = this.add({
      ...fact,
      told: fact.told + 1,
      confirmedAtMs: Math.max(fact.confirmedAtMs, this.saidAtMs(claim)),
      confidence: surer(fact.confidence, claim.confidence),
    });
    this.supersede(fact, row.id);
    return row;
  }

  addPart(fact: Fact, interval: ValidInterval): Fact {
    const { validToMs: _, ...rest } = fact;
    return this.add({ ...rest, ...timesOf(interval) });
  }

  supersede(fact: Fact, by: string): void {
    if (!this.#changes.has(fact.id))
      this.#changes.set(fact.id, { ...fact, supersededAtMs: this.nowMs, supersededBy: by });
  }

  /** Keeps that it was said, and by whom, where no row says it: superseded in the moment that it was recorded in. */
  keepSaying(claim: Claim, status: FactStatus): Fact {
    const row = this.addClaim(claim, claim, { status, again: [] });
    const said = { ...row, supersededAtMs: this.nowMs };
    this.#changes.set(row.id, said);
    return said;
  }

  done(what: LedgerOutcome, log: readonly LedgerLog[]): LedgerChange {
    return { changes: [...this.#changes.values()], what, log };
  }
}

/** Whether a known fact wins over a claim that contradicts it: by trust, then by who said it last, then by confidence. */
export function outranks(fact: Fact, claim: Claim, saidAtMs: number): boolean {
  const trust = trustOf(fact.source) - trustOf(claim.source);
  if (trust !== 0) return trust > 0;
  if (fact.confirmedAtMs !== saidAtMs) return fact.confirmedAtMs > saidAtMs;
  return fact.confidence > claim.confidence;
}

/** What is planned for later stays when somebody says what holds from now on. */
export function isPlannedBeyond(fact: Fact, claim: Claim, nowMs: number): boolean {
  return claim.validToMs === undefined && fact.validFromMs > Math.max(nowMs, claim.validFromMs);
}

export function timesOf(interval: ValidInterval): Pick<Fact, 'validFromMs' | 'validToMs'> {
  const { validFromMs, validToMs } = interval;
  return Number.isFinite(endOf(interval)) && validToMs !== undefined
    ? { validFromMs, validToMs }
    : { validFromMs };
}

function saidBy(claim: Claim): Omit<Claim, 'negated' | 'validFromMs' | 'validToMs' | 'class' | 'confidence'> {
  const { scope, subject, predicate, value, unit, text, language, source, origin, userId, episodeId } = claim;
  return {
    ...{ scope, subject, predicate, value, text, language, source, origin, userId },
    ...(unit === undefined ? {} : { unit }),
    ...(episodeId === undefined ? {} : { episodeId }),
  };
}

/** Half of what was missing, as far as the other saying is sure itself. */
function surer(one: number, other: number): number {
  const [low, high] = one < other ? [one, other] : [other, one];
  return Math.min(1, high + ((1 - high) * low) / 2);
}

function lasting(one: MemoryClass, other: MemoryClass): MemoryClass {
  return rank(other) > rank(one) ? other : one;
}

function rank(of: MemoryClass): number {
  const { expiresAfterHours = Number.POSITIVE_INFINITY, recheckAfterHours } = CLASS_RULES[of];
  return Number.isFinite(expiresAfterHours) || recheckAfterHours === undefined
    ? expiresAfterHours
    : Number.MAX_SAFE_INTEGER;
}
