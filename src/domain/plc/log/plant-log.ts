import { EdgeError } from '../../../runtime/edge-error.ts';
import type { Language, Spoken } from '../../language/language.ts';
import type { DeviceSettings } from '../device-map-shape.ts';
import type { RegisterSpan } from '../modbus-request.ts';
import { type PointEncoding, registersOf } from '../point-encoding.ts';
import { type RegisterTable, resolveAddress } from '../register-address.ts';
import {
  type ClockZone,
  type LogCode,
  type LogField,
  type RingLayout,
  TIME_REGISTERS,
  type TimeEncoding,
  type TimeFormat,
} from './log-layout.ts';
import type { LogSettings } from './log-settings.ts';

/** Names a log within the plant. */
export interface LogRef {
  readonly machine: string;
  readonly log: string;
}

export type LogArea =
  | { readonly kind: 'ring'; readonly table: RegisterTable; readonly address: number }
  | { readonly kind: 'file'; readonly file: number; readonly record: number };

/** An event log of a machine, all addresses as they go over the wire. */
export interface PlantLog {
  readonly ref: LogRef;
  readonly names: Readonly<Record<Language, readonly string[]>>;
  readonly device: string;
  readonly layout: RingLayout;
  readonly head: RegisterSpan;
  readonly headEncoding: PointEncoding;
  /** Where the first register of slot 0 is. */
  readonly area: LogArea;
  readonly settleMs: number;
  readonly pollIntervalMs: number;
  readonly timestamp: TimeEncoding & { readonly at: number };
  readonly sequence: LogField | undefined;
  readonly code: LogField | undefined;
  readonly values: ReadonlyMap<string, LogField>;
  readonly codes: ReadonlyMap<number, LogCode>;
  readonly clock: { readonly span: RegisterSpan; readonly time: TimeEncoding } | undefined;
  readonly keepMs: number;
  readonly keepRecords: number;
}

const DEFAULT_NAMES = { en: ['event log'], zh: ['事件日志'] } as const;
const DAY_MS = 86_400_000;

/** Throws EdgeError PLANT_CONFLICT for addresses that a checked plant file does not have. */
export function plantLogOf(
  ref: LogRef,
  log: LogSettings,
  deviceId: string,
  device: DeviceSettings,
): PlantLog {
  const address = (table: RegisterTable, written: number): number => {
    const resolved = resolveAddress(table, written, device.address_base);
    if (!resolved.ok) throw new EdgeError('PLANT_CONFLICT', `${ref.machine}.${ref.log}: ${resolved.reason}`);
    return resolved.address;
  };
  const { timestamp, sequence, code, values } = log.fields;
  const field = (settings: FieldSettings): LogField => fieldOf(settings, device);
  const headRegisters = registersOf(log.head_type, undefined);
  return {
    ref,
    names: log.names ?? DEFAULT_NAMES,
    device: deviceId,
    layout: {
      capacity: log.capacity,
      recordRegisters: log.record_registers,
      headCounts: log.head_counts,
      headRange: 2 ** (16 * headRegisters),
      headPointsTo: log.head_points_to,
      headBase: log.head_base,
      settleRecords: log.settle_records,
      onFirstStart: log.on_first_start,
    },
    head: { table: log.register, address: address(log.register, log.head), count: headRegisters },
    headEncoding: fieldOf({ at: 0, type: log.head_type, byte_order: log.head_byte_order }, device).encoding,
    area:
      log.kind === 'ring'
        ? { kind: 'ring', table: log.register, address: address(log.register, log.first_record) }
        : { kind: 'file', file: log.file, record: log.first_record_number },
    settleMs: log.settle_ms,
    pollIntervalMs: log.poll_interval_ms,
    timestamp: { at: timestamp.at, ...timeOf(timestamp, device) },
    sequence: sequence && field(sequence),
    code: code && field(code),
    values: new Map(Object.entries(values).map(([key, value]) => [key, field(value)])),
    codes: new Map(
      Object.entries(log.codes).map(([raw, { en, zh, severity, event }]) => [
        Number(raw),
        { text: { en, zh }, severity, event },
      ]),
    ),
    clock: log.clock && {
      span: {
        table: log.clock.register,
        address: address(log.clock.register, log.clock.address),
        count: TIME_REGISTERS[log.clock.format],
      },
      time: timeOf(log.clock, device),
    },
    keepMs: log.keep_days * DAY_MS,
    keepRecords: log.keep_records,
  };
}

interface FieldSettings {
  readonly at: number;
  readonly type: PointEncoding['type'];
  readonly length?: number | undefined;
  readonly byte_order?: PointEncoding['byteOrder'] | undefined;
  readonly bit?: number | undefined;
  readonly scale?: number | undefined;
  readonly offset?: number | undefined;
  readonly unit?: Spoken | undefined;
}

function fieldOf(settings: FieldSettings, device: DeviceSettings): LogField {
  return {
    at: settings.at,
    encoding: {
      type: settings.type,
      byteOrder: settings.byte_order ?? device.byte_order,
      registers: registersOf(settings.type, settings.length),
      bit: settings.bit,
      scale: settings.scale ?? 1,
      offset: settings.offset ?? 0,
      unavailableValues: [],
    },
    unit: settings.unit,
  };
}

interface TimeSettings {
  readonly format: TimeFormat;
  readonly byte_order?: PointEncoding['byteOrder'] | undefined;
  readonly time_zone?: string | undefined;
}

function timeOf({ format, byte_order, time_zone }: TimeSettings, device: DeviceSettings): TimeEncoding {
  return { format, byteOrder: byte_order ?? device.byte_order, zone: zoneOf(time_zone, format) };
}

function zoneOf(written: string | undefined, format: TimeFormat): ClockZone {
  if (written === undefined) return format.startsWith('unix') ? 'utc' : 'local';
  if (written === 'utc' || written === 'local') return written;
  const [hours = 0, minutes = 0] = written.slice(1).split(':').map(Number);
  return (written.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
