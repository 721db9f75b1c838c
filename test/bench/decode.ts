/** What it costs to read a point's value out of its registers, by type. Ends with one JSON line. */
import { performance } from 'node:perf_hooks';
import { decodeRegisters } from '../../src/domain/plc/decode.ts';
import { encodeRegisters } from '../../src/domain/plc/encode.ts';
import {
  BYTE_ORDERS,
  type PointEncoding,
  type PointType,
  registersOf,
} from '../../src/domain/plc/point-encoding.ts';
import { report } from './report.ts';

const DECODES_PER_ROUND = 100_000;
const ROUNDS = 30;

interface Subject {
  readonly encoding: PointEncoding;
  readonly words: readonly number[];
}

function subjects(type: PointType, value: number | boolean, scale = 1): Subject[] {
  return BYTE_ORDERS.map((byteOrder) => {
    const encoding: PointEncoding = {
      type,
      byteOrder,
      registers: registersOf(type, undefined),
      bit: type === 'bool' ? 3 : undefined,
      scale,
      offset: 0,
      unavailableValues: [0x8000],
    };
    const encoded = encodeRegisters(value, encoding);
    if (!encoded.ok) throw new Error(encoded.reason);
    return { encoding, words: encoded.words };
  });
}

/** The median round, nanoseconds a value. */
function nsPerValue(some: readonly Subject[]): number {
  const rounds: number[] = [];
  let good = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    for (let i = 0; i < DECODES_PER_ROUND; i += some.length)
      for (const { words, encoding } of some)
        if (decodeRegisters(words, encoding).quality === 'good') good += 1;
    rounds.push(((performance.now() - startedAt) * 1e6) / DECODES_PER_ROUND);
  }
  if (good === 0) throw new Error('nothing was decoded');
  return rounds.toSorted((a, b) => a - b)[ROUNDS / 2] ?? Number.NaN;
}

report(
  'decode',
  {
    uint16_ns: nsPerValue(subjects('uint16', 1234)),
    int16_scaled_ns: nsPerValue(subjects('int16', -12.3, 0.1)),
    bit_ns: nsPerValue(subjects('bool', true)),
    int32_ns: nsPerValue(subjects('int32', -123_456)),
    float32_ns: nsPerValue(subjects('float32', 23.25)),
    int64_ns: nsPerValue(subjects('int64', -123_456_789_012)),
    float64_ns: nsPerValue(subjects('float64', 23.1)),
    bcd_ns: nsPerValue(subjects('bcd', 1234)),
  },
  { uint16_ns: 250, float32_ns: 250 },
);
