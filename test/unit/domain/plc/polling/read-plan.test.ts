import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlantDevice, PlantPoint } from '../../../../../src/domain/plc/plant-model.ts';
import { planReads } from '../../../../../src/domain/plc/polling/read-plan.ts';
import { plantOf } from '../../../../support/plant-file.ts';

interface Wanted {
  readonly register?: string;
  readonly address: number;
  readonly type?: string;
  readonly bit?: number;
}

function deviceWith(points: readonly Wanted[], settings = ''): { device: PlantDevice; points: PlantPoint[] } {
  const lines = points.map(({ register = 'holding', address, type = 'uint16', bit }, index) => {
    const more = bit === undefined ? '' : `, bit: ${bit}`;
    return `      p${index}: { names: { en: [p${index}], zh: [p${index}] }, register: ${register}, address: ${address}, type: ${type}${more} }`;
  });
  const plant = plantOf(`
connections: { line: { transport: tcp, host: plc } }
devices:
  plc: { connection: line, unit_id: 5, address_base: 0${settings} }
machines:
  m:
    names: { en: [m], zh: [m] }
    device: plc
    points:
${lines.join('\n')}`);
  const device = plant.device('plc');
  if (device === undefined) throw new Error('no device');
  return { device, points: plant.points() };
}

function plansOf(wanted: readonly Wanted[], settings?: string) {
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
        ', max_registers_per_request: 3',
      ),
    ).toEqual(['holding 0+2: 1', 'holding 2+2: 1']);
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
        const { device, points: all } = deviceWith(points, `, max_registers_per_request: ${limit}`);
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
