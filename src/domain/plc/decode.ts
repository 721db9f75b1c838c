import { bytesOf, type PointEncoding, swapsBytes, swapsWords } from './point-encoding.ts';
import type { BadReason, PointValue } from './reading.ts';

export type Decoded =
  | { readonly quality: 'good'; readonly value: PointValue }
  | {
      readonly quality: 'bad';
      readonly reason: Extract<BadReason, 'unavailable' | 'not_a_number'>;
      readonly detail: string;
    };

/** Text of a device may carry control characters that a terminal or a speech engine would obey. */
const CONTROL_CHARACTERS = /\p{Cc}/gu;

/** Decoding runs for every point of every poll: one scratch value and one text decoder serve all. */
const scratch = new DataView(new ArrayBuffer(8));
const utf8 = new TextDecoder();

/**
 * Reads a point's value out of its registers, which are exactly `encoding.registers` long.
 *
 * A whole number beyond 2^53 is not always a number that JavaScript has. Unscaled, a counter or an identity, it is bad:
 * the nearest number would be another one. Scaled it is a measurement, and right to fifteen digits like every other.
 */
export function decodeRegisters(words: readonly number[], encoding: PointEncoding): Decoded {
  if (words.length !== encoding.registers)
    throw new RangeError(`${encoding.registers} registers make this value, got ${words.length}`);
  return decodeRegistersAt(words, 0, encoding);
}

/** As `decodeRegisters`, of the registers from `words[from]` on within a longer answer. */
export function decodeRegistersAt(words: readonly number[], from: number, encoding: PointEncoding): Decoded {
  if (from < 0 || from + encoding.registers > words.length)
    throw new RangeError(`${encoding.registers} registers from ${from} on, got ${words.length}`);
  const { type } = encoding;
  if (type === 'string') return { quality: 'good', value: decodeText(cut(words, from, encoding), encoding) };
  if (type === 'bool')
    return {
      quality: 'good',
      value: ((wordAt(words, from, encoding) >> (encoding.bit ?? 0)) & 1) === 1,
    };

  const raw = decodeRaw(words, from, encoding);
  if (!Number.isFinite(raw))
    return {
      quality: 'bad',
      reason: 'not_a_number',
      detail: `registers ${hexOf(cut(words, from, encoding))} are not a finite ${type}`,
    };
  if (encoding.unavailableValues.length > 0 && isUnavailable(raw, encoding))
    return { quality: 'bad', reason: 'unavailable', detail: `the device answered ${raw}: no value` };
  if (encoding.registers === 4 && isInexact(raw, encoding))
    return {
      quality: 'bad',
      reason: 'not_a_number',
      detail: `registers ${hexOf(cut(words, from, encoding))} are a ${type} beyond 2^53, which cannot be told exactly: check type and byte_order`,
    };
  return { quality: 'good', value: scaled(raw, encoding) };
}

function decodeRaw(words: readonly number[], from: number, encoding: PointEncoding): number {
  switch (encoding.type) {
    case 'int16':
      return (wordAt(words, from, encoding) << 16) >> 16;
    case 'uint16':
      return wordAt(words, from, encoding);
    case 'int32':
      return doubleWordAt(words, from, encoding) | 0;
    case 'uint32':
      return doubleWordAt(words, from, encoding);
    case 'float32':
      scratch.setUint32(0, doubleWordAt(words, from, encoding));
      return scratch.getFloat32(0);
    case 'int64':
      // The sum is rounded once, from two exact numbers.
      return (upperHalf(words, from, encoding) | 0) * 2 ** 32 + lowerHalf(words, from, encoding);
    case 'uint64':
      return upperHalf(words, from, encoding) * 2 ** 32 + lowerHalf(words, from, encoding);
    case 'float64':
      scratch.setUint32(0, upperHalf(words, from, encoding));
      scratch.setUint32(4, lowerHalf(words, from, encoding));
      return scratch.getFloat64(0);
    case 'bcd':
      return decodeBcd(words, from, encoding);
    case 'bool':
    case 'string':
      throw new TypeError(`${encoding.type} is not a number`);
  }
}

