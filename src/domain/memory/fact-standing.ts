import type { Claim, Fact } from './fact.ts';
import { isSameValue } from './fact-value.ts';
import {
  isPlannedBeyond,
  type LedgerChange,
  type LedgerDraft,
  type LedgerLog,
  outranks,
} from './ledger-draft.ts';
import { trustOf } from './memory-source.ts';
import {
  endOf,
  hull,
  intersection,
  intervalOf,
  overlap,
  type ValidInterval,
  without,
} from './valid-interval.ts';

/** Why a claim is put among what is believed: somebody told it, or what was pending was looked up. */
export type Signature = 'told' | 'verified';

/** Puts a claim that is believed among what is believed of its key: it takes what nothing stronger holds. */
export function assertClaim(draft: LedgerDraft, claim: Claim, signature: Signature = 'told'): LedgerChange {
  const said = draft.saidAtMs(claim);
  const standing = draft.standing(claim);
  const same = standing.filter((fact) => isSameValue(fact, claim));
  const kept = same.filter((fact) => trustOf(fact.source) > trustOf(claim.source));
  const merged = same.filter((fact) => !kept.includes(fact));
  const differing = standing.filter((fact) => !same.includes(fact));
  const planned = differing.filter((fact) => isPlannedBeyond(fact, claim, draft.nowMs));
  const stronger = differing.filter((fact) => !planned.includes(fact) && outranks(fact, claim, said));
  const weaker = differing.filter((fact) => !planned.includes(fact) && !stronger.includes(fact));
  const beside = sayingTheSame(draft, claim);
  const isTold = signature === 'told';

  const log: LedgerLog[] = [];
  const rows: Fact[] = [];
  for (const [index, piece] of without(claim, [...stronger, ...planned, ...kept]).entries()) {
    const over = merged.filter((fact) => overlap(fact, piece));
    const whole = hull(
      piece,
      over.map((fact) => endedBy(fact, claim, draft.nowMs)),
    );
    const again = index === 0 ? [...over, ...beside] : over;
    const row = draft.addClaim(claim, whole, { status: 'verified', again, isTold });
    for (const fact of again) draft.supersede(fact, row.id);
    rows.push(row);
  }
  const [first] = rows;
  for (const fact of kept) {
    const row = draft.addRefreshed(fact, claim);
    if (first === undefined) for (const other of beside) draft.supersede(other, row.id);
    log.push({ action: 'refresh', target: row.id });
  }
  if (kept.length > 0 && first === undefined) draft.keepSaying(claim, 'verified');
  for (const fact of weaker) {
    for (const left of without(fact, rows)) draft.addPart(fact, left);
    if (first !== undefined) draft.supersede(fact, first.id);
  }
  const against = stronger.filter((fact) => !isJustLater(fact, claim));
  for (const fact of against) {
    const part = intersection(fact, claim);
    if (part !== undefined) log.push(dispute(draft, claim, fact, part, first === undefined ? beside : []));
  }

  const isRefreshed = same.length > 0 || beside.length > 0;
  if (first !== undefined) {
    const action = weaker.length > 0 ? 'supersede' : isRefreshed ? 'refresh' : 'capture';
    log.unshift({ action: isTold ? action : 'verify', target: first.id });
  }
  if (weaker.length > 0) return draft.done('superseded', log);
  if (isRefreshed && (first !== undefined || kept.length > 0)) return draft.done('refreshed', log);
  return draft.done(first === undefined ? 'disputed' : 'new', log);
}

/** Ends what a claim says does not hold, or no longer; a plain denial of what nobody has said is a fact of its own. */
export function denyClaim(draft: LedgerDraft, claim: Claim, signature: Signature = 'told'): LedgerChange {
  const said = draft.saidAtMs(claim);
  const denied = draft.keepSaying(claim, 'verified');
  const matching = draft
    .standing(claim)
    .filter((fact) => isSameValue(fact, claim) && !isPlannedBeyond(fact, claim, draft.nowMs));
  if (matching.length === 0) return denyBeside(draft, claim, denied);

  const log: LedgerLog[] = [];
  let isClosed = false;
  for (const fact of matching) {
    if (outranks(fact, claim, said)) {
      log.push(dispute(draft, claim, fact, endBefore(fact, claim), []));
      continue;
    }
    isClosed = true;
    const [first = denied] = without(fact, [claim]).map((left) => draft.addPart(fact, left));
    draft.supersede(fact, first.id);
    log.push({ action: signature === 'told' ? 'supersede' : 'verify', target: fact.id });
  }
  return draft.done(isClosed ? 'closed' : 'disputed', log);
}

function denyBeside(draft: LedgerDraft, claim: Claim, denied: Fact): LedgerChange {
  const refuted = sayingTheSame(draft, claim).filter((fact) => trustOf(fact.source) <= trustOf(claim.source));
  if (refuted.length > 0) {
    const log = refuted.map((fact): LedgerLog => {
      const row = draft.add({ ...fact, status: 'rejected' });
      draft.supersede(fact, row.id);
      return { action: 'reject', target: row.id };
    });
    return draft.done('closed', log);
  }
  if (typeof claim.value === 'boolean')
    return assertClaim(draft, { ...claim, value: !claim.value, negated: false });
  return draft.done('unchanged', [{ action: 'capture', target: denied.id }]);
}

/** The stretch of a known fact up to where a denial of it begins. */
export function endBefore(fact: Fact, claim: Claim): ValidInterval {
  return intervalOf(fact.validFromMs, Math.max(fact.validFromMs, claim.validFromMs));
}

/** Pending and disputing rows that say what a claim says and reach no further. */
export function sayingTheSame(draft: LedgerDraft, claim: Claim): readonly Fact[] {
  return draft.current.filter(
    (fact) =>
      fact.status !== 'rejected' &&
      (fact.status === 'pending' || fact.disputes !== undefined) &&
      overlap(fact, claim) &&
      endOf(fact) <= endOf(claim) &&
      isSameValue(fact, claim) &&
      !draft.isClaimedEnd(fact),
  );
}

function dispute(
  draft: LedgerDraft,
  claim: Claim,
  against: Fact,
  interval: ValidInterval,
  beside: readonly Fact[],
): LedgerLog {
  const row = draft.addClaim(claim, interval, { status: 'verified', disputes: against.id, again: beside });
  for (const fact of beside) draft.supersede(fact, row.id);
  return { action: 'dispute', target: row.id };
}

/** Of equal trust and of a later begin: then the one simply came after the other. */
function isJustLater(fact: Fact, claim: Claim): boolean {
  return trustOf(fact.source) === trustOf(claim.source) && fact.validFromMs > claim.validFromMs;
}

/** Somebody who says until when it holds has said when it ends, unless they speak of the past. */
function endedBy(fact: Fact, claim: Claim, nowMs: number): ValidInterval {
  return fact.validToMs === undefined && claim.validToMs !== undefined && claim.validToMs > nowMs
    ? intervalOf(fact.validFromMs, claim.validToMs)
    : fact;
}
