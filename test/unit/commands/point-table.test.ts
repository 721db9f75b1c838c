import { describe, expect, it } from 'vitest';
import { PointTable } from '../../../src/commands/point-table.ts';
import type { WatchedPoint } from '../../../src/commands/watched-point.ts';

const at = '2026-03-01T10:00:00.000Z';
const now = Date.parse('2026-03-01T10:00:04.500Z');
const good: WatchedPoint = {
  machine: 'oven-1',
  point: 'temperature',
  quality: 'good',
  value: 218.4,
  unit: 'degrees',
  at,
  boot_id: 'b',
  seq: 1,
};

describe('the table of points', () => {
  it('shows value, unit, quality and age', () => {
    expect(new PointTable().lines([good], now)).toEqual([
      'MACHINE  POINT        VALUE          QUALITY  AGE',
      'oven-1   temperature  218.4 degrees  good     4 s',
    ]);
  });

  it('never shows a value that is not good, but why there is none and how old the last one is', () => {
    const stale: WatchedPoint = {
      ...good,
      quality: 'stale',
      value: undefined,
      reason: 'timeout',
      detail: 'unit 4 gave no answer',
      at: '2026-03-01T10:00:04.000Z',
      last: { value: 218.4, at: '2026-03-01T09:55:00.000Z' },
    };
    const [line] = new PointTable().lines([stale], now, false);
    expect(line).toMatch(/^oven-1 +temperature +- +stale +5 min +unit 4 gave no answer$/);
  });

  it('says what a value is called, without what a device could do to the terminal', () => {
    const named = { ...good, unit: undefined, value: '\u001b[2Jpump\u0007' };
    expect(new PointTable().lines([named], now, false)[0]).toContain(' [2Jpump ');
    expect(new PointTable().lines([{ ...named, meaning: 'running' }], now, false)[0]).toContain(' running ');
  });

  it('counts as changed what shows another value, quality or reason, and nothing else', () => {
    const table = new PointTable();
    expect(table.changed([good])).toHaveLength(1);
    expect(table.changed([{ ...good, seq: 2, at: '2026-03-01T10:00:01.000Z' }])).toEqual([]);
    expect(table.changed([{ ...good, value: 218.5 }])).toHaveLength(1);
    expect(table.changed([{ ...good, quality: 'bad', reason: 'refused' }])).toHaveLength(1);
    expect(table.changed([{ ...good, quality: 'bad', reason: 'timeout' }])).toHaveLength(1);
  });
});