/** One register with its bytes put in order. */
function wordAt(words: readonly number[], at: number, { byteOrder }: PointEncoding): number {
  const word = words[at] ?? 0;
  return swapsBytes(byteOrder) ? ((word & 0xff) << 8) | (word >> 8) : word;
}

/** Two registers as 0 to 2^32 - 1. */
function doubleWordAt(words: readonly number[], at: number, encoding: PointEncoding): number {
  const one = wordAt(words, at, encoding);
  const other = wordAt(words, at + 1, encoding);
  return swapsWords(encoding.byteOrder) ? other * 65_536 + one : one * 65_536 + other;
}

function upperHalf(words: readonly number[], from: number, encoding: PointEncoding): number {
  return doubleWordAt(words, swapsWords(encoding.byteOrder) ? from + 2 : from, encoding);
}

function lowerHalf(words: readonly number[], from: number, encoding: PointEncoding): number {
  return doubleWordAt(words, swapsWords(encoding.byteOrder) ? from : from + 2, encoding);
}

/** NaN when a nibble is no decimal digit. */
function decodeBcd(words: readonly number[], from: number, encoding: PointEncoding): number {
  const { registers, byteOrder } = encoding;
  let value = 0;
  for (let index = 0; index < registers; index += 1) {
    const word = wordAt(words, from + (swapsWords(byteOrder) ? registers - 1 - index : index), encoding);
    for (let shift = 12; shift >= 0; shift -= 4) {
      const digit = (word >> shift) & 0xf;
      if (digit > 9) return Number.NaN;
      value = value * 10 + digit;
    }
  }
  return value;
}

function decodeText(words: readonly number[], encoding: PointEncoding): string {
  const bytes = bytesOf(words, encoding.byteOrder, true);
  const end = bytes.indexOf(0);
  const text = utf8.decode(end === -1 ? bytes : bytes.subarray(0, end));
  return text.replace(CONTROL_CHARACTERS, '').trim();
}

/** Manuals write the pattern of a signed value either way: -32768 or 0x8000. */
function isUnavailable(raw: number, { unavailableValues, type, registers }: PointEncoding): boolean {
  const unsigned = raw < 0 && type.startsWith('int') ? raw + 2 ** (registers * 16) : raw;
  return unavailableValues.some((value) => value === raw || value === unsigned);
}

function isInexact(raw: number, { type, scale }: PointEncoding): boolean {
  return type !== 'float64' && scale === 1 && !Number.isSafeInteger(raw);
}

/** The scales by which most manuals divide, and what they divide by. */
const DIVISORS: ReadonlyMap<number, number> = new Map([
  [0.1, 10],
  [0.01, 100],
  [0.001, 1000],
  [0.0001, 10_000],
]);

/** Fifteen digits are what a double holds exactly: more would say 0.30000000000000004. */
function scaled(raw: number, { scale, offset, registers, type }: PointEncoding): number {
  if (scale === 1 && offset === 0) return raw;
  const divisor = DIVISORS.get(scale);
  // A whole number divided by a power of ten is rounded once, to the number that its digits mean.
  if (divisor !== undefined && registers <= 2 && type !== 'float32') {
    const shifted = offset * divisor;
    if (Number.isSafeInteger(shifted) && Math.abs(shifted) < 2 ** 40) return (raw + shifted) / divisor;
  }
  return Number((raw * scale + offset).toPrecision(15));
}

function cut(words: readonly number[], from: number, { registers }: PointEncoding): readonly number[] {
  return words.slice(from, from + registers);
}

function hexOf(words: readonly number[]): string {
  return words.map((word) => word.toString(16).padStart(4, '0')).join(' ');
}
