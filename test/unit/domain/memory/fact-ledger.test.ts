import { expect, test } from 'vitest';
import type { Fact } from '../../../../src/domain/memory/fact.ts';
import { factsAt, isCurrent, isStanding, successorOf } from '../../../../src/domain/memory/fact-history.ts';
import { ANOTHER_DAY_MS, settleFact } from '../../../../src/domain/memory/fact-ledger.ts';
import { claimOf, KeyHistory } from '../../../support/claims.ts';

function standing(history: KeyHistory): string[] {
  return history.facts
    .filter(isStanding)
    .toSorted((a, b) => a.validFromMs - b.validFromMs)
    .map((fact) => `${fact.value} ${fact.validFromMs}-${fact.validToMs ?? ''}`);
}

function beside(history: KeyHistory): Fact[] {
  return history.facts.filter((fact) => isCurrent(fact) && !isStanding(fact));
}

test('a first claim is a new fact, told once, and holds from when it says', () => {
  const history = new KeyHistory();
  const { what, changes, log } = history.tell(claimOf({ validFromMs: 5 }), 10);
  expect(what).toBe('new');
  expect(changes).toEqual([
    expect.objectContaining({
      status: 'verified',
      told: 1,
      validFromMs: 5,
      recordedAtMs: 10,
      confirmedAtMs: 10,
    }),
  ]);
  expect(log).toEqual([{ action: 'capture', target: changes[0]?.id }]);
});

test('the same value refreshes: told again, confirmed now, surer than before', () => {
  const history = new KeyHistory();
  history.tell(claimOf(), 10);
  expect(history.tell(claimOf({ id: 'turn-2', value: 'Hall Two', validFromMs: 20 }), 20).what).toBe(
    'refreshed',
  );
  expect(history.facts.filter(isStanding)).toEqual([
    expect.objectContaining({ told: 2, confirmedAtMs: 20, validFromMs: 0, confidence: 0.9 + 0.1 * 0.45 }),
  ]);
});

test('a different value of equal trust closes the old interval at its own begin', () => {
  const history = new KeyHistory();
  history.tell(claimOf(), 10);
  const { what } = history.tell(claimOf({ id: 'turn-2', value: 'hall 3', validFromMs: 20 }), 20);
  expect(what).toBe('superseded');
  expect(standing(history)).toEqual(['hall 2 0-20', 'hall 3 20-']);
  expect(successorOf(history.facts, 'f1')).toMatchObject({ value: 'hall 3' });
});

test('whoever corrects a begin is believed over what was said before', () => {
  const history = new KeyHistory();
  history.tell(claimOf({ validFromMs: 10 }), 10);
  history.tell(claimOf({ id: 'turn-2', value: 'hall 3', validFromMs: 5 }), 20);
  expect(standing(history)).toEqual(['hall 3 5-']);
});

test('what is imported late is filed before what began after it', () => {
  const history = new KeyHistory();
  history.tell(claimOf({ validFromMs: 10 }), 10);
  const old = { kind: 'import', id: 'line 4' } as const;
  expect(history.tell(claimOf({ origin: old, value: 'hall 3', validFromMs: 5 }), 20).what).toBe('new');
  expect(standing(history)).toEqual(['hall 3 5-10', 'hall 2 10-']);
});

test('a plan for later stays when somebody says what holds now', () => {
  const history = new KeyHistory();
  history.tell(claimOf({ value: 'hall 9', validFromMs: 100 }), 10);
  history.tell(claimOf({ id: 'turn-2', value: 'hall 3', validFromMs: 20 }), 20);
  expect(standing(history)).toEqual(['hall 3 20-100', 'hall 9 100-']);
});

test('lower trust stands beside higher as a dispute, and ends nothing', () => {
  const history = new KeyHistory();
  history.tell(claimOf(), 10);
  const tool = claimOf({ id: 'call-1', source: 'tool', value: 'hall 3', validFromMs: 20, confidence: 1 });
  expect(history.tell(tool, 20).what).toBe('disputed');
  expect(standing(history)).toEqual(['hall 2 0-']);
  expect(beside(history)).toEqual([expect.objectContaining({ value: 'hall 3', disputes: 'f1' })]);
  expect(history.tell({ ...tool, origin: { kind: 'action', id: 'call-2' } }, 30).what).toBe('disputed');
  expect(beside(history)).toEqual([expect.objectContaining({ value: 'hall 3', told: 2 })]);
});

