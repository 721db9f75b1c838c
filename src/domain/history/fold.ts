import type { PointValue } from '../plc/reading.ts';
import { Bucket } from './bucket.ts';
import type { SampleRun } from './sample-run.ts';

/** What has to be known of the samples before to go on with the next. */
export interface Carry {
  readonly atMs: number;
  readonly seq: number;
  readonly boot: number;
  readonly holdMs: number;
  /** Undefined when that sample was not good. */
  readonly value: PointValue | undefined;
  /** The newest good value, whenever it was. */
  readonly lastGood: PointValue | undefined;
}

/** Takes good samples, and the spans in which their values held. */
export interface FoldSink {
  sample(atMs: number, value: PointValue, changed: boolean): void;
  interval(fromMs: number, toMs: number, value: PointValue): void;
}

/**
 * Goes on from `carry` over the samples of a run from place `from`. The value of a sample holds until the next sample, but
 * not longer than its hold and not over a restart: nobody knows what was in between.
 */
export function foldRun(
  sink: FoldSink,
  carry: Carry | undefined,
  run: SampleRun,
  from = 0,
  to = run.length,
): Carry | undefined {
  if (from >= to) return carry;
  const { timesMs, values, marks, key } = run;
  let open = carry?.boot === key.boot ? carry.value : undefined;
  let openAtMs = carry?.atMs ?? 0;
  let holdMs = carry?.holdMs ?? 0;
  let lastGood = carry?.lastGood;
  const isPlain = run.kind === 'number';
  for (let i = from; i < to; i += 1) {
    const atMs = timesMs[i] ?? 0;
    if (open !== undefined)
      sink.interval(openAtMs, atMs - openAtMs > holdMs ? openAtMs + holdMs : atMs, open);
    const raw = values[i] ?? 0;
    if (marks[i] === 0 || run.markAt(i).quality === 'good') {
      const value = isPlain ? raw : run.restore(raw);
      sink.sample(atMs, value, lastGood !== undefined && lastGood !== value);
      lastGood = value;
      open = value;
    } else {
      open = undefined;
    }
    openAtMs = atMs;
    holdMs = key.holdMs;
  }
  return { atMs: openAtMs, seq: run.seqs[to - 1] ?? 0, boot: key.boot, holdMs, value: open, lastGood };
}

/** The last value holds up to `untilMs`, or as long as its hold. */
export function foldOpenEnd(sink: FoldSink, carry: Carry | undefined, untilMs: number): void {
  if (carry?.value !== undefined)
    sink.interval(carry.atMs, Math.min(untilMs, carry.atMs + carry.holdMs), carry.value);
}

/** Everything within one period, `to` not included. */
export class PeriodSink implements FoldSink {
  readonly bucket: Bucket;
  readonly #fromMs: number;
  readonly #toMs: number;

  constructor(fromMs: number, toMs: number, bucket = new Bucket()) {
    this.#fromMs = fromMs;
    this.#toMs = toMs;
    this.bucket = bucket;
  }

  sample(atMs: number, value: PointValue, changed: boolean): void {
    if (atMs >= this.#fromMs && atMs < this.#toMs) this.bucket.sample(atMs, value, changed);
  }

  interval(fromMs: number, toMs: number, value: PointValue): void {
    this.bucket.interval(Math.max(fromMs, this.#fromMs), Math.min(toMs, this.#toMs), value, fromMs);
  }
}

/** Everything in buckets of equal length, by their number: start / stepMs. */
export class BucketSink implements FoldSink {
  readonly buckets = new Map<number, Bucket>();
  readonly #stepMs: number;
  #current = new Bucket();
  #startMs = Number.NaN;
  #endMs = Number.NaN;

  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  sample(atMs: number, value: PointValue, changed: boolean): void {
    if (!(atMs >= this.#startMs && atMs < this.#endMs)) this.#turnTo(atMs);
    this.#current.sample(atMs, value, changed);
  }

  interval(fromMs: number, toMs: number, value: PointValue): void {
    let startMs = fromMs;
    while (startMs < toMs) {
      if (!(startMs >= this.#startMs && startMs < this.#endMs)) this.#turnTo(startMs);
      const endMs = Math.min(toMs, this.#endMs);
      this.#current.interval(startMs, endMs, value, fromMs);
      startMs = endMs;
    }
  }

  #turnTo(atMs: number): void {
    const number = Math.floor(atMs / this.#stepMs);
    this.#startMs = number * this.#stepMs;
    this.#endMs = this.#startMs + this.#stepMs;
    let bucket = this.buckets.get(number);
    if (bucket === undefined) {
      bucket = new Bucket();
      this.buckets.set(number, bucket);
    }
    this.#current = bucket;
  }
}
