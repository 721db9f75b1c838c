/** How a value lies in registers: everything decoding and encoding need, nothing about where. */

export const POINT_TYPES = [
  'bool',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float32',
  'float64',
  'string',
  'bcd',
] as const;
export type PointType = (typeof POINT_TYPES)[number];

/**
 * The order in which the bytes of a value arrive, A being the most significant.
 * ABCD is the order of the specification, CDAB swaps the registers, BADC the bytes in each register, DCBA both.
 * Values of one register follow the bytes only (AB or BA); 64-bit values extend the same rule to four registers.
 */
export const BYTE_ORDERS = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const;
export type ByteOrder = (typeof BYTE_ORDERS)[number];

export interface PointEncoding {
  readonly type: PointType;
  readonly byteOrder: ByteOrder;
  /** Registers the value takes. */
  readonly registers: number;
  /** For a bool inside a register: 0 is the least significant bit. */
  readonly bit: number | undefined;
  /** value = raw * scale + offset */
  readonly scale: number;
  readonly offset: number;
  /** Raw values (before scale) by which the device says "no value". */
  readonly unavailableValues: readonly number[];
}

const FIXED_REGISTERS: Partial<Readonly<Record<PointType, number>>> = {
  bool: 1,
  int16: 1,
  uint16: 1,
  int32: 2,
  uint32: 2,
  float32: 2,
  int64: 4,
  uint64: 4,
  float64: 4,
};

/** Registers of a value; `length` counts for `string` and `bcd` alone (bcd holds four digits a register). */
export function registersOf(type: PointType, length: number | undefined): number {
  return FIXED_REGISTERS[type] ?? length ?? 1;
}

export function isIntegerType(type: PointType): boolean {
  return /^u?int/.test(type) || type === 'bcd';
}

export function isNumericType(type: PointType): boolean {
  return type !== 'bool' && type !== 'string';
}

/** The smallest and largest raw value of an integer type, as whole numbers. */
export function integerRange(type: PointType, registers: number): { min: bigint; max: bigint } {
  if (type === 'bcd') return { min: 0n, max: 10n ** BigInt(registers * 4) - 1n };
  const bits = BigInt(registers * 16);
  if (type.startsWith('uint')) return { min: 0n, max: 2n ** bits - 1n };
  return { min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n };
}

/** Turns registers into the bytes of the value, most significant first; text keeps the order of its registers. */
export function bytesOf(words: readonly number[], order: ByteOrder, isText: boolean): Uint8Array {
  const bytes = new Uint8Array(words.length * 2);
  const ordered = swapsWords(order) && !isText ? words.toReversed() : words;
  for (const [index, word] of ordered.entries()) {
    const high = word >> 8;
    const low = word & 0xff;
    bytes.set(swapsBytes(order) ? [low, high] : [high, low], index * 2);
  }
  return bytes;
}

/** The inverse of `bytesOf`; the number of bytes is even. */
export function wordsOf(bytes: Uint8Array, order: ByteOrder, isText: boolean): number[] {
  const words: number[] = [];
  for (let index = 0; index + 1 < bytes.length; index += 2) {
    const first = bytes[index] ?? 0;
    const second = bytes[index + 1] ?? 0;
    words.push(swapsBytes(order) ? second * 256 + first : first * 256 + second);
  }
  return swapsWords(order) && !isText ? words.toReversed() : words;
}

/** Whether the least significant register comes first. */
export function swapsWords(order: ByteOrder): boolean {
  return order === 'CDAB' || order === 'DCBA';
}

/** Whether the least significant byte of a register comes first. */
export function swapsBytes(order: ByteOrder): boolean {
  return order === 'BADC' || order === 'DCBA';
}