test('higher trust takes the place of lower', () => {
  const history = new KeyHistory();
  history.tell(claimOf({ source: 'tool', value: 'hall 3', validFromMs: 20 }), 20);
  expect(history.tell(claimOf({ id: 'turn-2', validFromMs: 10 }), 30).what).toBe('superseded');
  expect(standing(history)).toEqual(['hall 2 10-']);
  expect(beside(history)).toEqual([]);
});

test('of two claims in one moment the surer one is believed', () => {
  const history = new KeyHistory();
  history.tell(claimOf({ confidence: 0.9 }), 10);
  expect(history.tell(claimOf({ value: 'hall 3', confidence: 0.6 }), 10).what).toBe('disputed');
  expect(history.tell(claimOf({ value: 'hall 4', confidence: 0.95 }), 10).what).toBe('superseded');
  expect(standing(history)).toEqual(['hall 4 0-']);
});

test('disjoint periods of one key both stay, before, after and inside one another', () => {
  const history = new KeyHistory();
  history.tell(claimOf({ validFromMs: 100, validToMs: 200 }), 500);
  history.tell(claimOf({ id: '2', value: 'hall 3', validFromMs: 300, validToMs: 400 }), 501);
  history.tell(claimOf({ id: '3', value: 'hall 3', validFromMs: 10, validToMs: 20 }), 502);
  expect(
    history.tell(claimOf({ id: '4', value: 'hall 4', validFromMs: 120, validToMs: 150 }), 503).what,
  ).toBe('superseded');
  expect(standing(history)).toEqual([
    'hall 3 10-20',
    'hall 2 100-120',
    'hall 4 120-150',
    'hall 2 150-200',
    'hall 3 300-400',
  ]);
});

test('a claim about the past leaves what holds now', () => {
  const history = new KeyHistory();
  history.tell(claimOf(), 10);
  history.tell(claimOf({ id: '2', value: 'hall 3', validFromMs: 2, validToMs: 6 }), 20);
  expect(standing(history)).toEqual(['hall 2 0-2', 'hall 3 2-6', 'hall 2 6-']);
});

test('whoever says until when it holds has said when it ends', () => {
  const history = new KeyHistory();
  history.tell(claimOf(), 10);
  history.tell(claimOf({ id: '2', validFromMs: 20, validToMs: 90 }), 20);
  expect(standing(history)).toEqual(['hall 2 0-90']);
});

test('"no longer" closes the matching value and creates nothing', () => {
  const history = new KeyHistory();
  history.tell(claimOf(), 10);
  const gone = claimOf({ id: '2', validFromMs: 20, negated: true });
  expect(history.tell(gone, 20).what).toBe('closed');
  expect(standing(history)).toEqual(['hall 2 0-20']);
  expect(beside(history)).toEqual([]);
  expect(history.tell(gone, 30)).toEqual({ what: 'unchanged', changes: [], log: [] });
});

test('a denial of another value leaves what is known', () => {
  const history = new KeyHistory();
  history.tell(claimOf(), 10);
  expect(history.tell(claimOf({ id: '2', value: 'hall 3', negated: true }), 20).what).toBe('unchanged');
  expect(standing(history)).toEqual(['hall 2 0-']);
});

test('a plain denial of what nobody has said is a fact with value false', () => {
  const history = new KeyHistory();
  expect(history.tell(claimOf({ predicate: 'leaks', value: true, negated: true }), 10).what).toBe('new');
  expect(standing(history)).toEqual(['false 0-']);
});

test('a denial of lower trust disputes and does not close', () => {
  const history = new KeyHistory();
  history.tell(claimOf(), 10);
  const gone = claimOf({ id: '2', source: 'tool', validFromMs: 20, negated: true });
  expect(history.tell(gone, 20).what).toBe('disputed');
  expect(standing(history)).toEqual(['hall 2 0-']);
  expect(beside(history)).toEqual([
    expect.objectContaining({ validFromMs: 0, validToMs: 20, disputes: 'f1' }),
  ]);
});

test('what a model or a report claims is pending and closes nothing until it is verified', () => {
  const history = new KeyHistory();
  history.tell(claimOf(), 10);
  const report = claimOf({ id: '2', source: 'report', value: 'hall 3', validFromMs: 20 });
  expect(history.tell(report, 20).what).toBe('disputed');
  expect(standing(history)).toEqual(['hall 2 0-']);
  const [pending] = beside(history);
  expect(pending).toMatchObject({ status: 'pending', value: 'hall 3' });

  const verdict = { says: 'verified', by: 'plc' } as const;
  const settled = history.take(settleFact(history.facts, pending?.id ?? '', verdict, 30, history.newId));
  expect(settled.what).toBe('superseded');
  expect(settled.log.map(({ action }) => action)).toEqual(['verify']);
  expect(standing(history)).toEqual(['hall 2 0-20', 'hall 3 20-']);
  expect(beside(history)).toEqual([]);
  expect(history.tell(report, 40).what).toBe('unchanged');
});

