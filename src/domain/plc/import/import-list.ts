import { type AddressBase, type RegisterTable, resolveAddress, writtenAddress } from '../register-address.ts';
import { delimitedRows, guessSeparator, type ListRow, type Separator } from './delimited-rows.ts';
import { type AddressReading, looksModicon, type MemoryLayout } from './list-address.ts';
import { type ColumnRole, type ListColumn, listColumns } from './list-columns.ts';
import type { Romanise } from './list-names.ts';
import { listTable } from './list-words.ts';
import { type CellOf, cellReader, type ListedPoint, listedPoint } from './listed-point.ts';
import { type MachineRule, type NamedMachine, type NamedPoint, namedPoints } from './named-points.ts';

export interface ImportOptions {
  readonly separator?: Separator;
  readonly columns?: Readonly<Partial<Record<ColumnRole, string>>>;
  readonly machine: MachineRule;
  /** What the list's plain numbers count from. */
  readonly base?: 0 | 1;
  /** The table of addresses that name none. */
  readonly table?: RegisterTable;
  readonly memory?: MemoryLayout;
}

export interface RefusedRow {
  readonly row: number;
  readonly name: string;
  readonly reason: string;
}

export interface ImportedList {
  readonly ok: true;
  readonly separator: Separator;
  /** Below the header. */
  readonly rows: number;
  readonly columns: readonly ListColumn[];
  readonly unused: readonly string[];
  /** What the list does not say and was taken for granted. */
  readonly assumptions: readonly string[];
  readonly base: AddressBase;
  readonly machines: readonly NamedMachine[];
  readonly points: readonly NamedPoint[];
  /** Every row below the header is a point or one of these. */
  readonly refused: readonly RefusedRow[];
  /** What was in a row that was taken, and is not in the point. */
  readonly notes: readonly RefusedRow[];
}

export type ImportOutcome = ImportedList | { readonly ok: false; readonly reason: string };

/** Turns the text of a tag list into points; nothing of it is dropped without being named. */
export function importList(text: string, options: ImportOptions, romanise: Romanise): ImportOutcome {
  const separator = options.separator ?? guessSeparator(text);
  const read = delimitedRows(text, separator);
  if (!read.ok) return { ok: false, reason: `line ${read.line}: ${read.reason}` };
  const found = listColumns(read.rows, options.columns ?? {});
  if (!found.ok) return found;
  const { columns, rows, unused } = found;
  const how = addressReading(rows, columns, options);
  const listed: ListedPoint[] = [];
  const refused: RefusedRow[] = [];
  for (const row of rows) {
    const outcome = listedPoint(row, columns, how.reading);
    if (outcome.ok) listed.push(outcome.point);
    else refused.push({ row: outcome.line, name: outcome.name, reason: outcome.reason });
  }
  const naming = namedPoints(listed, options.machine, romanise);
  refused.push(...naming.refused.map(({ line, name, reason }) => ({ row: line, name, reason })));
  const named = naming.points.map(({ listed: point }) => point);
  return {
    ok: true,
    separator,
    rows: rows.length,
    columns,
    unused,
    assumptions: [...how.assumptions, ...assumptionsOf(named, how.reading, options.base !== undefined)],
    base: writtenBase(named, how.reading),
    machines: naming.machines,
    points: naming.points,
    refused: refused.toSorted((one, other) => one.row - other.row),
    notes: named.flatMap(({ line, texts, notes }) =>
      notes.map((reason) => ({ row: line, name: texts.name, reason })),
    ),
  };
}

const MOSTLY = 0.9;
/** The header of the address column in lists of Siemens TIA Portal. */
const TIA_HEADER = /^(logical address|logische adresse)$/iu;

function addressReading(
  rows: readonly ListRow[],
  columns: readonly ListColumn[],
  options: ImportOptions,
): { reading: AddressReading; assumptions: string[] } {
  const assumptions: string[] = [];
  // Coils are 1 to 9999 in either way of counting, once their leading zeros are lost.
  const isShortCoil = (cell: CellOf): boolean =>
    (listTable(cell('register')) ?? options.table) === 'coil' && /^\d{1,4}$/u.test(cell('address'));
  const numbers = rows
    .filter((row) => !isShortCoil(cellReader(columns, row)))
    .map(
      (row) =>
        cellReader(
          columns,
          row,
        )('address')
          .split(/[-–~.:]/u)[0]
          ?.trim() ?? '',
    )
    .filter((address) => /^\d{1,6}$/u.test(address));
  const isModicon =
    options.base === undefined &&
    numbers.length > 0 &&
    numbers.filter(looksModicon).length >= numbers.length * MOSTLY;
  const header = columns.find(({ role }) => role === 'address')?.header ?? '';
  const isTia = options.memory === undefined && TIA_HEADER.test(header.trim());
  if (isTia)
    assumptions.push(
      `"${header}" is the header of TIA Portal: %MW and %MD count bytes, and the registers begin at %MW0 (MB_HOLD_REG at P#M0.0); say otherwise with --memory`,
    );
  const base = options.base ?? 0;
  const isPlain = (row: ListRow): boolean => /^\d{1,6}$/u.test(cellReader(columns, row)('address'));
  if (!isModicon && options.base === undefined && (numbers.length > 0 || rows.some(isPlain)))
    assumptions.push('plain numbers count from 0, as they go over the wire; say otherwise with --base 1');
  const memory = options.memory ?? (isTia ? 'siemens' : undefined);
  return { assumptions, reading: { base, isModicon, table: options.table ?? 'holding', memory } };
}

function assumptionsOf(
  points: readonly ListedPoint[],
  { table, memory }: AddressReading,
  isBaseGiven: boolean,
): string[] {
  const has = (notation: ListedPoint['notation']): boolean =>
    points.some((point) => point.notation === notation);
  const found: string[] = [];
  if (has('plain') || has('hex'))
    found.push(`addresses that name no table are register ${table}; say otherwise with --register`);
  if (has('hex') && !isBaseGiven)
    found.push('hexadecimal numbers count from 0, as they go over the wire; say otherwise with --base 1');
  if (has('lettered') && !isBaseGiven)
    found.push(
      'HRn is holding register n, IRn input register n, DIn discrete input n and COn coil n, counted from 0; say otherwise with --base 1',
    );
  if (has('memory_bit'))
    found.push(
      'of two bytes of memory the even one is the high one: %M110.0 is bit 8 of the register of %MW110, %M111.0 bit 0',
    );
  if (has('memory') && memory !== 'siemens')
    found.push('%MWn is holding register n, and %Mn coil n, counted from 0');
  if (has('process'))
    found.push(
      '%IW are input registers, %QW holding registers, %IX and %QX bits, each counted from 0: check the mapping of the controller',
    );
  if (has('melsec'))
    found.push('Dn is holding register n and Mn coil n, as MELSEC assigns them unless configured otherwise');
  return found;
}

/** The manual's own way of counting where the file can hold it. */
function writtenBase(points: readonly ListedPoint[], { base, isModicon }: AddressReading): AddressBase {
  const wantsModicon =
    isModicon || (points.length > 0 && points.every(({ notation }) => notation === 'modicon'));
  if (!wantsModicon) return base;
  const sixDigits = points.some(({ wire }) => wire > 9_998);
  const fits = points.every(
    ({ register, wire }) =>
      resolveAddress(register, writtenAddress(register, wire, 'modicon', sixDigits), 'modicon').ok,
  );
  return fits ? 'modicon' : 1;
}
