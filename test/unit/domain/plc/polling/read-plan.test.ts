import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planReads } from '../../../../../src/domain/plc/polling/read-plan.ts';
import { fewestReads } from '../../../../support/fewest-reads.ts';
import { registerPlant, type WantedPoint } from '../../../../support/register-plant.ts';

function deviceWith(wanted: readonly WantedPoint[], settings?: string) {
  const plant = registerPlant(wanted, settings);
  const device = plant.device('plc');
  if (device === undefined) throw new Error('no device');
  return { device, points: plant.points() };
}

function plansOf(wanted: readonly WantedPoint[], settings?: string): string[] {
  const { device, points } = deviceWith(wanted, settings);
  return planReads(device, points).map(
    ({ span, points: held }) => `${span.table} ${span.address}+${span.count}: ${held.length}`,
  );
}

describe('the requests for some points of a device', () => {
  it('take points that touch together, in any order of asking', () => {
    expect(plansOf([{ address: 12 }, { address: 10, type: 'float32' }, { address: 13 }])).toEqual([
      'holding 10+4: 3',
    ]);
  });

  it('never read over a gap', () => {
    expect(plansOf([{ address: 0 }, { address: 2 }])).toEqual(['holding 0+1: 1', 'holding 2+1: 1']);
  });

  it('keep the tables of a device apart', () => {
    expect(
      plansOf([
        { address: 0 },
        { address: 1, register: 'input' },
        { address: 1, register: 'coil', type: 'bool' },
        { address: 0, register: 'coil', type: 'bool' },
      ]),
    ).toEqual(['coil 0+2: 2', 'holding 0+1: 1', 'input 1+1: 1']);
  });

  it('read a register once for all its bits', () => {
    expect(
      plansOf([{ address: 3, type: 'bool', bit: 0 }, { address: 3, type: 'bool', bit: 9 }, { address: 4 }]),
    ).toEqual(['holding 3+2: 3']);
  });

  it('stay within the limit of the device and split no value', () => {
    expect(
      plansOf(
        [
          { address: 0, type: 'float32' },
          { address: 2, type: 'float32' },
        ],
        'max_registers_per_request: 3',
      ),
    ).toEqual(['holding 0+2: 1', 'holding 2+2: 1']);
  });

  it('read over a gap only as far as max_gap allows', () => {
    const points = [{ address: 0 }, { address: 3 }, { address: 7 }];
    expect(plansOf(points, 'max_gap: 2')).toEqual(['holding 0+4: 2', 'holding 7+1: 1']);
    expect(plansOf(points, 'max_gap: 3')).toEqual(['holding 0+8: 3']);
  });

  it('never touch what is forbidden, however small the gap', () => {
    const forbidden = 'max_gap: 9, forbidden_ranges: [{ register: holding, first: 2, last: 2 }]';
    expect(plansOf([{ address: 0 }, { address: 1 }, { address: 3 }, { address: 4 }], forbidden)).toEqual([
      'holding 0+2: 2',
      'holding 3+2: 2',
    ]);
    expect(
      plansOf(
        [
          { address: 0, register: 'input' },
          { address: 4, register: 'input' },
        ],
        forbidden,
      ),
    ).toEqual(['input 0+5: 2']);
  });

  it('are one for each point where the device wants it so, and one for all bits of a register', () => {
    const points = [
      { address: 0 },
      { address: 1, type: 'float32' },
      { address: 3, type: 'bool', bit: 0 },
      { address: 3, type: 'bool', bit: 1 },
    ];
    expect(plansOf(points, 'one_request_per_point: true')).toEqual([
      'holding 0+1: 1',
      'holding 1+2: 1',
      'holding 3+1: 2',
    ]);
  });

  it('have a limit of their own for bits', () => {
    const coils = Array.from({ length: 20 }, (_, address) => ({ register: 'coil', type: 'bool', address }));
    expect(plansOf(coils, 'max_registers_per_request: 4')).toEqual(['coil 0+20: 20']);
    expect(plansOf(coils, 'max_bits_per_request: 16')).toEqual(['coil 0+16: 16', 'coil 16+4: 4']);
  });

  it('are as few as any way to cut them could make them, whatever the map and the limits', () => {
    const wanted = fc.array(
      fc.record({
        gap: fc.integer({ min: 0, max: 9 }),
        type: fc.constantFrom('uint16', 'float32', 'float64'),
        register: fc.constantFrom('holding', 'input'),
      }),
      { minLength: 1, maxLength: 40 },
    );
    const limits = fc.record({
      most: fc.integer({ min: 4, max: 30 }),
      gap: fc.integer({ min: 0, max: 8 }),
      barred: fc.array(fc.integer({ min: 0, max: 150 }), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(wanted, limits, (shape, { most, gap, barred }) => {
        let next = 0;
        const points = shape.map(({ gap: before, type, register }) => {
          const address = next + before;
          next = address + { uint16: 1, float32: 2, float64: 4 }[type];
          return { address, type, register, end: next };
        });
        const free = barred.filter((cell) =>
          points.every(
            ({ address, end, register }) => register !== 'holding' || cell < address || cell >= end,
          ),
        );
        const ranges = free.map((cell) => `{ register: holding, first: ${cell}, last: ${cell} }`).join(', ');
        const { device, points: all } = deviceWith(
          points,
          `max_registers_per_request: ${most}, max_gap: ${gap}, forbidden_ranges: [${ranges}]`,
        );
        expect(planReads(device, all).length).toBe(fewestReads(device, all));
      }),
      { numRuns: 100 },
    );
  });

  it('hold every point exactly once and whole, whatever the map', () => {
    const gaps = fc.array(
      fc.record({ gap: fc.integer({ min: 0, max: 3 }), type: fc.constantFrom('uint16', 'float32', 'int64') }),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(gaps, fc.integer({ min: 4, max: 20 }), (wanted, limit) => {
        let next = 0;
        const points = wanted.map(({ gap, type }) => {
          const address = next + gap;
          next = address + { uint16: 1, float32: 2, int64: 4 }[type];
          return { address, type };
        });
        const { device, points: all } = deviceWith(points, `max_registers_per_request: ${limit}`);
        const plans = planReads(device, all);
        const held = plans.flatMap((plan) => plan.points.map((point) => point.ref.point));
        expect(held.toSorted()).toEqual(all.map(({ ref }) => ref.point).toSorted());
        for (const { span, points: inPlan } of plans) {
          expect(span.count).toBeLessThanOrEqual(limit);
          // Without gaps the request is as long as its values.
          expect(inPlan.reduce((sum, { count }) => sum + count, 0)).toBe(span.count);
          for (const { address, count } of inPlan) {
            expect(address).toBeGreaterThanOrEqual(span.address);
            expect(address + count).toBeLessThanOrEqual(span.address + span.count);
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});