test('a pending fact that its system denies is kept as rejected', () => {
  const history = new KeyHistory();
  const { changes } = history.tell(claimOf({ source: 'model' }), 10);
  const verdict = { says: 'rejected', by: 'plc' } as const;
  const id = changes[0]?.id ?? '';
  expect(history.take(settleFact(history.facts, id, verdict, 30, history.newId)).what).toBe('rejected');
  expect(standing(history)).toEqual([]);
  expect(beside(history)).toEqual([expect.objectContaining({ status: 'rejected', recordedAtMs: 30 })]);
  expect(settleFact(history.facts, id, verdict, 40, history.newId).what).toBe('unchanged');
});

test('a pending end of a known value ends it once it is verified', () => {
  const history = new KeyHistory();
  history.tell(claimOf(), 10);
  history.tell(claimOf({ id: '2', source: 'report', validFromMs: 20, negated: true }), 20);
  expect(standing(history)).toEqual(['hall 2 0-']);
  const [end] = beside(history);
  const verdict = { says: 'verified', by: 'operator' } as const;
  expect(history.take(settleFact(history.facts, end?.id ?? '', verdict, 30, history.newId)).what).toBe(
    'closed',
  );
  expect(standing(history)).toEqual(['hall 2 0-20']);
  expect(beside(history)).toEqual([]);
});

test('a model that repeats what is known makes it no surer', () => {
  const history = new KeyHistory();
  history.tell(claimOf(), 10);
  expect(history.tell(claimOf({ id: '2', source: 'model', confidence: 1 }), 20).what).toBe('unchanged');
  expect(history.facts.filter(isStanding)).toEqual([expect.objectContaining({ told: 1, confidence: 0.9 })]);
});

test('an operator who says what a report had claimed is its second signature', () => {
  const history = new KeyHistory();
  history.tell(claimOf({ source: 'report' }), 10);
  expect(history.tell(claimOf({ id: '2' }), 20).what).toBe('refreshed');
  expect(beside(history)).toEqual([]);
  expect(history.facts.filter(isStanding)).toEqual([
    expect.objectContaining({ source: 'operator', told: 2 }),
  ]);
});

test('what is said of a person waits for that person, a maintainer, or a second day', () => {
  const person = {
    subject: 'person:zhang-wei@maintenance',
    predicate: 'prefers',
    value: 'Chinese',
    class: 'person',
  } as const;
  const own = new KeyHistory();
  expect(own.tell(claimOf({ ...person, userId: 'zhang-wei@maintenance' }), 10).what).toBe('new');
  const kept = new KeyHistory();
  expect(kept.tell(claimOf(person), 10, true).what).toBe('new');

  const told = new KeyHistory();
  expect(told.tell(claimOf(person), 10).what).toBe('pending');
  expect(told.tell(claimOf({ ...person, id: '2' }), 20).what).toBe('pending');
  expect(standing(told)).toEqual([]);
  expect(told.tell(claimOf({ ...person, id: '3' }), 10 + ANOTHER_DAY_MS).what).toBe('refreshed');
  expect(standing(told)).toEqual(['Chinese 0-']);

  const torn = new KeyHistory();
  torn.tell(claimOf(person), 10);
  torn.tell(claimOf({ ...person, id: '2', value: 'English' }), 20);
  expect(torn.tell(claimOf({ ...person, id: '3' }), 10 + ANOTHER_DAY_MS).what).toBe('pending');
});

test('what the box knew, and of when, can be asked for any two moments', () => {
  const history = new KeyHistory();
  history.tell(claimOf(), 10);
  history.tell(claimOf({ id: '2', value: 'hall 3', validFromMs: 15 }), 20);
  const said = (validMs: number, knownMs: number): unknown[] =>
    factsAt(history.facts, { validMs, knownMs }).map(({ value }) => value);
  expect(said(17, 12)).toEqual(['hall 2']);
  expect(said(17, 20)).toEqual(['hall 3']);
  expect(said(14, 20)).toEqual(['hall 2']);
  expect(said(14, 9)).toEqual([]);
});
