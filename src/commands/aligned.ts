import { terminalLine } from './terminal-text.ts';
/** Rows of cells as lines whose columns stand below each other. */
export function aligned(texts: readonly (readonly string[])[]): string[] {
  const rows = texts.map((cells) => cells.map(terminalLine));
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
  return rows.map((row) =>
    row
      .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** Chinese characters take two columns of a terminal. */
function widthOf(text: string): number {
  return [...text].reduce(
    (width, character) => width + (/[\u1100-\u115f\u2e80-\uffdc]/u.test(character) ? 2 : 1),
    0,
  );
}
