import { bytesOf, type PointEncoding } from './point-encoding.ts';
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

/**
 * Reads a point's value out of its registers, which are exactly `encoding.registers` long.
 * 64-bit whole numbers beyond 2^53 come out as the nearest number that JavaScript has.
 */
export function decodeRegisters(words: readonly number[], encoding: PointEncoding): Decoded {
  if (words.length !== encoding.registers)
    throw new RangeError(`${encoding.registers} registers make this value, got ${words.length}`);
  const bytes = bytesOf(words, encoding.byteOrder, encoding.type === 'string');
  if (encoding.type === 'string') return { quality: 'good', value: decodeText(bytes) };
  const view = new DataView(bytes.buffer);
  if (encoding.type === 'bool')
    return { quality: 'good', value: ((view.getUint16(0) >> (encoding.bit ?? 0)) & 1) === 1 };

  const raw = decodeRaw(view, bytes, encoding);
  if (!Number.isFinite(raw))
    return {
      quality: 'bad',
      reason: 'not_a_number',
      detail: `registers ${hexOf(words)} are not a finite ${encoding.type}`,
    };
  if (isUnavailable(raw, encoding))
    return { quality: 'bad', reason: 'unavailable', detail: `the device answered ${raw}: no value` };
  return { quality: 'good', value: scaled(raw, encoding) };
}

function decodeRaw(view: DataView, bytes: Uint8Array, { type }: PointEncoding): number {
  switch (type) {
    case 'int16':
      return view.getInt16(0);
    case 'uint16':
      return view.getUint16(0);
    case 'int32':
      return view.getInt32(0);
    case 'uint32':
      return view.getUint32(0);
    case 'int64':
      return Number(view.getBigInt64(0));
    case 'uint64':
      return Number(view.getBigUint64(0));
    case 'float32':
      return view.getFloat32(0);
    case 'float64':
      return view.getFloat64(0);
    case 'bcd':
      return decodeBcd(bytes);
    case 'bool':
    case 'string':
      throw new TypeError(`${type} is not a number`);
  }
}

/** NaN when a nibble is no decimal digit. */
function decodeBcd(bytes: Uint8Array): number {
  const digits = hexOfBytes(bytes);
  return /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
}

function decodeText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const text = new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end));
  return text.replace(CONTROL_CHARACTERS, '').trim();
}

/** Manuals write the pattern of a signed value either way: -32768 or 0x8000. */
function isUnavailable(raw: number, { unavailableValues, type, registers }: PointEncoding): boolean {
  const unsigned = raw < 0 && type.startsWith('int') ? raw + 2 ** (registers * 16) : raw;
  return unavailableValues.some((value) => value === raw || value === unsigned);
}

/** Fifteen digits are what a double holds exactly: more would say 0.30000000000000004. */
function scaled(raw: number, { scale, offset }: PointEncoding): number {
  if (scale === 1 && offset === 0) return raw;
  return Number((raw * scale + offset).toPrecision(15));
}

function hexOf(words: readonly number[]): string {
  return words.map((word) => word.toString(16).padStart(4, '0')).join(' ');
}

function hexOfBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
