import { MAX_ADDRESS, type RegisterTable } from '../register-address.ts';

/** How the memory words of a PLC lie in its holding registers. */
export const MEMORY_LAYOUTS = ['words', 'codesys', 'siemens'] as const;
export type MemoryLayout = (typeof MEMORY_LAYOUTS)[number];

export interface AddressReading {
  /** What 1, 2, 3 count from where the notation does not say: the register that a plain number 0 or 1 is. */
  readonly base: 0 | 1;
  /** The list's plain numbers carry their table: 40001 is the first holding register. */
  readonly isModicon: boolean;
  /** The table of a number that names none. */
  readonly table: RegisterTable;
  /** Undefined where nothing tells: then what depends on it is refused. */
  readonly memory: MemoryLayout | undefined;
}

export type ListAddress =
  | {
      readonly ok: true;
      readonly table: RegisterTable;
      /** As it goes over the wire. */
      readonly address: number;
      readonly bit: number | undefined;
      /** Registers or bits of a range; undefined where the list gives one address. */
      readonly count: number | undefined;
      readonly notation: Notation;
    }
  | { readonly ok: false; readonly reason: string };

export type Notation =
  | 'modicon'
  | 'plain'
  | 'hex'
  /** HR12: the table in letters. */
  | 'lettered'
  | 'memory'
  | 'memory_bit'
  | 'process'
  | 'melsec';

type Part = {
  readonly table: RegisterTable;
  readonly address: number;
  readonly notation: Notation;
  readonly bit?: number;
};
type Refused = { readonly reason: string };

const MODICON_TABLES: Readonly<Record<string, RegisterTable>> = {
  '0': 'coil',
  '1': 'discrete_input',
  '3': 'input',
  '4': 'holding',
};

/** Whether a plain number of a list can be a Modicon number: its leading digit a table, five or six digits long. */
export function looksModicon(text: string): boolean {
  return /^[0134]\d{4,5}([.:]\d+)?$/u.test(text.trim());
}

/** The address a list means, with its bit or its range. */
export function listAddress(text: string, how: AddressReading): ListAddress {
  const given = text.trim();
  if (given === '') return { ok: false, reason: 'no address' };
  const range = /^(.+?)\s*(?:-|–|—|~|\.\.\.?|\bto\b|\bbis\b|至)\s*(.+)$/u.exec(given);
  if (range !== null) return rangeAddress(given, range[1] ?? '', range[2] ?? '', how);
  const dotted = /^(.*\d|.*h)[.:][xX]?(\d{1,2})$/u.exec(given);
  if (dotted !== null && !isBitNotation(given)) {
    const bit = Number(dotted[2]);
    const part = partOf(dotted[1] ?? '', how);
    if ('reason' in part) return { ok: false, reason: part.reason };
    if (bit > 15) return { ok: false, reason: `"${given}": a register has bits 0 to 15` };
    if (part.table === 'coil' || part.table === 'discrete_input')
      return { ok: false, reason: `"${given}": a ${part.table} has no bits` };
    return { ok: true, ...part, bit, count: undefined };
  }
  const part = partOf(given, how);
  return 'reason' in part
    ? { ok: false, reason: part.reason }
    : { ok: true, ...part, bit: part.bit, count: undefined };
}

/** %QX0.3 and %I0.3 are bits by themselves. */
function isBitNotation(text: string): boolean {
  return /^%?([IEQA]X?|MX?)\d+\.\d$/iu.test(text.replaceAll(' ', ''));
}

function rangeAddress(given: string, first: string, last: string, how: AddressReading): ListAddress {
  const start = partOf(first, how);
  const end = partOf(last, how);
  if ('reason' in start) return { ok: false, reason: start.reason };
  if ('reason' in end) return { ok: false, reason: end.reason };
  if (start.table !== end.table || end.address < start.address)
    return { ok: false, reason: `"${given}" is no range` };
  return { ok: true, ...start, bit: undefined, count: end.address - start.address + 1 };
}

function partOf(text: string, how: AddressReading): Part | Refused {
  const given = text.trim();
  const bare = given.replaceAll(' ', '').toUpperCase();
  const plain =
    prefixed(bare) ?? hexadecimal(bare, how) ?? decimal(bare, how) ?? named(bare, how) ?? percent(bare, how);
  if (plain === undefined) return { reason: `address "${given}" is not understood` };
  if ('reason' in plain) return plain;
  return plain.address < 0 || plain.address > MAX_ADDRESS
    ? { reason: `address "${given}" is outside what Modbus can ask for` }
    : plain;
}

/** 4x0001, 4x00001, 4:0001. */
function prefixed(bare: string): Part | Refused | undefined {
  const [, digit, number] = /^([0134])[X:](\d{1,6})$/u.exec(bare) ?? [];
  const table = MODICON_TABLES[digit ?? ''];
  // 0x10 is a hexadecimal number, 0x00017 the coil of a list that writes 4x00017 as well.
  if (table === undefined || number === undefined || (digit === '0' && number.length < 4)) return undefined;
  return { table, address: Number(number) - 1, notation: 'modicon' };
}

