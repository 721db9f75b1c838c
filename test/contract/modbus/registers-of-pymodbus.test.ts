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

const VALUES: readonly (readonly [PointType, readonly (number | string)[]])[] = [
  ['int16', [0, 1, -1, 32_767, -32_768, 0x1234]],
  ['uint16', [0, 1, 65_535, 0x1234]],
  ['int32', [0, -2, 2 ** 31 - 1, -(2 ** 31), 0x12345678]],
  ['uint32', [0, 2 ** 32 - 1, 0x12345678]],
  ['int64', [0, -3, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0x123456789abc]],
  ['uint64', [0, Number.MAX_SAFE_INTEGER, 0x123456789abc]],
  ['float32', [0, 23.25, -0.5, 1024.125]],
  ['float64', [0, 23.1, -1e-9, 6.02214076e23]],
];

const CASES: readonly Case[] = [
  ...BYTE_ORDERS.flatMap((order) =>
    VALUES.flatMap(([type, values]) => values.map((value) => ({ type, order, value }))),
  ),
  { type: 'string', order: 'ABCD', value: 'OVEN-1' },
];

function encodingFor({ type, order, value }: Case): PointEncoding {
  const length = typeof value === 'string' ? value.length / 2 : undefined;
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

describe('values in registers, beside pymodbus', () => {
  let theirs: readonly (readonly number[])[] = [];

  beforeAll(() => {
    const script = fileURLToPath(new URL('../../support/pymodbus_payload.py', import.meta.url));
    const { stdout } = spawnSync(SYSTEM_PYTHON, [script], { input: JSON.stringify(CASES), encoding: 'utf8' });
    theirs = z.array(z.array(z.int())).parse(JSON.parse(stdout));
  });

  it.each(CASES.map((value, index) => ({ ...value, index })))(
    '$type $value as $order lies in the same registers and reads back',
    (point) => {
      const encoding = encodingFor(point);
      const words = theirs[point.index] ?? [];
      expect(encodeRegisters(point.value, encoding)).toEqual({ ok: true, words });
      expect(decodeRegisters(words, encoding)).toEqual({ quality: 'good', value: point.value });
    },
  );
});
