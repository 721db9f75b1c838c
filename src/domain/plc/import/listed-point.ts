import type { PointSettings } from '../device-map-shape.ts';
import { isBitTable } from '../modbus-request.ts';
import { isNumericType, registersOf } from '../point-encoding.ts';
import type { RegisterTable } from '../register-address.ts';
import type { ListRow } from './delimited-rows.ts';
import { type AddressReading, listAddress, type Notation } from './list-address.ts';
import type { ColumnRole, ListColumn } from './list-columns.ts';
import { listNumber, listScale } from './list-number.ts';
import { listType } from './list-type.ts';
import { listAccess, listTable } from './list-words.ts';

/** A row as a point, but for its names: those depend on the other rows. */
export interface ListedPoint {
  readonly line: number;
  readonly texts: Readonly<Record<'name' | 'comment' | 'name_en' | 'name_zh' | 'machine', string>>;
  readonly register: RegisterTable;
  /** As it goes over the wire. */
  readonly wire: number;
  readonly notation: Notation;
  readonly settings: PointFields;
  /** What was in the row and is not taken over. */
  readonly notes: readonly string[];
}

export type PointFields = Pick<PointSettings, 'type' | 'access'> &
  Partial<
    Pick<PointSettings, 'bit' | 'length' | 'byte_order' | 'scale' | 'offset' | 'write_min' | 'write_max'>
  > & {
    readonly unit?: string;
  };

export type ListedRow =
  | { readonly ok: true; readonly point: ListedPoint }
  | { readonly ok: false; readonly line: number; readonly name: string; readonly reason: string };

export type CellOf = (role: ColumnRole) => string;

export function cellReader(columns: readonly ListColumn[], { cells }: ListRow): CellOf {
  return (role) => {
    const column = columns.find((each) => each.role === role);
    return column === undefined ? '' : (cells[column.index]?.trim() ?? '');
  };
}

/** What a row of a tag list says, or the first reason why it cannot be taken. */
export function listedPoint(row: ListRow, columns: readonly ListColumn[], how: AddressReading): ListedRow {
  const cell = cellReader(columns, row);
  const refuse = (reason: string): ListedRow => ({ ok: false, line: row.line, name: cell('name'), reason });
  const tableText = cell('register');
  const named = tableText === '' ? undefined : listTable(tableText);
  if (tableText !== '' && named === undefined) return refuse(`register "${tableText}" is not known`);
  const at = listAddress(cell('address'), {
    ...how,
    table: named ?? how.table,
    isModicon: how.isModicon,
  });
  if (!at.ok) return refuse(at.reason);
  if (named !== undefined && named !== at.table)
    return refuse(`address "${cell('address')}" is of register ${at.table}, and the list says ${named}`);
  const bit = wholeNumber(cell('bit')) ?? at.bit;
  const typed = typeOf(cell('type'), at.table, bit);
  if (!typed.ok) return refuse(typed.reason);
  const { type } = typed;
  if (type === 'string' && how.memory === 'siemens')
    return refuse(
      'an S7 STRING begins with two bytes of lengths: give the characters a type of their own in the PLC',
    );
  const length =
    type === 'string' || type === 'bcd'
      ? (typed.length ?? wholeNumber(cell('length')) ?? at.count)
      : undefined;
  if (type === 'string' && length === undefined)
    return refuse('a STRING without its length: write STRING[20]');
  const registers = isBitTable(at.table) ? 1 : registersOf(type, length);
  if (at.count !== undefined && at.count !== registers)
    return refuse(`"${cell('address')}" are ${at.count} registers, a ${type} has ${registers}`);
  const numbers = numbersOf(cell, isNumericType(type));
  if ('reason' in numbers) return refuse(numbers.reason);
  const accessText = cell('access');
  const access = accessText === '' ? 'read' : listAccess(accessText);
  if (access === undefined) return refuse(`access "${accessText}" is not known: R, W or RW`);
  const notes = [...numbers.notes];
  const isWritable = access !== 'read' && (at.table === 'coil' || at.table === 'holding');
  if (access !== 'read' && !isWritable)
    notes.push(`a ${at.table} can only be read: access ${accessText} left out`);
  const hasLimits = numbers.min !== undefined || numbers.max !== undefined;
  if (hasLimits && !isWritable) notes.push('min and max left out: they are limits of what may be written');
  const unit = cell('unit') || typed.unit || '';
  const bitNumber = type === 'bool' && !isBitTable(at.table) ? bit : undefined;
  return {
    ok: true,
    point: {
      line: row.line,
      texts: {
        name: cell('name'),
        comment: cell('comment'),
        name_en: cell('name_en'),
        name_zh: cell('name_zh'),
        machine: cell('machine'),
      },
      register: at.table,
      wire: at.address,
      notation: at.notation,
      notes,
      settings: {
        type,
        access: isWritable ? access : 'read',
        ...(bitNumber === undefined ? {} : { bit: bitNumber }),
        ...(length === undefined ? {} : { length }),
        ...(typed.byteOrder === undefined ? {} : { byte_order: typed.byteOrder }),
        ...(numbers.scale === undefined || numbers.scale === 1 ? {} : { scale: numbers.scale }),
        ...(numbers.offset === undefined || numbers.offset === 0 ? {} : { offset: numbers.offset }),
        ...(unit === '' || !isNumericType(type) ? {} : { unit }),
        ...(isWritable && numbers.min !== undefined ? { write_min: numbers.min } : {}),
        ...(isWritable && numbers.max !== undefined ? { write_max: numbers.max } : {}),
      },
    },
  };
}

function typeOf(text: string, table: RegisterTable, bit: number | undefined): ReturnType<typeof listType> {
  const isBit = isBitTable(table);
  if (text === '') {
    if (isBit || bit !== undefined)
      return { ok: true, type: 'bool', length: undefined, byteOrder: undefined, unit: undefined };
    return { ok: false, reason: 'no type' };
  }
  const typed = listType(text);
  if (!typed.ok) return typed;
  if (isBit && typed.type !== 'bool')
    return { ok: false, reason: `a ${table} is one bit, and the list says ${text}` };
  if (!isBit && typed.type === 'bool' && bit === undefined)
    return { ok: false, reason: 'a BOOL in a register without its bit: write the address as 40001.3' };
  if (bit !== undefined && typed.type !== 'bool')
    return { ok: false, reason: `bit ${bit} of a register is a BOOL, and the list says ${text}` };
  return typed;
}

interface Numbers {
  readonly scale: number | undefined;
  readonly offset: number | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly notes: readonly string[];
}

function numbersOf(cell: CellOf, isNumber: boolean): Numbers | { readonly reason: string } {
  const read = { scale: listScale, offset: listNumber, min: listNumber, max: listNumber } as const;
  const numbers: { -readonly [K in keyof typeof read]: number | undefined } = {
    scale: undefined,
    offset: undefined,
    min: undefined,
    max: undefined,
  };
  for (const key of ['scale', 'offset', 'min', 'max'] as const) {
    const text = cell(key);
    if (text === '' || text === '-') continue;
    if (!isNumber) continue;
    const value = read[key](text);
    if (value === undefined) return { reason: `${key} "${text}" is no number` };
    numbers[key] = value;
  }
  if (numbers.scale === 0) return { reason: 'scale 0 would make every value the same' };
  return { ...numbers, notes: [] };
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,5}$/u.test(text) ? Number(text) : undefined;
}
