import { describe, expect, it } from 'vitest';
import { encodeRegisters } from '../../../../../src/domain/plc/encode.ts';
import { BYTE_ORDERS } from '../../../../../src/domain/plc/point-encoding.ts';
import { maskOf, registerWriteOf, writeOf } from '../../../../../src/domain/plc/writing/write-request.ts';
import { plantOf } from '../../../../support/plant-file.ts';

const bits = BYTE_ORDERS.flatMap((order) =>
  Array.from({ length: 16 }, (_, bit) => ({ order, bit, key: `${order.toLowerCase()}-${bit}` })),
);
const plant = plantOf(`
connections: { line: { transport: tcp, host: 10.0.0.7 } }
devices: { plc: { connection: line, unit_id: 1, address_base: 0 } }
machines:
  oven:
    names: { en: [oven], zh: [炉] }
    device: plc
    points:
${bits
  .map(
    ({ order, bit, key }, index) =>
      `      ${key}: { names: { en: [${key}], zh: [${key}] }, register: holding, address: ${index}, type: bool, bit: ${bit}, byte_order: ${order}, access: read_write }`,
  )
  .join('\n')}`);

describe('a write of a bit in a register', () => {
  it('changes the one bit that the point is read from, in every byte order', () => {
    expect(plant.points()).toHaveLength(64);
    for (const point of plant.points()) {
      const set = encodeRegisters(true, point.encoding);
      const clear = encodeRegisters(false, point.encoding);
      if (!set.ok || !clear.ok) throw new Error('a bool can be encoded');
      const [bit = 0] = set.words;
      const { address } = point;
      expect(maskOf(point)).toBe(bit);
      expect(writeOf(point, set.words)).toEqual({
        kind: 'mask',
        address,
        andMask: 0xffff ^ bit,
        orMask: bit,
      });
      expect(writeOf(point, clear.words)).toEqual({
        kind: 'mask',
        address,
        andMask: 0xffff ^ bit,
        orMask: 0,
      });
      for (const present of [0, 0xffff, 0xa5a5]) {
        expect(registerWriteOf(point, set.words, present)).toMatchObject({ values: [present | bit] });
        expect(registerWriteOf(point, clear.words, present)).toMatchObject({ values: [present & ~bit] });
      }
    }
  });
});
