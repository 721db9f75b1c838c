import type { Spoken } from '../../language/language.ts';
import type { ByteOrder, PointEncoding } from '../point-encoding.ts';

/** When a record says it happened, by the clock of the PLC. */
export const TIME_FORMATS = [
  'unix_s',
  'unix_ms',
  'bcd_datetime',
  'bcd_ymdhms',
  'y_m_d_h_m_s',
  'uptime_ms',
] as const;
export type TimeFormat = (typeof TIME_FORMATS)[number];

/** Registers that a time takes. */
export const TIME_REGISTERS: Readonly<Record<TimeFormat, number>> = {
  unix_s: 2,
  unix_ms: 4,
  /** DATE_AND_TIME of IEC 61131-3 as Siemens lays it: YY MM DD hh mm ss, milliseconds and weekday, in BCD. */
  bcd_datetime: 4,
  /** YYMM DDhh mmss in BCD. */
  bcd_ymdhms: 3,
  /** Six registers: year in full, month, day, hour, minute, second. */
  y_m_d_h_m_s: 6,
  uptime_ms: 2,
};

/** What the PLC's clock shows: `local` is the zone of this machine, a number minutes east of Greenwich. */
export type ClockZone = 'utc' | 'local' | number;

export interface TimeEncoding {
  readonly format: TimeFormat;
  readonly zone: ClockZone;
  readonly byteOrder: ByteOrder;
}

/** A part of a record: register offset within it, and how the value lies there. */
export interface LogField {
  readonly at: number;
  readonly encoding: PointEncoding;
  readonly unit: Spoken | undefined;
}

export type LogSeverity = 'critical' | 'high' | 'medium' | 'low';

/** What a code of the log means. */
export interface LogCode {
  readonly text: Spoken;
  readonly severity: LogSeverity | undefined;
  readonly event: 'raised' | 'cleared' | undefined;
}

/** Where the ring lies and how its head counts; everything the follower needs. */
export interface RingLayout {
  readonly capacity: number;
  readonly recordRegisters: number;
  /** `slot`: the head is an index that wraps at the capacity; `records`: it counts all records and wraps at its type. */
  readonly headCounts: 'slot' | 'records';
  /** One more than the highest number the head's type holds: 2^16 or 2^32. */
  readonly headRange: number;
  readonly headPointsTo: 'next' | 'newest';
  /** What the first slot is called by a `slot` head. */
  readonly headBase: 0 | 1;
  /** So many of the newest records may not be written yet when the head has moved. */
  readonly settleRecords: number;
  readonly onFirstStart: 'all' | 'new';
}
