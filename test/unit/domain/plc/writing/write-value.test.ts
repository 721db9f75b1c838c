import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlantPoint } from '../../../../../src/domain/plc/plant-model.ts';
import { BYTE_ORDERS } from '../../../../../src/domain/plc/point-encoding.ts';
import type { PointValue } from '../../../../../src/domain/plc/reading.ts';
import { writableValue } from '../../../../../src/domain/plc/writing/write-value.ts';
import { plantOf } from '../../../../support/plant-file.ts';

function pointOf(settings: string): PlantPoint {
  const plant = plantOf(`
connections: { line: { transport: tcp, host: 10.0.0.7 } }
devices: { plc: { connection: line, unit_id: 1, address_base: 0 } }
machines:
  oven:
    names: { en: [oven], zh: [炉] }
    device: plc
    points:
      p: { names: { en: [p], zh: [p] }, address: 0, access: read_write, ${settings} }`);
  const [point] = plant.points();
  if (point === undefined) throw new Error('no point');
  return point;
}

const ENUM =
  'enum: { 0: { en: stopped, zh: 停止 }, 2: { en: running, zh: 运行 }, 3: { en: fast, zh: 运行 } }';

describe('a value to write', () => {
  it.each<[string, PointValue, readonly number[], PointValue]>([
    ['register: coil, type: bool', true, [1], true],
    ['register: holding, type: bool, bit: 3', true, [8], true],
    ['register: holding, type: bool, bit: 3, byte_order: BADC', true, [0x800], true],
    ['register: holding, type: uint16, scale: 0.1', 23.5, [235], 23.5],
    ['register: holding, type: int16', -2, [0xfffe], -2],
    ['register: holding, type: int32, byte_order: CDAB', 65_538, [2, 1], 65_538],
    ['register: holding, type: uint64', 2 ** 52, [0x10, 0, 0, 0], 2 ** 52],
    ['register: holding, type: float64', -0.1, [0xbfb9, 0x9999, 0x9999, 0x999a], -0.1],
    ['register: holding, type: bcd, length: 2', 1234, [0, 0x1234], 1234],
    ['register: holding, type: string, length: 2', 'A7', [0x4137, 0], 'A7'],
    [`register: holding, type: uint16, ${ENUM}`, '停止', [0], 0],
    [`register: holding, type: uint16, ${ENUM}`, 'running', [2], 2],
    [`register: holding, type: uint16, ${ENUM}`, 3, [3], 3],
    [
      'register: coil, type: bool, enum: { 0: { en: shut, zh: 关 }, 1: { en: open, zh: 开 } }',
      'open',
      [1],
      true,
    ],
  ])('of a point with %s, %j goes into its registers', (settings, asked, words, value) => {
    expect(writableValue(pointOf(settings), asked)).toEqual({ ok: true, words, value, isRounded: false });
  });

  it.each<[string, PointValue, string, string]>([
    ['register: coil, type: bool', 1, 'wrong_type', '1 is no boolean'],
    ['register: holding, type: uint16', '1', 'wrong_type', '"1" is no number'],
    ['register: holding, type: uint16', true, 'wrong_type', 'true is no number'],
    ['register: holding, type: string, length: 1', 7, 'wrong_type', '7 is no string'],
    [
      `register: holding, type: uint16, ${ENUM}`,
      1,
      'unknown_enum_value',
      '1 has no text in the enum of oven.p',
    ],
    [
      `register: holding, type: uint16, ${ENUM}`,
      'runing',
      'unknown_enum_value',
      'oven.p is never "runing". Did you mean "running"?',
    ],
    [
      `register: holding, type: uint16, ${ENUM}`,
      '运行',
      'unknown_enum_value',
      '"运行" is the text of 2 and 3',
    ],
    [
      `register: holding, type: uint16, ${ENUM}`,
      true,
      'unknown_enum_value',
      'true has no text in the enum of oven.p',
    ],
    [
      'register: holding, type: uint16, write_min: 10, write_max: 20',
      9.9,
      'below_minimum',
      '9.9 is below write_min 10',
    ],
    [
      'register: holding, type: uint16, write_min: 10, write_max: 20',
      21,
      'above_maximum',
      '21 is above write_max 20',
    ],
    [
      'register: holding, type: uint16, scale: 0.5, write_max: 10.3',
      10.3,
      'above_maximum',
      '10.5, as which 10.3 would be written (steps of 0.5), is above write_max 10.3',
    ],
    ['register: holding, type: float32', Number.NaN, 'not_encodable', 'NaN is not a finite number'],
    [
      'register: holding, type: float32',
      Number.NEGATIVE_INFINITY,
      'not_encodable',
      '-Infinity is not a finite number',
    ],
    [
      'register: holding, type: int16, scale: 0.1',
      3276.8,
      'not_encodable',
      '3276.8 is outside -3276.8 to 3276.7, which is what the registers hold',
    ],
    [
      'register: holding, type: uint64',
      2 ** 60,
      'not_encodable',
      '1152921504606847000 is outside 0 to 9007199254740991, which is what the registers hold',
    ],
    [
      'register: holding, type: bcd',
      -1,
      'not_encodable',
      '-1 is outside 0 to 9999, which is what the registers hold',
    ],
    [
      'register: holding, type: uint16, unavailable_values: [65535]',
      65_535,
      'not_encodable',
      '65535 would mean "no value": the device answered 65535: no value',
    ],
    ['register: holding, type: string, length: 1', 'A7B', 'not_encodable', '3 bytes of text, room for 2'],
    [
      'register: holding, type: string, length: 2',
      ' A',
      'not_encodable',
      'the registers would hold "A" instead',
    ],
    [
      'register: holding, type: string, length: 2',
      'A\u0007',
      'not_encodable',
      'the registers would hold "A" instead',
    ],
  ])('of a point with %s, %j is refused', (settings, asked, reason, detail) => {
    expect(writableValue(pointOf(settings), asked)).toEqual({ ok: false, reason, detail });
  });

  it.each<[string, number, number, boolean]>([
    ['type: uint16, scale: 0.1', 23.456, 23.5, true],
    ['type: uint16, scale: 7', 100, 98, true],
    ['type: uint16, scale: 0.06', 0.1, 0.12, true],
    ['type: float32', 23.1, 23.100000381469727, false],
    ['type: float32', 0.3333333333333333, 0.3333333432674408, true],
    ['type: float32', 16_777_217, 16_777_216, true],
    ['type: float32, write_max: 0.1', 0.1, 0.10000000149011612, false],
    ['type: float64, scale: 0.1', 23.1, 23.1, false],
  ])(
    'of a point with %s: %d becomes %d, and it is told when that is not what was asked',
    (settings, asked, value, isRounded) => {
      expect(writableValue(pointOf(`register: holding, ${settings}`), asked)).toMatchObject({
        ok: true,
        value,
        isRounded,
      });
    },
  );

  it('never leaves its limits, whatever is asked', () => {
    const points = BYTE_ORDERS.flatMap((order) =>
      ['int16', 'uint32', 'float32', 'float64', 'bcd'].map((type) =>
        pointOf(
          `register: holding, byte_order: ${order}, type: ${type}, scale: 0.25, write_min: 3.1, write_max: 90.2`,
        ),
      ),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...points),
        fc.oneof(fc.double(), fc.double({ min: 3, max: 91 })),
        (point, asked) => {
          const result = writableValue(point, asked);
          if (!result.ok) return;
          expect(asked >= 3.1 && asked <= 90.2).toBe(true);
          if (typeof result.value !== 'number') throw new Error('no number');
          const slack = point.encoding.type === 'float32' ? 1e-5 : 1e-12;
          expect(result.value).toBeGreaterThanOrEqual(3.1 - slack);
          expect(result.value).toBeLessThanOrEqual(90.2 + slack);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