function hexadecimal(bare: string, how: AddressReading): Part | undefined {
  const digits = /^(?:0X|16#|\$)([0-9A-F]{1,4})$/u.exec(bare)?.[1] ?? /^([0-9A-F]{1,5})H$/u.exec(bare)?.[1];
  if (digits === undefined) return undefined;
  return { table: how.table, address: Number.parseInt(digits, 16) - how.base, notation: 'hex' };
}

function decimal(bare: string, how: AddressReading): Part | Refused | undefined {
  if (!/^\d{1,6}$/u.test(bare)) return undefined;
  if (!how.isModicon) return { table: how.table, address: Number(bare) - how.base, notation: 'plain' };
  // The leading zero of 00017 is lost in many a list.
  if (how.table === 'coil' && bare.length < 5)
    return { table: 'coil', address: Number(bare) - 1, notation: 'modicon' };
  const table = MODICON_TABLES[bare[0] ?? ''];
  if (table === undefined || bare.length < 5)
    return { reason: `address "${bare}" is no number like 40001, as the others of the list are` };
  return { table, address: Number(bare.slice(1)) - 1, notation: 'modicon' };
}

/**
 * HR100, IR100; and of Mitsubishi D to holding and M to coils, number for number: the initial assignment of the MELSEC iQ-F
 * FX5 (User's Manual, MODBUS Communication, "Modbus device initial assignment").
 */
function named(bare: string, how: AddressReading): Part | undefined {
  const [, letters, number] = /^(HR|IR|DI|CO|COIL|D|M)(\d{1,5})$/u.exec(bare) ?? [];
  if (letters === undefined || number === undefined) return undefined;
  if (letters === 'D') return { table: 'holding', address: Number(number), notation: 'melsec' };
  if (letters === 'M') return { table: 'coil', address: Number(number), notation: 'melsec' };
  const tables: Readonly<Record<string, RegisterTable>> = {
    HR: 'holding',
    IR: 'input',
    DI: 'discrete_input',
  };
  return { table: tables[letters] ?? 'coil', address: Number(number) - how.base, notation: 'lettered' };
}

/** IEC 61131-3 addresses, German letters (E, A) included. */
function percent(bare: string, how: AddressReading): Part | Refused | undefined {
  if (/^%?DB\d+/u.test(bare))
    return {
      reason: `"${bare}": where a data block lies in the registers is written in the PLC's program only`,
    };
  const [, area, size, number, bit] = /^%?([MIEQA])([XBWDL]?)(\d{1,5})(?:\.(\d))?$/u.exec(bare) ?? [];
  if (area === undefined || number === undefined) return undefined;
  if (bare.startsWith('%') === false && area !== 'M' && size === '') return undefined;
  const at = Number(number);
  if (bit !== undefined && Number(bit) > 7) return { reason: `"${bare}": a byte has bits 0 to 7` };
  if (area === 'M') return memory(bare, size ?? '', at, bit, how.memory);
  const isInput = area === 'I' || area === 'E';
  if (size === 'B') return halfRegister(bare, area, at, how.memory);
  if (size === 'W')
    return {
      table: isInput ? 'input' : 'holding',
      address: how.memory === 'siemens' ? half(at) : at,
      notation: 'process',
    };
  if (size === 'D' || size === 'L')
    return {
      reason: `"${bare}": how double words of inputs and outputs count differs between controllers: give register numbers`,
    };
  const address = bit === undefined ? at : at * 8 + Number(bit);
  return { table: isInput ? 'discrete_input' : 'coil', address, notation: 'process' };
}

function memory(
  bare: string,
  size: string,
  at: number,
  bit: string | undefined,
  layout: MemoryLayout | undefined,
): Part | Refused {
  const word = (address: number): Part => ({ table: 'holding', address, notation: 'memory' });
  if (size === 'B') return halfRegister(bare, 'M', at, layout);
  if (size === 'X' || bit !== undefined) {
    if (bit === undefined) return { reason: `"${bare}" is a byte without its bit: write it as ${bare}.0` };
    // The first byte of an S7 word is its high one: M110.0 is bit 8 of MW110, and M111.0 bit 0.
    const highBit = Number(bit) + (at % 2 === 0 ? 8 : 0);
    if (layout === 'siemens') return { ...word(half(at)), notation: 'memory_bit', bit: highBit };
    return {
      reason: `"${bare}": a bit of memory lies in a register as the controller orders its bytes: on a Siemens (--memory siemens) it is %MW${at - (at % 2)}.${highBit}; of others write the bit of the word that the register is, such as %MW10.3`,
    };
  }
  if (size === '') return { table: 'coil', address: at, notation: 'memory' };
  if (layout === 'siemens') {
    if (at % 2 === 1) return { reason: `"${bare}" begins in the middle of a register` };
    return word(half(at));
  }
  if (size === 'W') return word(at);
  if (layout === undefined)
    return {
      reason: `"${bare}": register ${at} or ${at * 2}? Say how the controller counts: --memory words (Schneider: %MD${at} is %MW${at}), codesys (it is %MW${at * 2}) or siemens (bytes)`,
    };
  if (layout === 'words') return word(at);
  return word(at * (size === 'L' ? 4 : 2));
}

function halfRegister(bare: string, area: string, at: number, layout: MemoryLayout | undefined): Refused {
  const isByBytes = layout === 'siemens' || layout === undefined;
  return {
    reason: `"${bare}": one byte is half a register: use %${area}W${isByBytes ? at - (at % 2) : half(at)}`,
  };
}

function half(bytes: number): number {
  return Math.floor(bytes / 2);
}
