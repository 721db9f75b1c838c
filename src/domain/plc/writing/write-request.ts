import { type Decoded, decodeRegisters } from '../decode.ts';
import { isBitTable, type RegisterSpan, type RegisterWrite } from '../modbus-request.ts';
import type { PlantPoint } from '../plant-model.ts';
import { isIntegerType } from '../point-encoding.ts';
import type { PointValue } from '../reading.ts';

/** The cells of a point, in one request. */
export function spanOf({ table, address, count }: PlantPoint): RegisterSpan {
  return { table, address, count };
}

export function isBitInRegister({ table, encoding }: PlantPoint): boolean {
  return !isBitTable(table) && encoding.type === 'bool';
}

/** The place of a point's bit in its register as it is sent, which the byte order moves; all of it for other points. */
export function maskOf({ table, encoding }: PlantPoint): number {
  if (isBitTable(table)) return 1;
  if (encoding.type !== 'bool') return 0xffff;
  const bit = encoding.bit ?? 0;
  return 1 << (encoding.byteOrder === 'BADC' || encoding.byteOrder === 'DCBA' ? (bit + 8) % 16 : bit);
}

/** The one request that writes these words, a bit of a register by its mask. */
export function writeOf(point: PlantPoint, words: readonly number[]): RegisterWrite {
  const { address } = point;
  if (isBitTable(point.table)) return { kind: 'coils', address, values: words.map((word) => word === 1) };
  if (!isBitInRegister(point)) return { kind: 'registers', address, values: words };
  const mask = maskOf(point);
  return { kind: 'mask', address, andMask: ~mask & 0xffff, orMask: (words[0] ?? 0) & mask };
}

/** The whole register with the point's bit changed and the others as they are in `present`. */
export function registerWriteOf(point: PlantPoint, words: readonly number[], present: number): RegisterWrite {
  const mask = maskOf(point);
  const value = (present & ~mask & 0xffff) | ((words[0] ?? 0) & mask);
  return { kind: 'registers', address: point.address, values: [value] };
}

export function decodeCells({ table, encoding }: PlantPoint, words: readonly number[]): Decoded {
  return isBitTable(table) ? { quality: 'good', value: words[0] === 1 } : decodeRegisters(words, encoding);
}

/** Whether the cells that were read hold what was written, of a register with a bit that bit alone. */
export function isAsWritten(
  point: PlantPoint,
  read: readonly number[],
  written: { readonly words: readonly number[]; readonly value: PointValue },
): boolean {
  const mask = maskOf(point);
  if (read.every((word, index) => (word & mask) === ((written.words[index] ?? 0) & mask))) return true;
  if (isBitTable(point.table) || isIntegerType(point.encoding.type)) return false;
  // A PLC may pad a text in its own way, or drop the sign of a zero.
  const decoded = decodeCells(point, read);
  return decoded.quality === 'good' && decoded.value === written.value;
}
