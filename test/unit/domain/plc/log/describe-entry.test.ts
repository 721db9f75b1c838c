import { expect, it } from 'vitest';
import { describeRecord } from '../../../../../src/domain/plc/log/describe-entry.ts';
import { ringPlant } from '../../../../support/pymodbus-ring.ts';

const log = ringPlant({ port: 1, kind: 'slot', capacity: 10 }).logs()[0];

it('says the text of a code in each language, with its values and units', () => {
  expect(describeRecord({ code: 1, values: { load: 2.5 } }, log, 'en')).toBe('door open (load 2.5 kW)');
  expect(describeRecord({ code: 1, values: {} }, log, 'zh')).toBe('门已打开');
});

it('gives a code that the plant file does not name as its number', () => {
  expect(describeRecord({ code: 99, values: {} }, log, 'en')).toBe('code 99');
  expect(describeRecord({ code: 99, values: { load: null } }, log, 'zh')).toBe('代码 99 (load ? kW)');
});

it('rounds a number to four digits, calls a value so in both languages, and leaves out one that is 0', () => {
  const hot = { code: 1, values: { value: 95.01436614990234 } };
  expect(describeRecord(hot, log, 'en')).toBe('door open (value 95.01)');
  expect(describeRecord(hot, log, 'zh')).toBe('门已打开 (数值 95.01)');
  expect(describeRecord({ code: 1, values: { value: 123456 } }, log, 'en')).toBe('door open (value 123456)');
  expect(describeRecord({ code: 1, values: { value: 0 } }, log, 'en')).toBe('door open');
  expect(describeRecord({ code: 1, values: { load: 0 } }, log, 'en')).toBe('door open (load 0 kW)');
});
