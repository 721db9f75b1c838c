import { describe, expect, it } from 'vitest';
import { delimitedRows, guessSeparator } from '../../../../../src/domain/plc/import/delimited-rows.ts';
import { type AddressReading, listAddress } from '../../../../../src/domain/plc/import/list-address.ts';
import { listNumber, listScale } from '../../../../../src/domain/plc/import/list-number.ts';
import { listType } from '../../../../../src/domain/plc/import/list-type.ts';
import { listAccess, listTable } from '../../../../../src/domain/plc/import/list-words.ts';
import { textOfBytes } from '../../../../../src/domain/plc/import/text-of-bytes.ts';

const PLAIN: AddressReading = { base: 0, isModicon: false, table: 'holding', memory: undefined };
const MODICON: AddressReading = { ...PLAIN, isModicon: true };

function placeOf(text: string, how: AddressReading): string {
  const found = listAddress(text, how);
  if (!found.ok) return found.reason;
  const { table, address, bit, count } = found;
  return `${table} ${address}${bit === undefined ? '' : `.${bit}`}${count === undefined ? '' : ` for ${count}`}`;
}

describe('an address in a tag list', () => {
  it.each<[string, AddressReading, string]>([
    ['40001', MODICON, 'holding 0'],
    ['400001', MODICON, 'holding 0'],
    ['465536', MODICON, 'holding 65535'],
    ['30010', MODICON, 'input 9'],
    ['10003', MODICON, 'discrete_input 2'],
    ['00017', MODICON, 'coil 16'],
    ['1', { ...MODICON, table: 'coil' }, 'coil 0'],
    ['9999', { ...MODICON, table: 'coil' }, 'coil 9998'],
    ['%M110.0', { ...PLAIN, memory: 'siemens' }, 'holding 55.8'],
    ['M111.7', { ...PLAIN, memory: 'siemens' }, 'holding 55.7'],
    ['%MX110.3', { ...PLAIN, memory: 'siemens' }, 'holding 55.11'],
    ['40001.3', MODICON, 'holding 0.3'],
    ['40020-40029', MODICON, 'holding 19 for 10'],
    ['40020..40021', MODICON, 'holding 19 for 2'],
    ['4x0001', PLAIN, 'holding 0'],
    ['3x00100', PLAIN, 'input 99'],
    ['100', PLAIN, 'holding 100'],
    ['100', { ...PLAIN, base: 1 }, 'holding 99'],
    ['100', { ...PLAIN, table: 'input' }, 'input 100'],
    ['0x10', PLAIN, 'holding 16'],
    ['10h', PLAIN, 'holding 16'],
    ['16#FF', PLAIN, 'holding 255'],
    ['HR100', PLAIN, 'holding 100'],
    ['D100', PLAIN, 'holding 100'],
    ['M5', PLAIN, 'coil 5'],
    ['%MW100', PLAIN, 'holding 100'],
    ['%MW10.3', PLAIN, 'holding 10.3'],
    ['%MW10.15', PLAIN, 'holding 10.15'],
    ['%MD100', { ...PLAIN, memory: 'words' }, 'holding 100'],
    ['%MD100', { ...PLAIN, memory: 'codesys' }, 'holding 200'],
    ['%MD100', { ...PLAIN, memory: 'siemens' }, 'holding 50'],
    ['%MW100', { ...PLAIN, memory: 'siemens' }, 'holding 50'],
    ['%M100', PLAIN, 'coil 100'],
    ['%IW3', PLAIN, 'input 3'],
    ['%EW3', PLAIN, 'input 3'],
    ['%QX1.2', PLAIN, 'coil 10'],
    ['%IX0.7', PLAIN, 'discrete_input 7'],
  ])('%s is understood', (text, how, place) => {
    expect(placeOf(text, how)).toBe(place);
  });

  it.each<[string, AddressReading, RegExp]>([
    ['', PLAIN, /no address/],
    ['4001x', MODICON, /not understood/],
    ['123', MODICON, /no number like 40001/],
    ['40001.16', MODICON, /bits 0 to 15/],
    ['10003.2', MODICON, /has no bits/],
    ['40010-40001', MODICON, /no range/],
    ['70000', PLAIN, /outside/],
    ['0', { ...PLAIN, base: 1 }, /outside/],
    ['%MD100', PLAIN, /register 100 or 200\?.*--memory/],
    ['%MD207', { ...PLAIN, memory: 'siemens' }, /middle of a register/],
    ['%MX10.3', PLAIN, /orders its bytes/],
    ['M10.3', PLAIN, /orders its bytes/],
    ['0', { ...MODICON, table: 'coil' }, /outside/],
    ['%M110.0', PLAIN, /--memory siemens\) it is %MW110\.8/],
    ['%M110.8', { ...PLAIN, memory: 'siemens' }, /bits 0 to 7/],
    ['%MB138', PLAIN, /one byte is half a register: use %MW138/],
    ['%MB139', { ...PLAIN, memory: 'siemens' }, /use %MW138/],
    ['%ID4', PLAIN, /differs between controllers/],
    ['%DB10.DBD4', PLAIN, /data block/],
  ])('%j is refused with its reason', (text, how, reason) => {
    expect(placeOf(text, how)).toMatch(reason);
  });
});

