import { integerRange, isIntegerType, type PointEncoding, wordsOf } from './point-encoding.ts';
import type { PointValue } from './reading.ts';

export type Encoded =
  | { readonly ok: true; readonly words: readonly number[] }
  | { readonly ok: false; readonly reason: string };

/** Lays a value into registers: the inverse of `decodeRegisters`. Whole-number types round to the nearest raw value. */
export function encodeRegisters(value: PointValue, encoding: PointEncoding): Encoded {
  const { type } = encoding;
  if (type === 'string')
    return typeof value === 'string' ? encodeText(value, encoding) : mismatch(value, encoding);
  if (type === 'bool')
    return typeof value === 'boolean'
      ? words(new Uint8Array(twoBytes(value ? 1 << (encoding.bit ?? 0) : 0)), encoding)
      : mismatch(value, encoding);
  if (typeof value !== 'number') return mismatch(value, encoding);

  const raw = (value - encoding.offset) / encoding.scale;
  if (!Number.isFinite(raw)) return { ok: false, reason: `${value} is not a finite number` };
  if (!isIntegerType(type)) return encodeFloat(raw, encoding);
  // Reading it back would not tell whether it is right.
  if (encoding.scale === 1 && Math.abs(raw) > Number.MAX_SAFE_INTEGER)
    return { ok: false, reason: `${value} is beyond 2^53, where whole numbers are no longer exact` };
  return encodeInteger(BigInt(Math.round(raw)), encoding);
}

/** The smallest and largest value that the registers can hold exactly, after scale and offset. */
export function valueRange(encoding: PointEncoding): { readonly min: number; readonly max: number } {
  const ends = rawRange(encoding).map((end) => scaledEnd(end, encoding));
  return { min: Math.min(...ends), max: Math.max(...ends) };
}

/** Fifteen digits are what a double holds exactly: more would say 3276.7000000000003. */
function scaledEnd(end: number, { scale, offset }: PointEncoding): number {
  return scale === 1 && offset === 0 ? end : Number((end * scale + offset).toPrecision(15));
}

const LARGEST_FLOAT32 = (2 - 2 ** -23) * 2 ** 127;

function rawRange({ type, registers }: PointEncoding): readonly [number, number] {
  if (!isIntegerType(type)) {
    const largest = type === 'float32' ? LARGEST_FLOAT32 : Number.MAX_VALUE;
    return [-largest, largest];
  }
  const { min, max } = integerRange(type, registers);
  return [Math.max(Number(min), Number.MIN_SAFE_INTEGER), Math.min(Number(max), Number.MAX_SAFE_INTEGER)];
}

function encodeInteger(raw: bigint, encoding: PointEncoding): Encoded {
  const { min, max } = integerRange(encoding.type, encoding.registers);
  if (raw < min || raw > max)
    return { ok: false, reason: `raw value ${raw} is outside ${min} to ${max} (${encoding.type})` };
  const bits = encoding.registers * 16;
  const digits = encoding.type === 'bcd' ? raw.toString() : BigInt.asUintN(bits, raw).toString(16);
  return words(Uint8Array.from(pairs(digits.padStart(bits / 4, '0'))), encoding);
}

function encodeFloat(raw: number, encoding: PointEncoding): Encoded {
  const view = new DataView(new ArrayBuffer(encoding.registers * 2));
  if (encoding.type === 'float32') view.setFloat32(0, raw);
  else view.setFloat64(0, raw);
  if (encoding.type === 'float32' && !Number.isFinite(view.getFloat32(0)))
    return { ok: false, reason: `${raw} does not fit a float32` };
  return words(new Uint8Array(view.buffer), encoding);
}

function encodeText(text: string, encoding: PointEncoding): Encoded {
  const room = encoding.registers * 2;
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > room) return { ok: false, reason: `${bytes.length} bytes of text, room for ${room}` };
  const padded = new Uint8Array(room);
  padded.set(bytes);
  return words(padded, encoding);
}

function words(bytes: Uint8Array, encoding: PointEncoding): Encoded {
  return { ok: true, words: wordsOf(bytes, encoding.byteOrder, encoding.type === 'string') };
}

function mismatch(value: PointValue, { type }: PointEncoding): Encoded {
  return { ok: false, reason: `a ${typeof value} is not a ${type}` };
}

function twoBytes(word: number): number[] {
  return [word >> 8, word & 0xff];
}

function pairs(hexDigits: string): number[] {
  return (hexDigits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}
