import { bytesOf } from '../point-encoding.ts';
import type { ClockZone, TimeEncoding } from './log-layout.ts';

/**
 * A time as a PLC wrote it. `shown` is what its clock showed, `atMs` the moment (Unix time) if its zone is what the plant
 * file says; an uptime has no moment of its own.
 */
export interface PlcTime {
  readonly shown: string;
  readonly atMs: number | undefined;
  readonly uptimeMs: number | undefined;
}

/** Undefined when the registers hold no time: a month 13, a nibble that is no digit, a date before 1990 or after 2089. */
export function decodePlcTime(words: readonly number[], time: TimeEncoding): PlcTime | undefined {
  switch (time.format) {
    case 'unix_s':
      return unixTime(unsigned(words, time) * 1000, time.zone);
    case 'unix_ms':
      return unixTime(unsigned(words, time), time.zone);
    case 'uptime_ms': {
      const uptimeMs = unsigned(words, time);
      return { shown: `${(uptimeMs / 1000).toFixed(3)} s after its start`, atMs: undefined, uptimeMs };
    }
    case 'bcd_datetime': {
      const digits = bcdDigits(words, time);
      if (digits === undefined || digits.length < 15) return undefined;
      return calendarTime([...sixOf(digits), Number(digits.slice(12, 15))], time.zone);
    }
    case 'bcd_ymdhms': {
      const digits = bcdDigits(words, time);
      return digits === undefined ? undefined : calendarTime(sixOf(digits), time.zone);
    }
    case 'y_m_d_h_m_s':
      return calendarTime([...bytesPairs(words, time)], time.zone);
  }
}

function unsigned(words: readonly number[], { byteOrder }: TimeEncoding): number {
  return bytesOf(words, byteOrder, false).reduce((value, byte) => value * 256 + byte, 0);
}

/** Each register is a number of its own: only the order of bytes within it counts. */
function bytesPairs(words: readonly number[], { byteOrder }: TimeEncoding): number[] {
  const swaps = byteOrder === 'BADC' || byteOrder === 'DCBA';
  return words.map((word) => (swaps ? ((word & 0xff) << 8) | (word >> 8) : word));
}

function bcdDigits(words: readonly number[], time: TimeEncoding): string | undefined {
  const digits = bytesPairs(words, time)
    .map((word) => word.toString(16).padStart(4, '0'))
    .join('');
  // The last nibble of DATE_AND_TIME is the weekday, which some devices leave as they found it.
  const counted = time.format === 'bcd_datetime' ? digits.slice(0, 15) : digits;
  return /^\d+$/.test(counted) ? counted : undefined;
}

/** Two digits of a year: 90 to 99 are of the last century (IEC 61131-3 DATE_AND_TIME begins in 1990). */
function sixOf(digits: string): number[] {
  const [year = 0, ...rest] = (digits.slice(0, 12).match(/../g) ?? []).map(Number);
  return [year >= 90 ? 1900 + year : 2000 + year, ...rest];
}

const EARLIEST_MS = Date.UTC(1990, 0, 1);
const LATEST_MS = Date.UTC(2090, 0, 1);

function unixTime(shownMs: number, zone: ClockZone): PlcTime | undefined {
  if (!(shownMs >= EARLIEST_MS && shownMs < LATEST_MS)) return undefined;
  const shown = new Date(shownMs);
  return { shown: textOf(shown), atMs: momentOf(shown, zone), uptimeMs: undefined };
}

function calendarTime(
  [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0]: readonly number[],
  zone: ClockZone,
): PlcTime | undefined {
  const shownMs = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  const shown = new Date(shownMs);
  const isReal =
    shownMs >= EARLIEST_MS &&
    shownMs < LATEST_MS &&
    shown.getUTCFullYear() === year &&
    shown.getUTCMonth() === month - 1 &&
    shown.getUTCDate() === day &&
    shown.getUTCHours() === hour &&
    shown.getUTCMinutes() === minute &&
    shown.getUTCSeconds() === second &&
    ms < 1000;
  return isReal ? { shown: textOf(shown), atMs: momentOf(shown, zone), uptimeMs: undefined } : undefined;
}

/** `shown` carries the digits of the PLC's clock in its UTC fields. */
function momentOf(shown: Date, zone: ClockZone): number {
  if (zone === 'utc') return shown.getTime();
  if (typeof zone === 'number') return shown.getTime() - zone * 60_000;
  return new Date(
    shown.getUTCFullYear(),
    shown.getUTCMonth(),
    shown.getUTCDate(),
    shown.getUTCHours(),
    shown.getUTCMinutes(),
    shown.getUTCSeconds(),
    shown.getUTCMilliseconds(),
  ).getTime();
}

function textOf(shown: Date): string {
  return shown
    .toISOString()
    .replace('T', ' ')
    .replace(/(?:\.000)?Z$/, '');
}
