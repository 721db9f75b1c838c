import type { PointRef } from '../../domain/plc/point-ref.ts';
import type { KnownReading } from '../../domain/plc/reading.ts';
import type { BusPriority } from './plc-bus.ts';

/** Reads named points live from their PLC. */
export interface PlcReader {
  /**
   * One reading for each ref, in order; a point that cannot be read comes back `bad` with its reason, or `stale` where an
   * older value is known, never as a rejection.
   * `deadlineMs` is the whole call's limit, from now; the priority is `answer` unless given.
   */
  read(
    points: readonly PointRef[],
    deadlineMs: number,
    priority?: BusPriority,
  ): Promise<readonly KnownReading[]>;
}
