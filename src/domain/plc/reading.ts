import type { PointRef } from './point-ref.ts';

export type PointValue = number | boolean | string;

/**
 * Why a point has no value worth saying.
 * `unreachable` no connection, `timeout` no answer in time, `refused` the device answered with an exception,
 * `unavailable` the device's own "no value" pattern, `not_a_number` NaN or infinity, `unknown_point` not in the device map, `not_read` not read yet.
 */
export type BadReason =
  | 'unreachable'
  | 'timeout'
  | 'refused'
  | 'unavailable'
  | 'not_a_number'
  | 'unknown_point'
  | 'not_read';

interface ReadingBase {
  readonly ref: PointRef;
  /** Monotonic time at which the answer arrived or the attempt was given up. */
  readonly atMs: number;
  /** `bootId` and `seq` order readings where clocks cannot be trusted. */
  readonly bootId: string;
  readonly seq: number;
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

/** What is read from a PLC is one of these; only what is remembered can grow stale. */
export type PointReading = GoodReading | BadReading;

/** A value older than its device map allows. It is under `last` so that nothing takes it for the present one. */
export interface StaleReading extends ReadingBase {
  readonly quality: 'stale';
  /** Why there is no newer one. */
  readonly reason: BadReason;
  readonly detail: string;
  readonly last: GoodReading;
}

/** What is known of a point now. */
export type KnownReading = PointReading | StaleReading;