describe('a type in a tag list', () => {
  it.each<[string, object]>([
    ['REAL', { type: 'float32' }],
    ['Real', { type: 'float32' }],
    ['LREAL', { type: 'float64' }],
    ['DINT', { type: 'int32' }],
    ['UDInt', { type: 'uint32' }],
    ['WORD', { type: 'uint16' }],
    ['FLOAT32', { type: 'float32' }],
    ['Float32 CDAB', { type: 'float32', byteOrder: 'CDAB' }],
    ['UINT32 (DCBA)', { type: 'uint32', byteOrder: 'DCBA' }],
    ['STRING[20]', { type: 'string', length: 10 }],
    ['String(5)', { type: 'string', length: 3 }],
    ['BOOL', { type: 'bool' }],
    ['Time', { type: 'int32', unit: 'ms' }],
    ['BCD32', { type: 'bcd', length: 2 }],
    ['浮点', { type: 'float32' }],
    ['双精度浮点', { type: 'float64' }],
    ['无符号整数', { type: 'uint16' }],
    ['开关量', { type: 'bool' }],
  ])('%s is understood', (text, type) => {
    expect(listType(text)).toMatchObject({ ok: true, ...type });
  });

  it.each([
    'Array[0..9] of Int',
    'BYTE',
    'LONG',
    'S5TIME',
    'WSTRING[4]',
    'Date_And_Time',
    'Quux',
    'INT[4]',
    'Struct',
  ])('%s is refused with its reason', (text) => {
    const found = listType(text);
    expect(found.ok).toBe(false);
    if (!found.ok) expect(found.reason.length).toBeGreaterThan(10);
  });
});

describe('a number in a tag list', () => {
  it.each<[string, number | undefined]>([
    ['0,1', 0.1],
    ['0.1', 0.1],
    ['1.234,5', 1234.5],
    ['1,234.5', 1234.5],
    ['-5', -5],
    ['1e-3', 0.001],
    ['1 000', 1000],
    ['abc', undefined],
    ['', undefined],
  ])('%j is %s', (text, value) => {
    expect(listNumber(text)).toBe(value);
  });

  it.each<[string, number | undefined]>([
    ['1/10', 0.1],
    ['/100', 0.01],
    ['x0.1', 0.1],
    ['1:10', 0.1],
    ['0,5', 0.5],
    ['1/0', undefined],
  ])('as a scale %j is %s', (text, value) => {
    expect(listScale(text)).toBe(value);
  });
});

describe('words of a tag list', () => {
  it.each([
    ['Holding Register', 'holding'],
    ['输入寄存器', 'input'],
    ['FC03', 'holding'],
    ['1x', 'discrete_input'],
    ['Coils', 'coil'],
    ['elsewhere', undefined],
  ])('%s is the table %s', (text, table) => {
    expect(listTable(text)).toBe(table);
  });

  it.each([
    ['R/W', 'read_write'],
    ['RO', 'read'],
    ['读写', 'read_write'],
    ['sometimes', undefined],
  ])('%s is the access %s', (text, access) => {
    expect(listAccess(text)).toBe(access);
  });
});

describe('the rows of a delimited text', () => {
  const cellsOf = (text: string, separator: ',' | ';' | '\t') => {
    const read = delimitedRows(text, separator);
    return read.ok ? read.rows.map(({ line, cells }) => [line, ...cells]) : `${read.line}: ${read.reason}`;
  };

  it.each<[string, ',' | ';' | '\t', unknown]>([
    [
      'a,b\r\nc,d\r\n',
      ',',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'a;"b;c"\nd;"e""f"',
      ';',
      [
        [1, 'a', 'b;c'],
        [2, 'd', 'e"f'],
      ],
    ],
    [
      'a,"b\nc",d\ne,f,g',
      ',',
      [
        [1, 'a', 'b\nc', 'd'],
        [3, 'e', 'f', 'g'],
      ],
    ],
    [
      'a,\n,b\n\n,,\nc,d',
      ',',
      [
        [1, 'a', ''],
        [2, '', 'b'],
        [5, 'c', 'd'],
      ],
    ],
    ['3" pipe\tb', '\t', [[1, '3" pipe', 'b']]],
    ['a,"b', ',', '1: a quote that never closes'],
    ['a\nb,"c"d', ',', '2: text behind the closing quote: d'],
  ])('%j', (text, separator, rows) => {
    expect(cellsOf(text, separator)).toEqual(rows);
  });

  it.each([
    ['a;b;c\n1,5;2;3', ';'],
    ['a\tb, c\td', '\t'],
    ['a,b\nc,d', ','],
  ])('of %j are separated by %j', (text, separator) => {
    expect(guessSeparator(text)).toBe(separator);
  });
});

describe('the bytes of a tag list', () => {
  const utf16 = Buffer.from('Name;Größe;变量', 'utf16le');
  it.each<[string, Uint8Array, string, string]>([
    ['with the mark of UTF-8', Buffer.from('\ufeffGröße'), 'utf-8', 'Größe'],
    ['UTF-8 without one', Buffer.from('变量名,地址'), 'utf-8', '变量名,地址'],
    ['UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), 'utf-16le', 'Name;Größe;变量'],
    ['UTF-16 without one', utf16, 'utf-16le', 'Name;Größe;变量'],
    ['big-endian UTF-16', Buffer.from(utf16).swap16(), 'utf-16be', 'Name;Größe;变量'],
    [
      'Latin-1',
      Buffer.from('Größe;Überdruck für Öfen', 'latin1'),
      'windows-1252',
      'Größe;Überdruck für Öfen',
    ],
    ['GBK', Buffer.from('b1e4c1bfc3fb2cb5d8d6b7', 'hex'), 'gbk', '变量名,地址'],
  ])('%s are told from each other', (_what, bytes, encoding, text) => {
    expect(textOfBytes(bytes)).toMatchObject({ encoding, text });
  });
});
