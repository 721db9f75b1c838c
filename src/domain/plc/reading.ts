import type { PointRef } from './point-ref.ts';

export type PointValue = number | boolean | string;

/**
 * Why a point has no value worth saying.
 * `unreachable` no connection, `timeout` no answer in time, `refused` the device answered with an exception,
 * `unavailable` the device's own "no value" pattern, `not_a_number` NaN or infinity, `unknown_point` not in the device map.
 */
export type BadReason =
  | 'unreachable'
  | 'timeout'
  | 'refused'
  | 'unavailable'
  | 'not_a_number'
  | 'unknown_point';

interface ReadingBase {
  readonly ref: PointRef;
  /** Monotonic time at which the answer arrived or the attempt was given up. */
  readonly atMs: number;
}

export interface GoodReading extends ReadingBase {
  readonly quality: 'good';
  readonly value: PointValue;
}

export interface BadReading extends ReadingBase {
  readonly quality: 'bad';
  readonly reason: BadReason;
  /** For the log and the audit, in English. */
  readonly detail: string;
}

export type PointReading = GoodReading | BadReading;
