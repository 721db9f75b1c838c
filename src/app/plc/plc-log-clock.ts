import type { TimeEncoding } from '../../domain/plc/log/log-layout.ts';
import { decodePlcTime, type PlcTime } from '../../domain/plc/log/plc-time.ts';

/** How far a PLC's clock is from this node's: node minus PLC, milliseconds. */
export interface ClockOffset {
  readonly offsetMs: number;
  /** `estimated`: the offset is at most this, since a record arrives after it was written. */
  readonly by: 'measured' | 'estimated';
}

const MEASURE_EVERY_MS = 60_000;
/** A measurement older than this says nothing any more: the PLC or this node may have been set meanwhile. */
const MEASURED_COUNTS_FOR_MS = 600_000;
const ARRIVALS_KEPT = 20;
/** More than clocks of whole seconds and the way here explain. */
const FROM_THE_FUTURE_MS = 3_000;

/** Readings of a PLC's clock and arrivals of its records come in; the offset between the clocks goes out. */
export class PlcLogClock {
  #measured: { readonly offsetMs: number; readonly monotonicMs: number } | undefined;
  #triedAtMs: number | undefined;
  readonly #delays: number[] = [];

  isDue(monotonicMs: number): boolean {
    return this.#triedAtMs === undefined || monotonicMs - this.#triedAtMs >= MEASURE_EVERY_MS;
  }

  noteAttempt(monotonicMs: number): void {
    this.#triedAtMs = monotonicMs;
  }

  /** `wallMs` is the middle of the reading. False when the registers hold no time. */
  noteReading(words: readonly number[], time: TimeEncoding, wallMs: number, monotonicMs: number): boolean {
    const read = decodePlcTime(words, time);
    const plcMs = read?.atMs ?? read?.uptimeMs;
    if (plcMs === undefined) return false;
    this.#measured = { offsetMs: Math.round(wallMs - plcMs), monotonicMs };
    return true;
  }

  /** A record that was not there at the last look, which was a moment ago. */
  noteArrival(time: PlcTime, arrivedAtMs: number): void {
    if (time.atMs === undefined) return;
    this.#delays.push(arrivedAtMs - time.atMs);
    if (this.#delays.length > ARRIVALS_KEPT) this.#delays.shift();
  }

  /**
   * Drops a measurement by which a record would be from the future: the PLC's clock was set since. True when there was one
   * to drop.
   */
  dropIfRefuted(time: PlcTime, arrivedAtMs: number): boolean {
    const plcMs = time.atMs ?? time.uptimeMs;
    if (this.#measured === undefined || plcMs === undefined) return false;
    if (plcMs + this.#measured.offsetMs <= arrivedAtMs + FROM_THE_FUTURE_MS) return false;
    this.#measured = undefined;
    this.#triedAtMs = undefined;
    return true;
  }

  measuredMs(monotonicMs: number): number | null {
    if (this.#measured === undefined) return null;
    return monotonicMs - this.#measured.monotonicMs <= MEASURED_COUNTS_FOR_MS
      ? this.#measured.offsetMs
      : null;
  }

  offset(monotonicMs: number): ClockOffset | undefined {
    const measured = this.measuredMs(monotonicMs);
    if (measured !== null) return { offsetMs: measured, by: 'measured' };
    return this.#delays.length === 0
      ? undefined
      : { offsetMs: Math.round(Math.min(...this.#delays)), by: 'estimated' };
  }
}
