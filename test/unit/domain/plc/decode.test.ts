import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRegisters, decodeRegistersAt } from '../../../../src/domain/plc/decode.ts';
import { encodeRegisters, valueRange } from '../../../../src/domain/plc/encode.ts';
import {
  BYTE_ORDERS,
  type PointEncoding,
  type PointType,
  registersOf,
} from '../../../../src/domain/plc/point-encoding.ts';

function encoding(type: PointType, change: Partial<PointEncoding> & { length?: number } = {}): PointEncoding {
  const { length, ...rest } = change;
  return {
    type,
    byteOrder: 'ABCD',
    registers: registersOf(type, length),
    bit: type === 'bool' ? 0 : undefined,
    scale: 1,
    offset: 0,
    unavailableValues: [],
    ...rest,
  };
}

const anyOrder = fc.constantFrom(...BYTE_ORDERS);

function expectRoundTrip(value: number | string | boolean, how: PointEncoding): void {
  const encoded = encodeRegisters(value, how);
  if (!encoded.ok) throw new Error(encoded.reason);
  expect(encoded.words).toHaveLength(how.registers);
  for (const word of encoded.words) expect(word >= 0 && word <= 0xffff && Number.isInteger(word)).toBe(true);
  expect(decodeRegisters(encoded.words, how)).toEqual({ quality: 'good', value });
}

describe('a value laid into registers and read back', () => {
  it.each<[PointType, number, number]>([
    ['int16', -32_768, 32_767],
    ['uint16', 0, 65_535],
    ['int32', -(2 ** 31), 2 ** 31 - 1],
    ['uint32', 0, 2 ** 32 - 1],
    ['int64', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['uint64', 0, Number.MAX_SAFE_INTEGER],
    ['bcd', 0, 9_999],
  ])('is the same for every %s in every order', (type, min, max) => {
    const value = fc.maxSafeInteger().filter((number) => number >= min && number <= max);
    const inRange = fc.oneof(fc.integer({ min: Math.max(min, -65_536), max: Math.min(max, 65_535) }), value);
    fc.assert(
      fc.property(inRange, anyOrder, (number, byteOrder) =>
        expectRoundTrip(number === 0 ? 0 : number, encoding(type, { byteOrder })),
      ),
    );
  });

  it('is the same for every twelve-digit bcd', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), anyOrder, (number, byteOrder) =>
        expectRoundTrip(number * 999, encoding('bcd', { byteOrder, length: 3 })),
      ),
    );
  });

  it.each<['float32' | 'float64']>([['float32'], ['float64']])('is the same for every finite %s', (type) => {
    const float =
      type === 'float32'
        ? fc.float({ noNaN: true, noDefaultInfinity: true })
        : fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(float, anyOrder, (number, byteOrder) =>
        expectRoundTrip(number, encoding(type, { byteOrder })),
      ),
    );
  });

  it('is the same for every bit of a register', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.integer({ min: 0, max: 15 }), anyOrder, (value, bit, byteOrder) =>
        expectRoundTrip(value, encoding('bool', { bit, byteOrder })),
      ),
    );
  });

  it('is the same for texts, Chinese ones too', () => {
    for (const byteOrder of BYTE_ORDERS)
      for (const text of ['', 'OVEN-1', '二号泵', 'abcdefgh'])
        expectRoundTrip(text, encoding('string', { byteOrder, length: 6 }));
  });

  it('is the same within half a step of its scale', () => {
    fc.assert(
      fc.property(fc.integer({ min: -32_768, max: 32_767 }), (raw) =>
        expectRoundTrip((raw - 400) / 10, encoding('int16', { scale: 0.1, offset: -40 })),
      ),
    );
  });
});

