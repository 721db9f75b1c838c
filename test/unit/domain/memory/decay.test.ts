import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CANDIDATE_FOR_MS, forgettingOf, scoreAt } from '../../../../src/domain/memory/decay.ts';
import type { Fact } from '../../../../src/domain/memory/fact.ts';
import { MEMORY_CLASSES } from '../../../../src/domain/memory/memory-class.ts';
import { fact, indexed, MEMORY_START_MS } from '../../../support/memory-site.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = MEMORY_START_MS;

function known(changes: Partial<Fact>): Fact {
  return fact(0, { recordedAtMs: START, confirmedAtMs: START, ...changes });
}

function after(
  memory: Fact | ReturnType<typeof indexed>['episode'],
  ageMs: number,
  closedAtMs?: number,
): unknown {
  const nowMs = START + ageMs;
  const moment = { nowMs, clockSynced: true, closedAtMs };
  const first = forgettingOf(memory, moment);
  if (first.kind !== 'candidate') return first.kind;
  const then = forgettingOf(memory, { ...moment, candidateSinceMs: nowMs - CANDIDATE_FOR_MS });
  return then.kind === 'gone' ? then.how : then.kind;
}

test.each([
  [1, 34.66, 0.5],
  [1, 60.2, 0.3],
  [0.92, 56.0, 0.3],
  [0.92, 48, 0.352],
  [1, 72, 0.237],
])('a confidence of %d fades within %d h to %d', (confidence, hours, score) => {
  expect(scoreAt(confidence, 'transient', START, START + hours * HOUR)).toBeCloseTo(score, 3);
});

test('the score only falls, and a clock that goes back raises it never above its start', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(...MEMORY_CLASSES),
      fc.integer({ min: -400 * DAY, max: 400 * DAY }),
      fc.integer({ min: 0, max: DAY }),
      (confidence, memoryClass, ageMs, laterMs) => {
        const score = scoreAt(confidence, memoryClass, START, START + ageMs);
        expect(score).toBeLessThanOrEqual(confidence);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(scoreAt(confidence, memoryClass, START, START + ageMs + laterMs)).toBeLessThanOrEqual(score);
      },
    ),
  );
});

test('facts of the day go at their end or below 0.3, whichever is first', () => {
  expect(after(known({ class: 'logistics', confidence: 0.92 }), 47.9 * HOUR)).toBe('keep');
  expect(after(known({ class: 'logistics', confidence: 0.92 }), 48 * HOUR)).toBe('delete');
  expect(after(known({ class: 'transient', confidence: 1 }), 60.1 * HOUR)).toBe('keep');
  expect(after(known({ class: 'transient', confidence: 1 }), 60.3 * HOUR)).toBe('delete');
  expect(after(known({ class: 'transient', confidence: 0.35 }), 8 * HOUR)).toBe('delete');
});

test('told again, it counts from then', () => {
  const told = known({ class: 'logistics', confirmedAtMs: START + 40 * HOUR });
  expect(after(told, 60 * HOUR)).toBe('keep');
});

test('what is a candidate goes an hour later and not before', () => {
  const old = known({ class: 'logistics' });
  const nowMs = START + 50 * HOUR;
  const since = (candidateSinceMs: number): unknown =>
    forgettingOf(old, { nowMs, clockSynced: true, candidateSinceMs });
  expect(since(nowMs - CANDIDATE_FOR_MS + 1)).toEqual({ kind: 'candidate' });
  expect(since(nowMs - CANDIDATE_FOR_MS)).toEqual({ kind: 'gone', how: 'delete' });
  expect(since(nowMs + DAY)).toEqual({ kind: 'candidate' });
  const again = { ...old, confirmedAtMs: nowMs };
  expect(forgettingOf(again, { nowMs, clockSynced: true, candidateSinceMs: START })).toEqual({
    kind: 'keep',
  });
});

test('safety facts and procedures are never forgotten and never asked about', () => {
  for (const memoryClass of ['safety', 'procedure'] as const) {
    expect(after(known({ class: memoryClass, confidence: 0.01 }), 40_000 * DAY)).toBe('keep');
    expect(after(indexed(0, { class: memoryClass }).episode, 40_000 * DAY)).toBe('keep');
  }
});

test('people and machines stay and are asked about every 90 days', () => {
  for (const memoryClass of ['person', 'machine'] as const) {
    expect(after(known({ class: memoryClass }), 90 * DAY - 1)).toBe('keep');
    expect(after(known({ class: memoryClass }), 90 * DAY)).toBe('recheck');
    expect(after(known({ class: memoryClass }), 4000 * DAY)).toBe('recheck');
  }
});

test('a project counts from the closing of its work order, and stays while that is open', () => {
  const { episode } = indexed(0, { class: 'project', project: '12' });
  expect(after(episode, 400 * DAY)).toBe('keep');
  expect(after(episode, 400 * DAY, START + 371 * DAY)).toBe('keep');
  expect(after(episode, 400 * DAY, START + 370 * DAY)).toBe('archive');
});

test('episodes go to the archive, talk of the day only where it was a key fact', () => {
  expect(after(indexed(0, { class: 'episode' }).episode, 30 * DAY)).toBe('archive');
  expect(after(indexed(0, { class: 'incident' }).episode, 399 * DAY)).toBe('keep');
  expect(after(indexed(0, { class: 'incident' }).episode, 400 * DAY)).toBe('archive');
  expect(after(indexed(0, { class: 'summary' }).episode, 7 * DAY)).toBe('delete');
  expect(after(indexed(0, { class: 'summary', isKey: true }).episode, 7 * DAY)).toBe('archive');
});

test('a rejected fact is kept for a week, whatever its class', () => {
  expect(after(known({ class: 'machine', status: 'rejected' }), 7 * DAY - 1)).toBe('keep');
  expect(after(known({ class: 'machine', status: 'rejected' }), 7 * DAY)).toBe('archive');
});

test('a clock that nobody has set, or that is before the recording, forgets nothing', () => {
  const old = known({ class: 'transient' });
  const candidateSinceMs = START;
  expect(forgettingOf(old, { nowMs: START + 400 * DAY, clockSynced: false, candidateSinceMs })).toEqual({
    kind: 'keep',
  });
  const backwards = { ...old, confirmedAtMs: START - 400 * DAY };
  expect(forgettingOf(backwards, { nowMs: START - 1, clockSynced: true, candidateSinceMs })).toEqual({
    kind: 'keep',
  });
});
