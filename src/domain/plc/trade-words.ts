import type { ByteOrder, PointType } from './point-encoding.ts';
import type { RegisterTable } from './register-address.ts';

/**
 * What other manuals and tools call the words of a plant file, lower-case and without anything but letters and digits.
 * Where vendors mean different things by one word (a "double" of 32 or 64 bits, "little endian"), it is not here.
 */

/** Elementary types of IEC 61131-3 (third edition, table 10), and the plain names of the same lengths. */
export const TYPE_SYNONYMS: Readonly<Record<string, PointType>> = {
  boolean: 'bool',
  bit: 'bool',
  int: 'int16',
  short: 'int16',
  word: 'uint16',
  uint: 'uint16',
  ushort: 'uint16',
  dint: 'int32',
  dword: 'uint32',
  udint: 'uint32',
  lint: 'int64',
  lword: 'uint64',
  ulint: 'uint64',
  real: 'float32',
  float: 'float32',
  single: 'float32',
  real32: 'float32',
  lreal: 'float64',
  real64: 'float64',
  s16: 'int16',
  u16: 'uint16',
  s32: 'int32',
  u32: 'uint32',
  s64: 'int64',
  u64: 'uint64',
  f32: 'float32',
  f64: 'float64',
  text: 'string',
};

export const TABLE_SYNONYMS: Readonly<Record<string, RegisterTable>> = {
  coils: 'coil',
  '0x': 'coil',
  output: 'coil',
  discreteinput: 'discrete_input',
  discreteinputs: 'discrete_input',
  discrete: 'discrete_input',
  contact: 'discrete_input',
  '1x': 'discrete_input',
  holdingregister: 'holding',
  holdingregisters: 'holding',
  hr: 'holding',
  '4x': 'holding',
  inputregister: 'input',
  inputregisters: 'input',
  ir: 'input',
  '3x': 'input',
};

export const ORDER_SYNONYMS: Readonly<Record<string, ByteOrder>> = {
  '1234': 'ABCD',
  '3412': 'CDAB',
  '2143': 'BADC',
  '4321': 'DCBA',
  bigendian: 'ABCD',
  wordswap: 'CDAB',
  wordswapped: 'CDAB',
  byteswap: 'BADC',
  byteswapped: 'BADC',
};

export const TRANSPORT_SYNONYMS: Readonly<Record<string, string>> = {
  modbustcp: 'tcp',
  ethernet: 'tcp',
  modbusrtu: 'rtu',
  serial: 'rtu',
  rs485: 'rtu',
  rs232: 'rtu',
  rtutcp: 'rtu_over_tcp',
  telnet: 'rtu_over_tcp',
};

export const ACCESS_SYNONYMS: Readonly<Record<string, string>> = {
  r: 'read',
  ro: 'read',
  readonly: 'read',
  w: 'write',
  wo: 'write',
  writeonly: 'write',
  rw: 'read_write',
  readwrite: 'read_write',
};

/** Words that mean different things with different vendors: what each of the meanings is here. */
export const ORDER_EXPLAINED: Readonly<Record<string, string>> = Object.fromEntries(
  ['big', 'little', 'littleendian', 'be', 'le', 'swap', 'swapped'].map((word) => [
    word,
    'Big-endian is "ABCD", little-endian "DCBA"; "word swapped" (the low register first) is "CDAB"',
  ]),
);

export const TRANSPORT_EXPLAINED: Readonly<Record<string, string>> = {
  modbus: 'Modbus TCP is "tcp", Modbus RTU on a serial port "rtu"',
};
