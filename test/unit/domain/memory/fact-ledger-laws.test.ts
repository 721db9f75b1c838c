import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Claim, Fact } from '../../../../src/domain/memory/fact.ts';
import { factsAt, isCurrent, isStanding, knownAt } from '../../../../src/domain/memory/fact-history.ts';
import { settleFact } from '../../../../src/domain/memory/fact-ledger.ts';
import { isSameValue } from '../../../../src/domain/memory/fact-value.ts';
import {
  MEMORY_SOURCES,
  needsSecondSignature,
  trustOf,
} from '../../../../src/domain/memory/memory-source.ts';
import { covers, isEmpty, overlap } from '../../../../src/domain/memory/valid-interval.ts';
import { claimOf, KeyHistory } from '../../../support/claims.ts';

const RUNS = 1000;
const LAST_MS = 30;

/** A claim, the time that passes before it, and what is said meanwhile of one that is pending. */
interface Step {
  readonly claim: Claim;
  readonly afterMs: number;
  readonly settles: 'verified' | 'rejected' | undefined;
}

const claims: fc.Arbitrary<Claim> = fc
  .record({
    value: fc.constantFrom<Claim['value']>('hall 2', 'HALL two', 'hall 3', 'hall 4', true, false),
    source: fc.constantFrom(...MEMORY_SOURCES),
    origin: fc.record({
      kind: fc.constantFrom('turn' as const, 'import' as const),
      id: fc.integer({ min: 0, max: 40 }).map(String),
    }),
    validFromMs: fc.integer({ min: 0, max: LAST_MS }),
    lastsMs: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
    confidence: fc.constantFrom(0.3, 0.6, 0.9),
    negated: fc.boolean(),
    isPerson: fc.boolean(),
    userId: fc.constantFrom('zhang-wei', 'li-na'),
  })
  .map(({ lastsMs, isPerson, ...rest }) =>
    claimOf({
      ...rest,
      ...(lastsMs === undefined ? {} : { validToMs: rest.validFromMs + lastsMs }),
      ...(isPerson ? { class: 'person' as const } : {}),
      subject: 'person:zhang-wei',
    }),
  );

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    claim: claims,
    // Also none at all, and a clock that goes back.
    afterMs: fc.integer({ min: -2, max: 6 }),
    settles: fc.option(fc.constantFrom('verified' as const, 'rejected' as const), {
      nil: undefined,
      freq: 3,
    }),
  }),
  { minLength: 1, maxLength: 12 },
);

function play(
  all: readonly Step[],
  look: (history: KeyHistory, step: Step, before: readonly Fact[], nowMs: number) => void,
): KeyHistory {
  const history = new KeyHistory();
  let nowMs = 5;
  for (const step of all) {
    nowMs += step.afterMs;
    const pending = history.facts.find((fact) => isCurrent(fact) && fact.status === 'pending');
    if (step.settles !== undefined && pending !== undefined)
      history.take(
        settleFact(history.facts, pending.id, { says: step.settles, by: 'plc' }, nowMs, history.newId),
      );
    const before = history.facts;
    history.tell(step.claim, nowMs);
    look(history, step, before, nowMs);
  }
  return history;
}

function standingAt(facts: readonly Fact[], validMs: number): Fact | undefined {
  return facts.find((fact) => isStanding(fact) && covers(fact, validMs));
}

/** As far as the seconds of these histories go: nobody tells anything on another day. */
function isSigned({ source, class: memoryClass, userId }: Claim): boolean {
  if (needsSecondSignature(source)) return false;
  return memoryClass !== 'person' || (source === 'operator' && userId === 'zhang-wei');
}

function isSame(one: Fact | undefined, other: Fact | undefined): boolean {
  return one === undefined || other === undefined ? one === other : isSameValue(one, other);
}

test('among what is believed of one key no two intervals overlap, in whatever order it was told', () => {
  fc.assert(
    fc.property(steps, (all) => {
      play(all, ({ facts }) => {
        const standing = facts.filter(isStanding);
        for (const [index, fact] of standing.entries()) {
          if (isEmpty(fact) || standing.slice(index + 1).some((other) => overlap(fact, other)))
            expect.fail(`${fact.value} overlaps`);
        }
      });
    }),
    { numRuns: RUNS },
  );
});

test('a claim that comes again changes nothing, at once and after all that followed', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const history = play(all, (known, { claim }, _, nowMs) => {
        expect(known.tell(claim, nowMs + 1).changes).toEqual([]);
      });
      for (const { claim } of all) expect(history.tell(claim, 1000).changes).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test('lower trust never ends higher, and what one signature claims ends nothing at all', () => {
  fc.assert(
    fc.property(steps, (all) => {
      play(all, ({ facts }, { claim }, before) => {
        for (let validMs = 0; validMs <= LAST_MS + 15; validMs += 1) {
          const was = standingAt(before, validMs);
          if (was === undefined) continue;
          if (trustOf(was.source) <= trustOf(claim.source) && isSigned(claim)) continue;
          if (!isSame(standingAt(facts, validMs), was)) expect.fail(`${was.value} ended at ${validMs}`);
        }
      });
    }),
    { numRuns: RUNS },
  );
});

test('a claim about the past leaves what holds now', () => {
  fc.assert(
    fc.property(steps, (all) => {
      play(all, ({ facts }, { claim }, before, nowMs) => {
        if (claim.validToMs === undefined || claim.validToMs > nowMs) return;
        expect(isSame(standingAt(facts, nowMs), standingAt(before, nowMs))).toBe(true);
      });
    }),
    { numRuns: RUNS },
  );
});

test('nothing is deleted or edited but for what took its place, and every past state can be rebuilt', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const snapshots = new Map<number, readonly Fact[]>();
      const history = play(all, ({ facts }, _, before) => {
        for (const fact of before) {
          const after = facts.find(({ id }) => id === fact.id);
          const changed = isCurrent(fact) && after !== undefined && !isCurrent(after);
          if (after === fact) continue;
          expect(changed).toBe(true);
          expect({ ...after, supersededAtMs: undefined, supersededBy: undefined }).toEqual({
            ...fact,
            supersededAtMs: undefined,
            supersededBy: undefined,
          });
        }
        const lastMs = Math.max(
          0,
          ...facts.map(({ recordedAtMs, supersededAtMs }) => supersededAtMs ?? recordedAtMs),
        );
        snapshots.set(lastMs, facts.filter(isCurrent));
      });
      for (const [knownMs, snapshot] of snapshots) {
        const ids = (facts: readonly Fact[]): string[] => facts.map(({ id }) => id).toSorted();
        expect(ids(knownAt(history.facts, knownMs))).toEqual(ids(snapshot));
        for (const validMs of [0, 7, 15, LAST_MS])
          expect(ids(factsAt(history.facts, { validMs, knownMs }))).toEqual(
            ids(snapshot.filter((fact) => covers(fact, validMs))),
          );
      }
    }),
    { numRuns: RUNS },
  );
});
