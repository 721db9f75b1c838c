import type { PointValue } from '../plc/reading.ts';

/**
 * What is known of a point over a span of time. A value counts from its sample until the next one of whatever quality, or
 * until its hold ends; mean is weighted by that time, and the value that holds at the start of the span belongs to it.
 */
export class Bucket {
  /** Good samples taken within the span. */
  samples = 0;
  /** Good samples whose value differs from the good one before. */
  changes = 0;
  coveredMs = 0;
  /** Of what is covered: with a number, and the sum of value times milliseconds over it. */
  numberMs = 0;
  integral = 0;
  /** Of what is covered: with `true`. */
  trueMs = 0;
  min = Number.POSITIVE_INFINITY;
  minAtMs = 0;
  max = Number.NEGATIVE_INFINITY;
  maxAtMs = 0;
  last: PointValue | undefined;
  /** When that value was taken, which may be before the span. */
  lastAtMs = Number.NEGATIVE_INFINITY;

  /** A good value taken at this time. */
  sample(atMs: number, value: PointValue, changed: boolean): void {
    this.samples += 1;
    if (changed) this.changes += 1;
    this.#touch(atMs, value, atMs);
  }

  /** A good value that held from one time to the other, and was taken then or before. */
  interval(fromMs: number, toMs: number, value: PointValue, takenAtMs = fromMs): void {
    if (toMs <= fromMs) return;
    const lengthMs = toMs - fromMs;
    this.coveredMs += lengthMs;
    if (typeof value === 'number') {
      this.numberMs += lengthMs;
      this.integral += value * lengthMs;
    } else if (value === true) {
      this.trueMs += lengthMs;
    }
    this.#touch(fromMs, value, takenAtMs);
  }

  #touch(atMs: number, value: PointValue, takenAtMs: number): void {
    if (typeof value === 'number') {
      if (value < this.min || (value === this.min && atMs < this.minAtMs)) {
        this.min = value;
        this.minAtMs = atMs;
      }
      if (value > this.max || (value === this.max && atMs < this.maxAtMs)) {
        this.max = value;
        this.maxAtMs = atMs;
      }
    }
    if (takenAtMs >= this.lastAtMs) {
      this.last = value;
      this.lastAtMs = takenAtMs;
    }
  }

  /** Adds another span; of two last values at the same time the other's counts. */
  merge(other: Bucket): void {
    this.samples += other.samples;
    this.changes += other.changes;
    this.coveredMs += other.coveredMs;
    this.numberMs += other.numberMs;
    this.integral += other.integral;
    this.trueMs += other.trueMs;
    if (other.min < this.min || (other.min === this.min && other.minAtMs < this.minAtMs)) {
      this.min = other.min;
      this.minAtMs = other.minAtMs;
    }
    if (other.max > this.max || (other.max === this.max && other.maxAtMs < this.maxAtMs)) {
      this.max = other.max;
      this.maxAtMs = other.maxAtMs;
    }
    if (other.last !== undefined && other.lastAtMs >= this.lastAtMs) {
      this.last = other.last;
      this.lastAtMs = other.lastAtMs;
    }
  }

  static sum(buckets: Iterable<Bucket>): Bucket {
    const sum = new Bucket();
    for (const bucket of buckets) sum.merge(bucket);
    return sum;
  }
}
