import type { Cell, Table } from './table.ts';

/** Lets Excel take the text for UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A table by RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe before it ("CSV injection",
 * OWASP); numbers stay numbers.
 */
export function csvOf({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string {
  const lines = [columns, ...rows].map((row) => row.map(cellText).join(','));
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = /^[\s]*[=+\-@\t\r]/u.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
