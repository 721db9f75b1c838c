import { decodeRegisters } from '../decode.ts';
import type { PointValue } from '../reading.ts';
import { type LogField, TIME_REGISTERS } from './log-layout.ts';
import type { PlantLog } from './plant-log.ts';
import { decodePlcTime, type PlcTime } from './plc-time.ts';

/** What a record of a PLC says, in the terms of its plant file. */
export interface DecodedRecord {
  /** Null when the registers hold no time. */
  readonly time: PlcTime | null;
  readonly sequence: number | null;
  readonly code: number | null;
  readonly values: Readonly<Record<string, PointValue | null>>;
  /** Fields that could not be read, `timestamp` and `code` among them; each is null above. */
  readonly badFields: readonly string[];
}

/** A record that makes no sense is a record all the same: what can be read of it is, the rest is named. */
export function decodeRecord(words: readonly number[], log: PlantLog): DecodedRecord {
  const badFields: string[] = [];
  const read = (name: string, field: LogField | undefined): PointValue | null => {
    if (field === undefined) return null;
    const decoded = decodeRegisters(partOf(words, field.at, field.encoding.registers), field.encoding);
    if (decoded.quality === 'good') return decoded.value;
    badFields.push(name);
    return null;
  };
  const readNumber = (name: string, field: LogField | undefined): number | null => {
    const value = read(name, field);
    return typeof value === 'number' ? value : null;
  };
  const time = decodePlcTime(
    words.slice(log.timestamp.at, log.timestamp.at + timeRegisters(log)),
    log.timestamp,
  );
  if (time === undefined) badFields.push('timestamp');
  return {
    time: time ?? null,
    sequence: readNumber('sequence', log.sequence),
    code: readNumber('code', log.code),
    values: Object.fromEntries([...log.values].map(([key, field]) => [key, read(`values.${key}`, field)])),
    badFields,
  };
}

function partOf(words: readonly number[], at: number, registers: number): number[] {
  return Array.from({ length: registers }, (_, index) => words[at + index] ?? 0);
}

function timeRegisters({ timestamp }: PlantLog): number {
  return TIME_REGISTERS[timestamp.format];
}
