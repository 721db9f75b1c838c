import { expect, test } from 'vitest';
import { isSameValue, type ValueWithUnit } from '../../../../src/domain/memory/fact-value.ts';

function same(one: ValueWithUnit | string, other: ValueWithUnit | string): boolean {
  const a = typeof one === 'string' ? { value: one } : one;
  const b = typeof other === 'string' ? { value: other } : other;
  const found = isSameValue(a, b);
  expect(isSameValue(b, a)).toBe(found);
  return found;
}

test.each([
  ['Hall  Two', 'hall two'],
  ['ＨＡＬＬ ２', 'hall 2'],
  ['hall two', 'hall 2'],
  ['二号车间', '2号车间'],
  ['eighty', '八十'],
  ['80 °C', '80℃'],
  ['the pump runs hot after every long cleaning', 'The pump runs hot after every long cleaning.'],
  ['pump seven runs hot after every long cleaning', 'pump 7 really runs hot after every long cleaning'],
])('"%s" says the same as "%s"', (one, other) => {
  expect(same(one, other)).toBe(true);
});

test.each([
  ['hall 2', 'hall 3'],
  ['hall two north of the old big warehouse', 'hall three north of the old big warehouse'],
  ['E-203', 'E-204'],
  ['007', '7'],
  ['zhang-wei@maintenance', 'zhang-wei@quality'],
  ['the valve is on the left side of the old line', 'the valve is on the right side of the old line'],
  ['it runs hot after every long cleaning now', 'it never runs hot after every long cleaning now'],
  ['阀门在生产线的左边靠墙', '阀门在生产线的右边靠墙'],
  ['清洗之后一直都很热', '清洗之后一直都不很热'],
  ['the seal came from hall 2 and went to hall 3', 'the seal came from hall 3 and went to hall 2'],
])('"%s" says something else than "%s"', (one, other) => {
  expect(same(one, other)).toBe(false);
});

test('a quantity is the same in another unit and in words', () => {
  expect(same({ value: 1, unit: 'bar' }, { value: 100, unit: 'kPa' })).toBe(true);
  expect(same({ value: 80, unit: 'degC' }, { value: 176, unit: 'degF' })).toBe(true);
  expect(same({ value: 80, unit: 'degC' }, { value: 'eighty degrees' })).toBe(true);
  expect(same({ value: 80, unit: 'degC' }, { value: '八十度' })).toBe(true);
  expect(same({ value: 80, unit: 'degC' }, { value: '80.0' })).toBe(true);
  expect(same({ value: 80, unit: 'degC' }, { value: 80, unit: 'bar' })).toBe(false);
  expect(same({ value: 1, unit: 'bar' }, { value: 1, unit: 'kPa' })).toBe(false);
  expect(same({ value: true }, { value: 'true' })).toBe(false);
});
