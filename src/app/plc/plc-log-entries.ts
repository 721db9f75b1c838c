import { type DecodedRecord, decodeRecord } from '../../domain/plc/log/decode-record.ts';
import type { LogGap, RingRecord } from '../../domain/plc/log/log-follower.ts';
import type { PlantLog } from '../../domain/plc/log/plant-log.ts';
import { fingerprint, mod } from '../../domain/plc/log/ring-arithmetic.ts';
import type { ArrivalStamp, NewLogGap, NewLogRecord, TimeSource } from '../ports/plc-log-store.ts';

/** A record as it is kept: the PLC's own time stays what it was, and what is made of it stands beside it. */
export function recordEntry(
  log: PlantLog,
  epoch: number,
  { position, slot, words }: RingRecord,
  clockOffsetMs: number | null,
  stamp: ArrivalStamp,
): { readonly entry: NewLogRecord; readonly decoded: DecodedRecord } {
  const decoded = decodeRecord(words, log);
  const { time, sequence, code, values, badFields } = decoded;
  const plcMs = time?.atMs ?? time?.uptimeMs ?? null;
  const correctedAtMs = plcMs === null || clockOffsetMs === null ? null : plcMs + clockOffsetMs;
  const [atMs, atSource] = searchTime(correctedAtMs, time?.atMs ?? null, stamp.arrivedAtMs);
  const entry: NewLogRecord = {
    kind: 'record',
    ref: log.ref,
    ...stamp,
    epoch,
    position,
    slot,
    raw: fingerprint(words),
    atMs,
    atSource,
    plcTime: time?.shown ?? null,
    plcAtMs: time?.atMs ?? null,
    clockOffsetMs,
    correctedAtMs,
    sequence,
    code,
    values,
    badFields,
  };
  return { entry, decoded };
}

export function gapEntry(log: PlantLog, gap: LogGap, stamp: ArrivalStamp): NewLogGap {
  return { ref: log.ref, ...stamp, atMs: stamp.arrivedAtMs, ...gap };
}

/** What the records' own count says of a loss: exact where the head only knows "at least". */
export function countedBySequence(
  gap: LogGap,
  before: number | null,
  after: number | null,
  log: PlantLog,
): LogGap {
  if (gap.kind !== 'overrun' || gap.exact || before === null || after === null || log.sequence === undefined)
    return gap;
  const lost = mod(after - before - 1, 2 ** (16 * log.sequence.encoding.registers));
  return lost >= gap.lost ? { ...gap, lost, exact: true } : gap;
}

function searchTime(
  correctedMs: number | null,
  plcMs: number | null,
  arrivedMs: number,
): readonly [number, TimeSource] {
  if (correctedMs !== null) return [correctedMs, 'corrected'];
  return plcMs === null ? [arrivedMs, 'arrival'] : [plcMs, 'plc'];
}
