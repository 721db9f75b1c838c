import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { Bucket } from '../../domain/history/bucket.ts';
import { ByteReader, ByteWriter } from '../../domain/history/bytes.ts';
import type { Writer } from './database.ts';
import type { Parameter } from './statement-cache.ts';

export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

/**
 * What is compressed is a few kilobytes: the memory that zlib takes by default (256 kB a call) would cost more than the
 * compressing itself.
 */
const DEFLATE = { level: 6, windowBits: 10, memLevel: 5, chunkSize: 4096 };

/** Shorter ones come out longer when compressed. */
const WORTH_COMPRESSING = 24;
/** So many rows go into one statement. */
const ROWS_A_STATEMENT = 40;

/** Columns of bytes as one blob. Long ones are smaller compressed each by itself, short ones all together. */
export function packColumns(columns: readonly Uint8Array[], how: 'apart' | 'together'): Buffer {
  const writer = new ByteWriter(1024);
  writer.unsigned(columns.length);
  for (const { length } of columns) writer.unsigned(length);
  for (const part of how === 'together' ? [Buffer.concat(columns)] : columns) {
    const packed = part.length < WORTH_COMPRESSING ? part : deflateRawSync(part, DEFLATE);
    const isPacked = packed.length < part.length;
    const kept = isPacked ? packed : part;
    writer.unsigned(kept.length * 2 + (isPacked ? 1 : 0));
    writer.raw(kept);
  }
  return Buffer.from(writer.bytes());
}

export function unpackColumns(blob: Uint8Array): Uint8Array[] {
  const reader = new ByteReader(blob);
  const lengths = Array.from({ length: reader.unsigned() }, () => reader.unsigned());
  const parts: Uint8Array[] = [];
  while (!reader.atEnd) {
    const head = reader.unsigned();
    const kept = reader.raw(Math.floor(head / 2));
    parts.push(head % 2 === 1 ? inflateRawSync(kept) : kept);
  }
  const all = new ByteReader(parts.length === 1 ? (parts[0] ?? new Uint8Array()) : Buffer.concat(parts));
  return lengths.map((length) => all.raw(length));
}

/** Runs `INSERT … VALUES (?, …) …` over many rows, a few dozen in each statement. */
export async function insertMany(
  writer: Writer,
  insert: string,
  rows: readonly (readonly Parameter[])[],
  ending = '',
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    const some = rows.slice(at, at + ROWS_A_STATEMENT);
    const places = some.map((row) => `(${row.map(() => '?').join(',')})`).join(',');
    await writer.run(`${insert} VALUES ${places} ${ending}`, some.flat());
  }
}

export const HOUR_COLUMNS =
  'samples, changes, covered_ms, number_ms, integral, true_ms, min, min_at, max, max_at, last_kind, last, last_at';
export const HOUR_UPSERT = `ON CONFLICT (series, timeline, hour) DO UPDATE SET ${HOUR_COLUMNS.split(', ')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')}`;

export const hourSchema = z.object({
  samples: z.int(),
  changes: z.int(),
  covered_ms: z.int(),
  number_ms: z.int(),
  integral: z.number(),
  true_ms: z.int(),
  min: z.number().nullable(),
  min_at: z.int().nullable(),
  max: z.number().nullable(),
  max_at: z.int().nullable(),
  last_kind: z.enum(['number', 'boolean', 'string']).nullable(),
  last: z.union([z.number(), z.string()]).nullable(),
  last_at: z.int().nullable(),
});

export function hourRow(bucket: Bucket): Parameter[] {
  const { last } = bucket;
  const hasNumbers = Number.isFinite(bucket.min);
  return [
    bucket.samples,
    bucket.changes,
    bucket.coveredMs,
    bucket.numberMs,
    bucket.integral,
    bucket.trueMs,
    hasNumbers ? bucket.min : null,
    hasNumbers ? bucket.minAtMs : null,
    hasNumbers ? bucket.max : null,
    hasNumbers ? bucket.maxAtMs : null,
    last === undefined ? null : typeof last,
    last === undefined ? null : typeof last === 'boolean' ? Number(last) : last,
    last === undefined ? null : bucket.lastAtMs,
  ];
}

export function bucketOf(row: z.output<typeof hourSchema>): Bucket {
  const bucket = new Bucket();
  bucket.samples = row.samples;
  bucket.changes = row.changes;
  bucket.coveredMs = row.covered_ms;
  bucket.numberMs = row.number_ms;
  bucket.integral = row.integral;
  bucket.trueMs = row.true_ms;
  if (row.min !== null && row.max !== null) {
    bucket.min = row.min;
    bucket.minAtMs = row.min_at ?? 0;
    bucket.max = row.max;
    bucket.maxAtMs = row.max_at ?? 0;
  }
  if (row.last !== null) {
    bucket.last = row.last_kind === 'boolean' ? row.last === 1 : row.last;
    bucket.lastAtMs = row.last_at ?? 0;
  }
  return bucket;
}
