import type { PointValue } from '../plc/reading.ts';
import { Bucket } from './bucket.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { readNumbers, writeNumbers } from './number-column.ts';
import { kindOf } from './sample.ts';

const HAS_NUMBERS = 4;
const KINDS = ['number', 'bool', 'text'] as const;
/** Place of the kind in the flags, from 1; 0 is no last value. */
const KIND_MASK = 3;

/** Buckets of one length within an hour, keyed by their number (start / stepMs). */
export interface BucketSeries {
  readonly stepMs: number;
  readonly buckets: ReadonlyMap<number, Bucket>;
}

/** The columns of the buckets, in the order of their time; `readBuckets` gives back exactly these. */
export function writeBuckets({ stepMs, buckets }: BucketSeries): readonly Uint8Array[] {
  const ordered = [...buckets].sort(([a], [b]) => a - b);
  const spans = new ByteWriter();
  const extremes = new ByteWriter();
  const times = new ByteWriter();
  const texts = new ByteWriter();
  spans.unsigned(stepMs);
  spans.unsigned(ordered.length);
  const column = (
    writer: ByteWriter,
    of: (bucket: Bucket, startMs: number, number: number) => number,
  ): void =>
    writeNumbers(
      writer,
      ordered.map(([number, bucket]) => of(bucket, number * stepMs, number)),
      0,
      ordered.length,
    );
  column(spans, (_, __, number) => number);
  column(spans, (bucket) => flagsOf(bucket));
  column(spans, ({ samples }) => samples);
  column(spans, ({ changes }) => changes);
  column(spans, ({ coveredMs }) => coveredMs);
  column(spans, ({ numberMs, coveredMs }) => coveredMs - numberMs);
  column(spans, ({ trueMs }) => trueMs);
  column(extremes, (bucket) => (hasNumbers(bucket) ? bucket.min : 0));
  column(extremes, (bucket) => (hasNumbers(bucket) ? bucket.max : 0));
  column(extremes, ({ integral }) => integral);
  column(extremes, ({ last }) => (typeof last === 'string' || last === undefined ? 0 : Number(last)));
  column(times, (bucket, startMs) => (hasNumbers(bucket) ? bucket.minAtMs - startMs : 0));
  column(times, (bucket, startMs) => (hasNumbers(bucket) ? bucket.maxAtMs - startMs : 0));
  column(times, ({ last, lastAtMs }, startMs) => (last === undefined ? 0 : lastAtMs - startMs));
  for (const [, { last }] of ordered) if (typeof last === 'string') texts.text(last);
  return [spans.bytes(), extremes.bytes(), times.bytes(), texts.bytes()];
}

/** Throws RangeError on bytes that are none of `writeBuckets`' making. */
export function readBuckets(columns: readonly Uint8Array[]): {
  readonly stepMs: number;
  readonly buckets: Map<number, Bucket>;
} {
  const [spans, extremes, times, texts] = columns.map((column) => new ByteReader(column));
  if (!spans || !extremes || !times || !texts) throw new RangeError('a column is missing');
  const stepMs = spans.unsigned();
  const count = spans.unsigned();
  const column = (reader: ByteReader): ((i: number) => number) => {
    const values = readNumbers(reader, count);
    return (i) => values[i] ?? 0;
  };
  const [number, flags, samples, changes, covered, unnumbered, trueMs] = [
    column(spans),
    column(spans),
    column(spans),
    column(spans),
    column(spans),
    column(spans),
    column(spans),
  ];
  const [min, max, integral, last] = [column(extremes), column(extremes), column(extremes), column(extremes)];
  const [minAt, maxAt, lastAt] = [column(times), column(times), column(times)];
  const buckets = new Map<number, Bucket>();
  for (let i = 0; i < count; i += 1) {
    const bucket = new Bucket();
    const startMs = number(i) * stepMs;
    bucket.samples = samples(i);
    bucket.changes = changes(i);
    bucket.coveredMs = covered(i);
    bucket.numberMs = covered(i) - unnumbered(i);
    bucket.trueMs = trueMs(i);
    bucket.integral = integral(i);
    if (flags(i) & HAS_NUMBERS) {
      bucket.min = min(i);
      bucket.minAtMs = startMs + minAt(i);
      bucket.max = max(i);
      bucket.maxAtMs = startMs + maxAt(i);
    }
    const kind = KINDS[(flags(i) & KIND_MASK) - 1];
    if (kind !== undefined) {
      bucket.last = kind === 'text' ? texts.text() : kind === 'bool' ? last(i) === 1 : last(i);
      bucket.lastAtMs = startMs + lastAt(i);
    }
    buckets.set(number(i), bucket);
  }
  return { stepMs, buckets };
}

function hasNumbers(bucket: Bucket): boolean {
  return Number.isFinite(bucket.min);
}

function flagsOf(bucket: Bucket): number {
  const { last }: { last: PointValue | undefined } = bucket;
  const kind = last === undefined ? 0 : KINDS.indexOf(kindOf(last)) + 1;
  return kind + (hasNumbers(bucket) ? HAS_NUMBERS : 0);
}
