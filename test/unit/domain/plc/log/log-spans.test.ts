import fc from 'fast-check';
import { expect, it } from 'vitest';
import { recordSpans } from '../../../../../src/domain/plc/log/log-spans.ts';

it('asks for whole records, as many as fit in a request', () => {
  expect(recordSpans(10, 20, 8, 125)).toEqual([
    { offset: 80, count: 120 },
    { offset: 200, count: 40 },
  ]);
});

it('splits only a record that is larger than a request', () => {
  expect(recordSpans(1, 2, 150, 125)).toEqual([
    { offset: 150, count: 125 },
    { offset: 275, count: 25 },
    { offset: 300, count: 125 },
    { offset: 425, count: 25 },
  ]);
});

it('covers every register once, in order, within the limit', () => {
  fc.assert(
    fc.property(
      fc.nat(500),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 125 }),
      (slot, count, registers, most) => {
        let next = slot * registers;
        for (const span of recordSpans(slot, count, registers, most)) {
          expect(span.offset).toBe(next);
          expect(span.count).toBeLessThanOrEqual(most);
          if (registers <= most) expect(span.count % registers).toBe(0);
          next += span.count;
        }
        expect(next).toBe((slot + count) * registers);
      },
    ),
  );
});
