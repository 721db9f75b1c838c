export interface ListRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export type DelimitedRows =
  | { readonly ok: true; readonly rows: readonly ListRow[] }
  | { readonly ok: false; readonly line: number; readonly reason: string };

export const SEPARATORS = [',', ';', '\t'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** The separator that cuts the first lines into the most even rows. */
export function guessSeparator(text: string): Separator {
  const head = text.slice(0, 20_000);
  let best: Separator = ',';
  let most = 0;
  for (const separator of SEPARATORS) {
    const read = delimitedRows(head, separator);
    const rows = read.ok ? read.rows.slice(0, 30) : [];
    const widths = new Map<number, number>();
    for (const { cells } of rows)
      if (cells.length > 1) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
    const [width = 1, count = 0] = [...widths].toSorted((one, other) => other[1] - one[1])[0] ?? [];
    if (count * (width - 1) > most) {
      most = count * (width - 1);
      best = separator;
    }
  }
  return best;
}

/**
 * Rows of a delimited text by RFC 4180, with any line end and without the rows that are empty. A quote inside an unquoted
 * cell is a character (as in `3" pipe`); text behind a closing quote, and a quote that never closes, are faults.
 */
export function delimitedRows(text: string, separator: Separator): DelimitedRows {
  const rows: ListRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let rowLine = 1;
  let at = 0;
  const endRow = (): void => {
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line: rowLine, cells });
    cells = [];
  };
  while (at < text.length) {
    if (text[at] === '"') {
      const quoted = quotedCell(text, at);
      if (quoted === undefined) return { ok: false, line, reason: 'a quote that never closes' };
      line += quoted.value.split('\n').length - 1;
      at = quoted.end;
      const next = text[at];
      if (next !== undefined && next !== separator && next !== '\n' && next !== '\r')
        return {
          ok: false,
          line,
          reason: `text behind the closing quote: ${text.slice(at, at + 10).trim()}`,
        };
      cells.push(quoted.value);
    } else {
      const end = cellEnd(text, at, separator);
      cells.push(text.slice(at, end));
      at = end;
    }
    if (text[at] === separator) {
      at += 1;
      // A separator at the very end has an empty cell behind it.
      if (at < text.length && text[at] !== '\n' && text[at] !== '\r') continue;
      cells.push('');
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    at += 1;
    line += 1;
    endRow();
    rowLine = line;
  }
  endRow();
  return { ok: true, rows };
}

function quotedCell(text: string, start: number): { value: string; end: number } | undefined {
  let value = '';
  let at = start + 1;
  for (;;) {
    const close = text.indexOf('"', at);
    if (close === -1) return undefined;
    value += text.slice(at, close);
    if (text[close + 1] !== '"') return { value, end: close + 1 };
    value += '"';
    at = close + 2;
  }
}

function cellEnd(text: string, start: number, separator: Separator): number {
  let at = start;
  while (at < text.length) {
    const character = text[at];
    if (character === separator || character === '\n' || character === '\r') break;
    at += 1;
  }
  return at;
}