describe('decoding', () => {
  it.each<[string, PointType, number[], number]>([
    ['ABCD', 'float32', [0x41ba, 0x0000], 23.25],
    ['CDAB', 'float32', [0x0000, 0x41ba], 23.25],
    ['BADC', 'float32', [0xba41, 0x0000], 23.25],
    ['DCBA', 'float32', [0x0000, 0xba41], 23.25],
    ['BADC', 'uint16', [0x3412], 0x1234],
    ['ABCD', 'bcd', [0x1234], 1234],
  ])('reads %s %s', (order, type, words, value) => {
    const byteOrder = BYTE_ORDERS.find((known) => known === order) ?? 'ABCD';
    expect(decodeRegisters(words, encoding(type, { byteOrder }))).toEqual({ quality: 'good', value });
  });

  it('says 0.3 and not 0.30000000000000004', () => {
    expect(decodeRegisters([3], encoding('uint16', { scale: 0.1 }))).toEqual({ quality: 'good', value: 0.3 });
  });

  it.each<[string, PointType, number[]]>([
    ['NaN', 'float32', [0x7fc0, 0]],
    ['infinity', 'float32', [0x7f80, 0]],
    ['minus infinity', 'float64', [0xfff0, 0, 0, 0]],
    ['a nibble above 9', 'bcd', [0x12a4]],
  ])('says of %s that it is no number', (_what, type, words) => {
    expect(decodeRegisters(words, encoding(type))).toMatchObject({ quality: 'bad', reason: 'not_a_number' });
  });

  it.each<[PointType, number[]]>([
    ['uint64', [0x0020, 0, 0, 0]],
    ['uint64', [0x0020, 0, 0, 1]],
    ['int64', [0xffdf, 0xffff, 0xffff, 0xffff]],
    ['int64', [0x7fff, 0xffff, 0xffff, 0xffff]],
  ])('marks a %s beyond 2^53, which no number here is sure to hold, and says so', (type, words) => {
    const decoded = decodeRegisters(words, encoding(type));
    expect(decoded).toMatchObject({ quality: 'bad', reason: 'not_a_number' });
    if (decoded.quality === 'bad') expect(decoded.detail).toContain('beyond 2^53');
  });

  it('takes a scaled one for the measurement it is, right to fifteen digits', () => {
    // 1.7e18 nanoseconds, as an IEC LDT counts them.
    const words = [0x1797, 0x9cfe, 0x362a, 0x0000];
    const raw = Number(0x17979cfe362a0000n);
    expect(decodeRegisters(words, encoding('uint64', { scale: 1e-9 }))).toEqual({
      quality: 'good',
      value: Number((raw * 1e-9).toPrecision(15)),
    });
  });

  it('of every scaled whole number gives the number that its digits mean', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        fc.constantFrom(0.1, 0.01, 0.001, 0.0001, 0.05, 0.5, -0.1, 3),
        fc.constantFrom(0, -40, -273.15, 0.5, 100),
        anyOrder,
        (raw, scale, offset, byteOrder) => {
          const unsigned = raw >>> 0;
          const words = [unsigned >>> 16, unsigned & 0xffff];
          const how = encoding('int32', { scale, offset });
          expect(decodeRegisters(words, how)).toEqual({
            quality: 'good',
            value: Number((raw * scale + offset).toPrecision(15)) + 0,
          });
          const again = encodeRegisters(Number((raw * scale + offset).toPrecision(15)), {
            ...how,
            byteOrder,
          });
          if (!again.ok) throw new Error(again.reason);
          expect(decodeRegisters(again.words, { ...how, byteOrder })).toEqual(decodeRegisters(words, how));
        },
      ),
    );
  });

  it('knows its "no value" pattern in every order, written signed or unsigned', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<PointType>('int16', 'int32', 'uint16', 'uint32', 'float32', 'bcd'),
        anyOrder,
        fc.boolean(),
        fc.constantFrom(1, 0.1),
        (type, byteOrder, isUnsigned, scale) => {
          const pattern = type.startsWith('int') ? -(2 ** (registersOf(type, undefined) * 16 - 1)) : 9_999;
          const how = encoding(type, { byteOrder, scale });
          const encoded = encodeRegisters(pattern, { ...how, scale: 1 });
          if (!encoded.ok) throw new Error(encoded.reason);
          const written = isUnsigned && pattern < 0 ? pattern + 2 ** (how.registers * 16) : pattern;
          expect(decodeRegisters(encoded.words, { ...how, unavailableValues: [written] })).toMatchObject({
            quality: 'bad',
            reason: 'unavailable',
          });
        },
      ),
    );
  });

  it('reads a value where it lies within a longer answer', () => {
    fc.assert(
      fc.property(
        fc.float({ noNaN: true, noDefaultInfinity: true }),
        anyOrder,
        fc.nat(5),
        (value, byteOrder, from) => {
          const how = encoding('float32', { byteOrder });
          const encoded = encodeRegisters(value, how);
          if (!encoded.ok) throw new Error(encoded.reason);
          const answer = [...new Array<number>(from).fill(0xdead), ...encoded.words, 0xbeef];
          expect(decodeRegistersAt(answer, from, how)).toEqual({ quality: 'good', value });
        },
      ),
    );
    expect(() => decodeRegistersAt([1, 2, 3], 2, encoding('float32'))).toThrow(RangeError);
  });

  it.each<[PointType, number[], number]>([
    ['int16', [0x8000], -32_768],
    ['int16', [0x8000], 0x8000],
    ['uint16', [0xffff], 0xffff],
    ['int32', [0x8000, 0x0000], 0x80000000],
    ['float32', [0xc61c, 0x3c00], -9_999],
    ['uint64', [0xffff, 0xffff, 0xffff, 0xffff], 2 ** 64],
  ])('knows the pattern by which a %s of %o says "no value"', (type, words, pattern) => {
    const how = encoding(type, { unavailableValues: [pattern], scale: 0.1 });
    expect(decodeRegisters(words, how)).toMatchObject({ quality: 'bad', reason: 'unavailable' });
    expect(
      decodeRegisters(
        words.map(() => 1),
        how,
      ).quality,
    ).toBe('good');
  });

  it('keeps control characters out of texts, and ends them at the first zero', () => {
    expect(decodeRegisters([0x1b41, 0x420a, 0x0043, 0x4444], encoding('string', { length: 4 }))).toEqual({
      quality: 'good',
      value: 'AB',
    });
  });

  it('throws when the caller brings another number of registers', () => {
    expect(() => decodeRegisters([1], encoding('uint32'))).toThrow(RangeError);
  });
});

