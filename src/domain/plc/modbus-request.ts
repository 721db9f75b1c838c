import { EdgeError } from '../../runtime/edge-error.ts';
import { MAX_ADDRESS, MAX_REGISTERS_PER_REQUEST, type RegisterTable } from './register-address.ts';

/** Registers or bits that lie side by side in one table of a device. */
export interface RegisterSpan {
  readonly table: RegisterTable;
  /** Address of the first register or bit as sent, 0 to 65535. */
  readonly address: number;
  /** Registers or bits. */
  readonly count: number;
}

/** Registers of a file of a device (function 20; Modbus Application Protocol V1.1b3, section 6.14). */
export interface FileSpan {
  /** 1 to 65535. */
  readonly file: number;
  /** Number of the first register within the file, 0 to 9999. */
  readonly record: number;
  /** Registers, 1 to 124. */
  readonly count: number;
}

/** One write as a device takes it: whole or not at all. */
export type RegisterWrite =
  | { readonly kind: 'coils'; readonly address: number; readonly values: readonly boolean[] }
  /** Registers as 0 to 65535. */
  | { readonly kind: 'registers'; readonly address: number; readonly values: readonly number[] }
  /** Function 22: register = (register AND andMask) OR (orMask AND NOT andMask). */
  | { readonly kind: 'mask'; readonly address: number; readonly andMask: number; readonly orMask: number };

/** The unit id that every device on a serial line obeys and none answers. */
export const BROADCAST_UNIT = 0;

/** The most bits a device can be asked for at once (Modbus Application Protocol V1.1b3, section 6.1). */
export const MAX_BITS_PER_REQUEST = 2000;

/** The most that one request can write (the same, sections 6.11 and 6.12). */
export const MAX_BITS_PER_WRITE = 1968;
export const MAX_REGISTERS_PER_WRITE = 123;

/** The most registers of one file request whose answer still fits a frame (the same, section 6.14). */
export const MAX_FILE_REGISTERS = 124;
const MAX_FILE = 65_535;
const MAX_FILE_RECORD = 9_999;

const MOST_READ: Readonly<Record<RegisterTable, number>> = {
  coil: MAX_BITS_PER_REQUEST,
  discrete_input: MAX_BITS_PER_REQUEST,
  holding: MAX_REGISTERS_PER_REQUEST,
  input: MAX_REGISTERS_PER_REQUEST,
};

export function isBitTable(table: RegisterTable): boolean {
  return table === 'coil' || table === 'discrete_input';
}

/** Throws EdgeError MODBUS_INVALID_REQUEST for a read that no device could answer. */
export function assertReadable({ table, address, count }: RegisterSpan): void {
  assertSpan(address, count, MOST_READ[table], table);
}

/** Throws EdgeError MODBUS_INVALID_REQUEST for a file read that no device could answer. */
export function assertFileReadable({ file, record, count }: FileSpan): void {
  refuseUnless(isWithin(file, 1, MAX_FILE), `file ${file} is outside 1 to ${MAX_FILE}`);
  refuseUnless(
    isWithin(count, 1, MAX_FILE_REGISTERS),
    `${count} registers at once are outside 1 to ${MAX_FILE_REGISTERS}`,
  );
  refuseUnless(
    isWithin(record, 0, MAX_FILE_RECORD + 1 - count),
    `${count} from record ${record} leave 0 to ${MAX_FILE_RECORD}`,
  );
}

/** Throws EdgeError MODBUS_INVALID_REQUEST for a write that no device could carry out. */
export function assertWritable(write: RegisterWrite): void {
  switch (write.kind) {
    case 'coils':
      assertSpan(write.address, write.values.length, MAX_BITS_PER_WRITE, 'coils to write');
      return;
    case 'registers':
      assertSpan(write.address, write.values.length, MAX_REGISTERS_PER_WRITE, 'registers to write');
      for (const value of write.values) assertWord(value);
      return;
    case 'mask':
      assertSpan(write.address, 1, 1, 'register to mask');
      assertWord(write.andMask);
      assertWord(write.orMask);
  }
}

/** Throws EdgeError MODBUS_INVALID_REQUEST for anything but a whole number from 0 to 255. */
export function assertUnit(unitId: number): void {
  refuseUnless(isWithin(unitId, 0, 255), `unit id ${unitId} is outside 0 to 255`);
}

function assertSpan(address: number, count: number, most: number, what: string): void {
  refuseUnless(isWithin(count, 1, most), `${count} at once is outside 1 to ${most} for ${what}`);
  refuseUnless(
    isWithin(address, 0, MAX_ADDRESS + 1 - count),
    `${count} from address ${address} leave 0 to ${MAX_ADDRESS}`,
  );
}

function assertWord(value: number): void {
  refuseUnless(isWithin(value, 0, 0xffff), `${value} is no register value, 0 to 65535`);
}

function refuseUnless(isAllowed: boolean, reason: string): void {
  if (!isAllowed) throw new EdgeError('MODBUS_INVALID_REQUEST', reason);
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
