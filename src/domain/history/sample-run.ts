import type { PointValue } from '../plc/reading.ts';
import { kindOf, type SampleQuality, type ValueKind } from './sample.ts';

/** Samples whose time is sure are on timeline 0; those of a boot whose clock was never set are on that boot's own. */
export const DATED = 0;

/** What all samples of a run have in common. */
export interface RunKey {
  readonly series: number;
  /** Number of the boot, from 1. */
  readonly boot: number;
  /** `DATED`, or the number of the boot. */
  readonly timeline: number;
  readonly holdMs: number;
}

/** A sample's quality and whether it has a value; the first of a run is `good`. */
export interface Mark {
  readonly quality: SampleQuality;
  readonly reason: string | undefined;
  readonly valued: boolean;
}

const GOOD: Mark = { quality: 'good', reason: undefined, valued: true };

/** Wall time of a monotonic time, whole milliseconds. */
export function redatedMs(monotonicMs: number, offsetMs: number): number {
  return Math.round(monotonicMs + offsetMs);
}

/** A block reaches over this much time at most, milliseconds: what a query has to look back. */
export const MAX_RUN_SPAN_MS = 2 * 3_600_000;

/** Samples of one series in the order they came, as columns; times never go back within one run. */
export class SampleRun {
  readonly key: RunKey;
  kind: ValueKind | undefined;
  readonly timesMs: number[] = [];
  readonly monotonicMs: number[] = [];
  readonly seqs: number[] = [];
  /** The number, 0 or 1, or the place in `texts`; 0 where there is no value. */
  readonly values: number[] = [];
  /** Places in `markList`. */
  readonly marks: number[] = [];
  readonly markList: Mark[] = [GOOD];
  readonly texts: string[] = [];
  /** So many of the first are on disk already. */
  flushed = 0;
  #textPlaces: Map<string, number> | undefined;

  constructor(key: RunKey) {
    this.key = key;
  }

  get length(): number {
    return this.timesMs.length;
  }

  /** Whether a sample of this time and value may follow in this run. */
  takes(atMs: number, value: PointValue | undefined): boolean {
    const length = this.timesMs.length;
    if (length > 0) {
      const lastMs = this.timesMs[length - 1] ?? 0;
      if (atMs < lastMs || atMs - (this.timesMs[0] ?? 0) > MAX_RUN_SPAN_MS) return false;
    }
    return value === undefined || this.kind === undefined || this.kind === kindOf(value);
  }

  push(
    atMs: number,
    monotonicMs: number,
    seq: number,
    value: PointValue | undefined,
    quality: SampleQuality,
    reason: string | undefined,
  ): void {
    this.timesMs.push(atMs);
    this.monotonicMs.push(monotonicMs);
    this.seqs.push(seq);
    this.marks.push(
      quality === 'good' && reason === undefined ? 0 : this.#markOf(quality, reason, value !== undefined),
    );
    if (typeof value === 'number') {
      this.kind = 'number';
      this.values.push(value);
    } else if (value === undefined) {
      this.values.push(0);
    } else if (typeof value === 'boolean') {
      this.kind = 'bool';
      this.values.push(value ? 1 : 0);
    } else {
      this.kind = 'text';
      this.values.push(this.#textPlace(value));
    }
  }

  /** The same samples on the timeline whose time is sure: monotonic time and how far the wall clock is ahead of it. */
  redated(offsetMs: number): SampleRun {
    const run = new SampleRun({ ...this.key, timeline: DATED });
    for (let i = 0; i < this.length; i += 1) {
      const { quality, reason } = this.markAt(i);
      const monotonicMs = this.monotonicMs[i] ?? 0;
      run.push(
        redatedMs(monotonicMs, offsetMs),
        monotonicMs,
        this.seqs[i] ?? 0,
        this.valueAt(i),
        quality,
        reason,
      );
    }
    run.flushed = this.flushed;
    return run;
  }

  valueAt(index: number): PointValue | undefined {
    return this.markAt(index).valued ? this.restore(this.values[index] ?? 0) : undefined;
  }

  /** The value that a number of `values` stands for. */
  restore(value: number): PointValue {
    return this.kind === 'bool' ? value === 1 : this.kind === 'text' ? (this.texts[value] ?? '') : value;
  }

  markAt(index: number): Mark {
    return this.markList[this.marks[index] ?? 0] ?? GOOD;
  }

  #markOf(quality: SampleQuality, reason: string | undefined, valued: boolean): number {
    const found = this.markList.findIndex(
      (mark) => mark.quality === quality && mark.reason === reason && mark.valued === valued,
    );
    return found === -1 ? this.markList.push({ quality, reason, valued }) - 1 : found;
  }

  #textPlace(text: string): number {
    this.#textPlaces ??= new Map(this.texts.map((known, place) => [known, place]));
    const found = this.#textPlaces.get(text);
    if (found !== undefined) return found;
    const place = this.texts.push(text) - 1;
    this.#textPlaces.set(text, place);
    return place;
  }
}
