import { shownValue } from './shown-value.ts';
import { terminalLine } from './terminal-text.ts';
import type { WatchedPoint } from './watched-point.ts';

const HEADER = ['MACHINE', 'POINT', 'VALUE', 'QUALITY', 'AGE', ''];

/** Points in columns, and which of them changed since the last look. */
export class PointTable {
  readonly #seen = new Map<string, string>();

  changed(points: readonly WatchedPoint[]): WatchedPoint[] {
    return points.filter((point) => {
      const key = `${point.machine}.${point.point}`;
      const shown = `${point.quality} ${valueText(point)} ${point.reason ?? ''}`;
      const isNew = this.#seen.get(key) !== shown;
      this.#seen.set(key, shown);
      return isNew;
    });
  }

  lines(points: readonly WatchedPoint[], nowMs: number, hasHeader = true): string[] {
    const rows = points.map((point) =>
      [
        point.machine,
        point.point,
        valueText(point),
        point.quality,
        ageText(nowMs - Date.parse(point.last?.at ?? point.at)),
        point.quality === 'good' ? '' : (point.detail ?? point.reason ?? ''),
      ].map(terminalLine),
    );
    const all = hasHeader ? [HEADER, ...rows] : rows;
    const widths = HEADER.map((_, column) => Math.max(0, ...all.map((row) => row[column]?.length ?? 0)));
    return all.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

function valueText({ quality, value, ...rest }: WatchedPoint): string {
  return quality !== 'good' || value === undefined ? '-' : shownValue({ value, ...rest });
}

function ageText(ageMs: number): string {
  const seconds = Math.max(0, Math.floor(ageMs / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}