describe('encoding', () => {
  it.each<[PointType, number | string | boolean]>([
    ['int16', 32_768],
    ['uint16', -1],
    ['bcd', 10_000],
    ['float32', 1e39],
    ['float64', Number.NaN],
    ['uint16', 'five'],
    ['uint64', 2 ** 53],
    ['int64', -(2 ** 60)],
    ['bool', 1],
    ['string', 5],
  ])('refuses for %s the value %s', (type, value) => {
    expect(encodeRegisters(value, encoding(type, type === 'string' ? { length: 2 } : {})).ok).toBe(false);
  });

  it('refuses a text that does not fit', () => {
    expect(encodeRegisters('abcde', encoding('string', { length: 2 })).ok).toBe(false);
  });

  it('can hold both ends of the range it states', () => {
    for (const type of [
      'int16',
      'uint16',
      'int32',
      'uint32',
      'int64',
      'uint64',
      'bcd',
      'float32',
      'float64',
    ] as const)
      for (const scale of [1, 0.1, -2]) {
        const how = encoding(type, { scale: type === 'float64' ? 1 : scale });
        const { min, max } = valueRange(how);
        expect(min).toBeLessThan(max);
        expect(encodeRegisters(min, how).ok).toBe(true);
        expect(encodeRegisters(max, how).ok).toBe(true);
      }
  });
});
