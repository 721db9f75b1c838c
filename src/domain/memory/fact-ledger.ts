import type { Claim, Fact } from './fact.ts';
import { assertClaim, denyClaim, endBefore, sayingTheSame } from './fact-standing.ts';
import { isSameValue } from './fact-value.ts';
import { type LedgerChange, LedgerDraft } from './ledger-draft.ts';
import { type MemorySource, needsSecondSignature } from './memory-source.ts';
import { hull, isEmpty, overlap, without } from './valid-interval.ts';

/** Told again so much later, it was told on another day, whatever the time zone and the shift. */
export const ANOTHER_DAY_MS = 16 * 3_600_000;

const PERSON_SUBJECT = /^person:(.+)$/su;

/**
 * Decides what becomes of a claim. `known` is all that was ever known of its key, superseded rows too: a claim that comes again
 * under its origin is recognised by them. Rows are never edited and never deleted; one that no longer is what is known gets
 * `supersededAtMs` and `supersededBy`, and what is known instead is a new row. Milliseconds since 1970.
 */
export function applyClaim(
  known: readonly Fact[],
  claim: Claim,
  nowMs: number,
  newId: () => string,
  { byMaintainer = false }: { readonly byMaintainer?: boolean } = {},
): LedgerChange {
  const draft = new LedgerDraft(known, nowMs, newId);
  if (isEmpty(claim) || isRepeat(known, claim)) return draft.done('unchanged', []);
  if (!isSigned(draft, claim, byMaintainer)) return propose(draft, claim);
  return claim.negated ? denyClaim(draft, claim) : assertClaim(draft, claim);
}

/**
 * What becomes of a pending fact once its system, or a person, was asked: verified it counts as said by them; rejected it stays
 * in the history. `unchanged` when it is not pending any more.
 */
export function settleFact(
  known: readonly Fact[],
  id: string,
  verdict: { readonly says: 'verified' | 'rejected'; readonly by: MemorySource },
  nowMs: number,
  newId: () => string,
): LedgerChange {
  const draft = new LedgerDraft(known, nowMs, newId);
  const fact = draft.current.find((each) => each.id === id);
  if (fact?.status !== 'pending') return draft.done('unchanged', []);
  if (verdict.says === 'rejected') {
    const row = draft.add({ ...fact, status: 'rejected', confirmedAtMs: draft.nowMs });
    draft.supersede(fact, row.id);
    return draft.done('rejected', [{ action: 'reject', target: row.id }]);
  }
  const claim = { ...fact, source: verdict.by, negated: false };
  if (!draft.isClaimedEnd(fact)) return assertClaim(draft, claim, 'verified');
  const { validToMs = fact.validFromMs, ...open } = claim;
  const change = denyClaim(draft, { ...open, validFromMs: validToMs, negated: true }, 'verified');
  draft.supersede(fact, change.changes[0]?.id ?? fact.id);
  return draft.done(change.what, change.log);
}

/** Records what one signature is not enough for: it stands beside what is believed and changes nothing of it. */
function propose(draft: LedgerDraft, claim: Claim): LedgerChange {
  const standing = draft.standing(claim);
  const same = standing.filter((fact) => isSameValue(fact, claim));
  if (claim.negated) {
    const [ended] = same;
    if (ended === undefined && typeof claim.value !== 'boolean') return saidOnly(draft, claim);
    draft.keepSaying(claim, 'pending');
    if (ended === undefined) return propose(draft, { ...claim, value: !claim.value, negated: false });
    const marks = { status: 'pending', disputes: ended.id, again: [] } as const;
    const row = draft.addClaim(claim, endBefore(ended, claim), marks);
    return draft.done('pending', [{ action: 'dispute', target: row.id }]);
  }
  if (same.length > 0) return saidOnly(draft, claim);
  const again = sayingTheSame(draft, claim).filter(({ status }) => status === 'pending');
  const [against] = standing;
  const row = draft.addClaim(claim, hull(claim, again), { status: 'pending', disputes: against?.id, again });
  for (const fact of again) draft.supersede(fact, row.id);
  if (against !== undefined) return draft.done('disputed', [{ action: 'dispute', target: row.id }]);
  return draft.done('pending', [{ action: again.length > 0 ? 'refresh' : 'capture', target: row.id }]);
}

/** A source that may only repeat what it was told makes nothing surer. */
function saidOnly(draft: LedgerDraft, claim: Claim): LedgerChange {
  return draft.done('unchanged', [{ action: 'capture', target: draft.keepSaying(claim, 'pending').id }]);
}

function isRepeat(known: readonly Fact[], claim: Claim): boolean {
  return known.some(
    (fact) =>
      fact.origin.kind === claim.origin.kind &&
      fact.origin.id === claim.origin.id &&
      isSameValue(fact, claim) &&
      overlap(fact, claim),
  );
}

/** What is said of a person needs that person, a maintainer, or to be told on two days with nothing against it between. */
function isSigned(draft: LedgerDraft, claim: Claim, byMaintainer: boolean): boolean {
  if (needsSecondSignature(claim.source)) return false;
  const [, person] = PERSON_SUBJECT.exec(claim.subject) ?? [];
  if (person === undefined) return true;
  if (claim.source === 'operator' && (byMaintainer || claim.userId === person)) return true;
  if (claim.negated) return false;
  // Nothing more than what is believed already.
  const same = draft.standing(claim).filter((fact) => isSameValue(fact, claim));
  if (same.length > 0 && claim.validToMs === undefined && without(claim, same).length === 0) return true;
  const said = draft.saidAtMs(claim);
  const relevant = draft.known.filter((fact) => overlap(fact, claim) && isCurrentOnce(fact));
  return relevant.some(
    (before) =>
      before.status === 'pending' &&
      !needsSecondSignature(before.source) &&
      isSameValue(before, claim) &&
      said - before.confirmedAtMs >= ANOTHER_DAY_MS &&
      !relevant.some(
        (fact) =>
          fact.recordedAtMs > before.recordedAtMs &&
          (fact.status === 'rejected' || !isSameValue(fact, claim)),
      ),
  );
}

/** Not one of those that only keep that something was said. */
function isCurrentOnce({ recordedAtMs, supersededAtMs }: Fact): boolean {
  return recordedAtMs !== supersededAtMs;
}
