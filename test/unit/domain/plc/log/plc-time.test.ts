import { describe, expect, it } from 'vitest';
import type { TimeEncoding } from '../../../../../src/domain/plc/log/log-layout.ts';
import { decodePlcTime } from '../../../../../src/domain/plc/log/plc-time.ts';

const time = (format: TimeEncoding['format'], given: Partial<TimeEncoding> = {}): TimeEncoding => ({
  format,
  zone: 'utc',
  byteOrder: 'ABCD',
  ...given,
});
/** 2026-03-01 12:34:56 UTC */
const MOMENT = Date.UTC(2026, 2, 1, 12, 34, 56);
const UNIX = Math.floor(MOMENT / 1000);

describe('the time of a PLC', () => {
  it.each([
    ['unix_s', [UNIX >>> 16, UNIX & 0xffff], MOMENT],
    ['bcd_datetime', [0x2603, 0x0112, 0x3456, 0x7891], MOMENT + 789],
    ['bcd_ymdhms', [0x2603, 0x0112, 0x3456], MOMENT],
    ['y_m_d_h_m_s', [2026, 3, 1, 12, 34, 56], MOMENT],
    ['unix_ms', [0, 0x019c, 0xa960, 0x1234], 0x019c_a960_1234],
  ] as const)('is read as %s', (format, words, expected) => {
    expect(decodePlcTime(words, time(format))).toMatchObject({ atMs: expected });
  });

  it('is of the zone the plant file says, and keeps the digits its clock showed', () => {
    expect(decodePlcTime([2026, 3, 1, 12, 34, 56], time('y_m_d_h_m_s', { zone: 480 }))).toEqual({
      shown: '2026-03-01 12:34:56',
      atMs: MOMENT - 480 * 60_000,
      uptimeMs: undefined,
    });
    const local = decodePlcTime([2026, 3, 1, 12, 34, 56], time('y_m_d_h_m_s', { zone: 'local' }));
    expect(local?.atMs).toBe(new Date(2026, 2, 1, 12, 34, 56).getTime());
  });

  it('follows the order of bytes and registers', () => {
    expect(decodePlcTime([UNIX & 0xffff, UNIX >>> 16], time('unix_s', { byteOrder: 'CDAB' }))?.atMs).toBe(
      MOMENT,
    );
    expect(decodePlcTime([0x0326, 0x1201, 0x5634], time('bcd_ymdhms', { byteOrder: 'BADC' }))?.atMs).toBe(
      MOMENT,
    );
  });

  it('of one that counts from its start is no moment', () => {
    expect(decodePlcTime([1, 0], time('uptime_ms'))).toEqual({
      shown: '65.536 s after its start',
      atMs: undefined,
      uptimeMs: 65_536,
    });
  });

  it.each([
    ['bcd_ymdhms', [0x2613, 0x0112, 0x3456]],
    ['bcd_ymdhms', [0x26a3, 0x0112, 0x3456]],
    ['bcd_datetime', [0x2602, 0x3012, 0x3456, 0x0001]],
    ['y_m_d_h_m_s', [2026, 2, 29, 0, 0, 0]],
    ['y_m_d_h_m_s', [0, 0, 0, 0, 0, 0]],
    ['y_m_d_h_m_s', [2026, 1, 1, 24, 0, 0]],
    ['unix_s', [0, 0]],
    ['unix_s', [0xffff, 0xffff]],
  ] as const)('is none where the registers hold none: %s %j', (format, words) => {
    expect(decodePlcTime(words, time(format))).toBeUndefined();
  });
});
