import { describe, expect, it } from 'vitest';
import { parseMoment } from '../../../src/commands/moment.ts';
import { shiftCalendarOf } from '../../../src/domain/history/shift-calendar.ts';

const nowMs = Date.UTC(2026, 2, 5, 12);
const setting = { nowMs, timeZone: 'Asia/Shanghai', shifts: shiftCalendarOf([]) };

describe('a moment on the command line', () => {
  it.each([
    ['90m', nowMs - 90 * 60_000],
    ['7d', nowMs - 7 * 86_400_000],
    ['2026-03-01T12:00:00Z', Date.UTC(2026, 2, 1, 12)],
    ['2026-03-01T12:00', Date.UTC(2026, 2, 1, 4)],
    ['yesterday', Date.UTC(2026, 2, 3, 16)],
    ['昨天', Date.UTC(2026, 2, 3, 16)],
  ])('%s is read by the clocks of the site', (text, atMs) => {
    expect(parseMoment(text, '--at', setting)).toBe(atMs);
  });

  it('that is none is refused with the option and what it takes', () => {
    expect(() => parseMoment('soon', '--known-at', setting)).toThrow(/^--known-at takes a time such as/u);
  });
});
