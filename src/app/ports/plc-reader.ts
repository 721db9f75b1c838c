import type { PointRef } from '../../domain/plc/device-map.ts';
import type { PointReading } from '../../domain/plc/reading.ts';

/** Reads named points live from their PLC. */
export interface PlcReader {
  /**
   * One reading for each ref, in order; a point that cannot be read comes back `bad` with its reason, never as a rejection.
   * `deadlineMs` is the whole call's limit, from now.
   */
  read(points: readonly PointRef[], deadlineMs: number): Promise<readonly PointReading[]>;
}
