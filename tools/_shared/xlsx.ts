import writeExcelFile from 'write-excel-file/node';
import type { Table } from './table.ts';

/** What a cell of a sheet holds at most (ECMA-376; Excel's own limit). */
const MAX_CELL_CHARACTERS = 32_767;
const COLUMN_CHARACTERS = 20;

/** A sheet with a bold head. Every text is a text there: nothing in it is a formula. */
export async function xlsxOf({ columns, rows, kind }: Table): Promise<Uint8Array> {
  const head = columns.map((column) => ({ value: column, type: String, fontWeight: 'bold' as const }));
  const body = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? { value: sheetText(cell), type: String } : cell)),
  );
  return writeExcelFile([head, ...body], {
    sheet: kind,
    columns: columns.map(() => ({ width: COLUMN_CHARACTERS })),
    stickyRowsCount: 1,
  }).toBuffer();
}

/** XML 1.0 has no control characters but tab and line ends. */
function sheetText(text: string): string {
  return text.replace(/[^\P{Cc}\t\r\n]|[\uFFFE\uFFFF]/gu, ' ').slice(0, MAX_CELL_CHARACTERS);
}
