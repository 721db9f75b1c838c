import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decodeRegisters } from '../../../src/domain/plc/decode.ts';
import { encodeRegisters } from '../../../src/domain/plc/encode.ts';
import {
  BYTE_ORDERS,
  type ByteOrder,
  type PointEncoding,
  type PointType,
  registersOf,
} from '../../../src/domain/plc/point-encoding.ts';
import { SYSTEM_PYTHON } from '../../support/pymodbus-server.ts';

interface Case {
  readonly type: PointType;
  readonly order: ByteOrder;
  readonly value: number | string;
}

const FLOAT32_MAX = (2 - 2 ** -23) * 2 ** 127;

/** pymodbus has no bcd; bits of a register are its `bits`, below. */
const VALUES: readonly (readonly [PointType, readonly (number | string)[]])[] = [
  ['int16', [0, 1, -1, 255, 256, -256, 32_767, -32_768, 0x1234]],
  ['uint16', [0, 1, 255, 256, 32_768, 65_535, 0x1234]],
  ['int32', [0, 1, -1, -2, 65_535, 65_536, -65_536, 2 ** 31 - 1, -(2 ** 31), 0x12345678]],
  ['uint32', [0, 1, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1, 0x12345678]],
  [
    'int64',
    [
      0,
      1,
      -1,
      -3,
      2 ** 32 - 1,
      2 ** 32,
      -(2 ** 32),
      -(2 ** 32) - 1,
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
      0x123456789abc,
    ],
  ],
  ['uint64', [0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 48, Number.MAX_SAFE_INTEGER, 0x123456789abc]],
  ['float32', [0, 23.25, -0.5, 1024.125, 2 ** -149, -(2 ** -126), FLOAT32_MAX, -FLOAT32_MAX, 16_777_216]],
  ['float64', [0, 23.1, -1e-9, 6.02214076e23, Number.MIN_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE, 0.1]],
];

const CASES: readonly Case[] = BYTE_ORDERS.flatMap((order) =>
  VALUES.flatMap(([type, values]) => values.map((value) => ({ type, order, value }))),
);

/** pymodbus lays a text byte by byte, whatever the order it was asked for. */
const TEXTS: readonly Case[] = ['OVEN-1', 'ab', '二号泵1'].map((value) => ({
  type: 'string',
  order: 'ABCD',
  value,
}));

function encodingFor({ type, order, value }: Case): PointEncoding {
  const length = typeof value === 'string' ? Buffer.byteLength(value) / 2 : undefined;
  return {
    type,
    byteOrder: order,
    registers: registersOf(type, length),
    bit: undefined,
    scale: 1,
    offset: 0,
    unavailableValues: [],
  };
}

function ourWords(point: Case): readonly number[] {
  const encoded = encodeRegisters(point.value, encodingFor(point));
  if (!encoded.ok) throw new Error(encoded.reason);
  return encoded.words;
}

function askPymodbus(questions: readonly unknown[]): { words: number[]; value: string }[] {
  const script = fileURLToPath(new URL('../../support/pymodbus_payload.py', import.meta.url));
  const { stdout, stderr } = spawnSync(SYSTEM_PYTHON, [script], {
    input: JSON.stringify(questions),
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return z.array(z.object({ words: z.array(z.int()), value: z.string() })).parse(JSON.parse(stdout));
}

describe('values in registers, beside pymodbus', () => {
  let theirs: ReturnType<typeof askPymodbus> = [];
  const cases = [...CASES, ...TEXTS];

  beforeAll(() => {
    theirs = askPymodbus(cases.map((point) => ({ ...point, words: ourWords(point) })));
  });

  it.each(cases.map((value, index) => ({ ...value, index })))(
    '$type $value as $order lies in the same registers and reads back, both ways',
    (point) => {
      const answer = theirs[point.index];
      expect(ourWords(point)).toEqual(answer?.words);
      expect(decodeRegisters(answer?.words ?? [], encodingFor(point))).toEqual({
        quality: 'good',
        value: point.value,
      });
      // What they read out of the registers that we have written.
      expect(typeof point.value === 'string' ? answer?.value : Number(answer?.value)).toBe(point.value);
    },
  );

  it('the bits of a register are where pymodbus puts them', () => {
    const bits = Array.from({ length: 16 }, (_, bit) =>
      Array.from({ length: 16 }, (_unused, index) => index === bit),
    );
    const answers = askPymodbus(bits.map((value) => ({ type: 'bits', order: 'ABCD', value, words: [] })));
    for (const [bit, { words }] of answers.entries()) {
      // pymodbus fills byte by byte: its first eight bits are the first byte, which is the upper half of the register.
      const ours = bit < 8 ? bit + 8 : bit - 8;
      const encoding = { ...encodingFor({ type: 'bool', order: 'ABCD', value: 0 }), bit: ours };
      expect(decodeRegisters(words, encoding)).toEqual({ quality: 'good', value: true });
      expect(encodeRegisters(true, encoding)).toEqual({ ok: true, words });
    }
  });

  it('a 64-bit number beyond 2^53 is marked and never rounded unseen', () => {
    const numbers = ['9007199254740993', '-9007199254740993', '18446744073709551615', '1000000000000000000'];
    const questions = numbers.flatMap((value) =>
      BYTE_ORDERS.map((order) => ({
        type: value.startsWith('-') ? ('int64' as const) : ('uint64' as const),
        order,
        value,
        words: [0, 0, 0, 0],
      })),
    );
    for (const [index, { words }] of askPymodbus(questions).entries()) {
      const { type, order, value } = questions[index] ?? { type: 'int64', order: 'ABCD', value: '' };
      const encoding = encodingFor({ type, order, value: 0 });
      expect(decodeRegisters(words, encoding)).toMatchObject({ quality: 'bad', reason: 'not_a_number' });
      // Scaled it is a measurement, right to fifteen digits.
      expect(decodeRegisters(words, { ...encoding, scale: 1e-9 })).toEqual({
        quality: 'good',
        value: Number((Number(value) * 1e-9).toPrecision(15)),
      });
    }
  });
});
