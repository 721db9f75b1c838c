import { MAX_FILE_REGISTERS } from '../modbus-request.ts';

/** Registers of a log's record area, counted from its first. */
export interface AreaSpan {
  readonly offset: number;
  readonly count: number;
}

/**
 * The fewest requests for `count` records from `slot`: as many whole records as fit in each, since a record in two
 * requests could be of two moments. One that is larger than a request is split, and alone.
 */
export function recordSpans(
  slot: number,
  count: number,
  recordRegisters: number,
  mostRegisters: number,
): AreaSpan[] {
  const spans: AreaSpan[] = [];
  const together = recordsPerRequest(recordRegisters, mostRegisters);
  const step = together === 0 ? mostRegisters : together * recordRegisters;
  const end = (slot + count) * recordRegisters;
  if (together > 0) {
    for (let offset = slot * recordRegisters; offset < end; offset += step)
      spans.push({ offset, count: Math.min(step, end - offset) });
    return spans;
  }
  for (let record = slot; record < slot + count; record += 1) {
    const stop = (record + 1) * recordRegisters;
    for (let offset = record * recordRegisters; offset < stop; offset += step)
      spans.push({ offset, count: Math.min(step, stop - offset) });
  }
  return spans;
}

/** Whole records that one request holds; 0 when a record is larger than a request. */
export function recordsPerRequest(recordRegisters: number, mostRegisters: number): number {
  return Math.floor(mostRegisters / recordRegisters);
}

/** The most registers of one request for the records of a device with this limit. */
export function mostRegistersOf(kind: 'ring' | 'file', maxRegistersPerRequest: number): number {
  return kind === 'file' ? Math.min(MAX_FILE_REGISTERS, maxRegistersPerRequest) : maxRegistersPerRequest;
}
