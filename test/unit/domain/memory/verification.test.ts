import { expect, test } from 'vitest';
import { answerOf, checkPlanOf } from '../../../../src/domain/memory/verification.ts';
import { fact, MEMORY_START_MS } from '../../../support/memory-site.ts';

const NOW = MEMORY_START_MS + 1000;

test.each([
  [
    'machine:pump-7',
    'limit.temperature',
    { by: 'plc', machine: 'pump-7', kind: 'limit', quantity: 'temperature' },
  ],
  ['machine:pump-7', 'setpoint.speed', { by: 'plc', machine: 'pump-7', kind: 'setpoint', quantity: 'speed' }],
  ['machine:pump-7', 'value.pressure', { by: 'plc', machine: 'pump-7', kind: 'value', quantity: 'pressure' }],
  ['machine:pump-7', 'state', { by: 'plc', machine: 'pump-7', kind: 'state', quantity: 'state' }],
  ['work_order:12', 'priority', { by: 'work_orders', order: '12' }],
  ['machine:pump-7', 'location', { by: 'person' }],
  ['person:zhang-wei', 'state', { by: 'person' }],
  ['work_order:12', 'note.hot', { by: 'person' }],
  ['machine:pump-7', 'limit.', { by: 'person' }],
])('%s %s is checked where it is known', (subject, predicate, plan) => {
  expect(checkPlanOf(fact(0, { subject, predicate }), NOW)).toEqual(plan);
});

test('what held once, or will, no system can tell', () => {
  const limit = { predicate: 'limit.temperature', value: 80 };
  expect(checkPlanOf(fact(0, { ...limit, validToMs: NOW }), NOW)).toEqual({ by: 'person' });
  expect(checkPlanOf(fact(0, { ...limit, validFromMs: NOW + 1 }), NOW)).toEqual({ by: 'person' });
});

test('a number agrees within the tolerance of its point, in any unit of its quantity', () => {
  const system = { value: 80, unit: 'degC', tolerance: 0.5 };
  expect(answerOf({ value: 80.5, unit: 'degC' }, system)).toBe('agrees');
  expect(answerOf({ value: 80.6, unit: 'degC' }, system)).toBe('differs');
  expect(answerOf({ value: 176, unit: 'degF' }, system)).toBe('agrees');
  expect(answerOf({ value: 80 }, system)).toBe('agrees');
  expect(answerOf({ value: 80, unit: 'bar' }, system)).toBe('unknown');
  expect(answerOf({ value: 0.3 }, { value: 0.1 + 0.2, tolerance: 0 })).toBe('agrees');
});

test('words and switches have to be equal', () => {
  expect(answerOf({ value: 'Running' }, { value: 'running', tolerance: 0 })).toBe('agrees');
  expect(answerOf({ value: 'stopped' }, { value: 'running', tolerance: 0 })).toBe('differs');
  expect(answerOf({ value: true }, { value: false, tolerance: 0 })).toBe('differs');
});

test('a word that the system has no name for says nothing, one for another state differs', () => {
  const words = { present: ['running', '运行'], others: ['stopped', '停止'] };
  const system = { value: 3, words, tolerance: 0 };
  expect(answerOf({ value: '运行' }, system)).toBe('agrees');
  expect(answerOf({ value: 'Stopped' }, system)).toBe('differs');
  expect(answerOf({ value: 'in operation' }, system)).toBe('unknown');
  expect(answerOf({ value: 'high' }, { value: 80, tolerance: 0 })).toBe('unknown');
  expect(answerOf({ value: 'eighty' }, { value: 80, tolerance: 0 })).toBe('agrees');
});

test('what the system does not know says nothing', () => {
  expect(answerOf({ value: 80 }, undefined)).toBe('unknown');
  expect(answerOf({ value: 80 }, { value: Number.NaN, tolerance: 1 })).toBe('unknown');
  expect(answerOf({ value: 80 }, { value: true, tolerance: 1 })).toBe('unknown');
});
