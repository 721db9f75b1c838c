import { encodeRegisters } from '../encode.ts';
import type { TimeEncoding } from '../log/log-layout.ts';
import type { PlantLog } from '../log/plant-log.ts';
import { type PointEncoding, wordsOf } from '../point-encoding.ts';
import type { LogRecord, LogRing } from './log-ring.ts';

/** The registers of the head after all that has been written. */
export function headWords(ring: LogRing, { layout, headEncoding }: PlantLog): readonly number[] {
  const position = layout.headPointsTo === 'newest' ? ring.written - 1 : ring.written;
  const head =
    layout.headCounts === 'records'
      ? modulo(position, layout.headRange)
      : modulo(position, layout.capacity) + layout.headBase;
  return encoded(head, headEncoding);
}

/** The registers of one record; zeros where nothing has been written yet. */
export function recordWords(entry: LogRecord | undefined, log: PlantLog, startedS: number): number[] {
  const words = new Array<number>(log.layout.recordRegisters).fill(0);
  if (entry === undefined) return words;
  const put = (at: number, part: readonly number[]): void => {
    // Bits of one register add up in it.
    for (const [index, word] of part.entries()) words[at + index] = (words[at + index] ?? 0) | word;
  };
  put(log.timestamp.at, timeWords(entry.atS, log.timestamp, startedS));
  if (log.sequence !== undefined)
    put(
      log.sequence.at,
      encoded(modulo(entry.sequence, 2 ** (16 * log.sequence.encoding.registers)), log.sequence.encoding),
    );
  if (log.code !== undefined) put(log.code.at, encoded(entry.code, log.code.encoding));
  for (const { at, encoding } of log.values.values()) put(at, encoded(entry.value, encoding));
  return words;
}

/** A Unix time in the registers of a PLC; `startedS` is when it was switched on. */
export function timeWords(atS: number, time: TimeEncoding, startedS: number): number[] {
  switch (time.format) {
    case 'unix_s':
      return unsigned(Math.floor(shown(atS, time).getTime() / 1000), 2, time);
    case 'unix_ms':
      return unsigned(shown(atS, time).getTime(), 4, time);
    case 'uptime_ms':
      return unsigned(modulo(Math.round((atS - startedS) * 1000), 2 ** 32), 2, time);
    case 'y_m_d_h_m_s':
      return inBytes(partsOf(shown(atS, time)), time);
    case 'bcd_ymdhms':
      return inBytes(bcdOf(twoDigits(shown(atS, time))), time);
    case 'bcd_datetime': {
      const at = shown(atS, time);
      const ms = String(at.getUTCMilliseconds()).padStart(3, '0');
      // Sunday is 1 in DATE_AND_TIME.
      return inBytes(bcdOf(`${twoDigits(at)}${ms}${at.getUTCDay() + 1}`), time);
    }
  }
}

/** The digits of the PLC's clock in the UTC fields of a date. */
function shown(atS: number, { zone }: TimeEncoding): Date {
  const at = new Date(Math.round(atS * 1000));
  if (zone === 'utc') return at;
  const minutesEast = zone === 'local' ? -at.getTimezoneOffset() : zone;
  return new Date(at.getTime() + minutesEast * 60_000);
}

function partsOf(at: Date): number[] {
  return [
    at.getUTCFullYear(),
    at.getUTCMonth() + 1,
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
  ];
}

function twoDigits(at: Date): string {
  return partsOf(at)
    .map((part) => String(part % 100).padStart(2, '0'))
    .join('');
}

function bcdOf(digits: string): number[] {
  return (digits.match(/.{4}/g) ?? []).map((four) => Number.parseInt(four, 16));
}

function unsigned(value: number, registers: number, { byteOrder }: TimeEncoding): number[] {
  const bytes = new Uint8Array(registers * 2);
  let left = BigInt(value);
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    bytes[at] = Number(left & 0xffn);
    left >>= 8n;
  }
  return wordsOf(bytes, byteOrder, false);
}

/** Each register is a number of its own: only the order of bytes within it counts. */
function inBytes(words: readonly number[], { byteOrder }: TimeEncoding): number[] {
  const swaps = byteOrder === 'BADC' || byteOrder === 'DCBA';
  return words.map((word) => (swaps ? ((word & 0xff) << 8) | (word >> 8) : word));
}

/** A value that a field cannot hold is none: zeros. */
function encoded(value: number, encoding: PointEncoding): readonly number[] {
  const isText = encoding.type === 'string';
  const part = encodeRegisters(
    isText ? String(value) : encoding.type === 'bool' ? value !== 0 : value,
    encoding,
  );
  return part.ok ? part.words : new Array<number>(encoding.registers).fill(0);
}

function modulo(value: number, range: number): number {
  return ((value % range) + range) % range;
}
