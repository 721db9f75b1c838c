import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader, ByteWriter } from '../../../../src/domain/history/bytes.ts';
import { readNumbers, writeNumbers } from '../../../../src/domain/history/number-column.ts';
import { RunWriter, readRuns } from '../../../../src/domain/history/run-codec.ts';
import { SampleRun } from '../../../../src/domain/history/sample-run.ts';

function throughColumn(values: readonly number[]): { readonly back: number[]; readonly bytes: number } {
  const writer = new ByteWriter(4);
  writeNumbers(writer, values, 0, values.length);
  return { back: readNumbers(new ByteReader(writer.bytes()), values.length), bytes: writer.length };
}

const anyFinite = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('a column of numbers', () => {
  it('gives back exactly what was written, whatever the numbers', () => {
    const column = fc.oneof(
      fc.array(anyFinite),
      fc.array(fc.float({ noNaN: true, noDefaultInfinity: true })),
      fc.array(fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })),
      fc.array(fc.maxSafeInteger().map((n) => n / 100)),
      fc.array(fc.integer({ min: -5000, max: 5000 }).map((n) => n / 10)),
      fc.array(fc.constantFrom(0, -0, 1e300, 2 ** 50, -(2 ** 50), 2 ** 53, 0.1, 1e-7)),
    );
    fc.assert(
      fc.property(column, (values) => {
        expect(throughColumn(values).back).toEqual(values);
      }),
      { numRuns: 500 },
    );
  });

  it('takes one byte for each small step of a decimal value', () => {
    const values = Array.from({ length: 1000 }, (_, i) => (700 + ((i * 7919) % 60)) / 10);
    expect(throughColumn(values).bytes).toBeLessThan(1010);
  });

  it('refuses bytes that end too early or have no known format', () => {
    const writer = new ByteWriter();
    writeNumbers(writer, [1, 2, 3], 0, 3);
    expect(() => readNumbers(new ByteReader(writer.bytes().subarray(0, 2)), 3)).toThrow(RangeError);
    expect(() => readNumbers(new ByteReader(new Uint8Array([77, 0, 0])), 3)).toThrow(RangeError);
  });
});

const anyValue = fc.oneof(
  fc.record({
    kind: fc.constant('number' as const),
    values: fc.array(fc.option(anyFinite, { nil: undefined }), { minLength: 1 }),
  }),
  fc.record({
    kind: fc.constant('bool' as const),
    values: fc.array(fc.option(fc.boolean(), { nil: undefined }), { minLength: 1 }),
  }),
  fc.record({
    kind: fc.constant('text' as const),
    values: fc.array(fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }), { minLength: 1 }),
  }),
);

const anyRun = fc
  .record({
    series: fc.integer({ min: 1, max: 5000 }),
    boot: fc.integer({ min: 1, max: 300 }),
    isDated: fc.boolean(),
    holdMs: fc.integer({ min: 0, max: 21_600_000 }),
    startMs: fc.integer({ min: -1000, max: 4_000_000_000_000 }),
    of: anyValue,
    steps: fc.infiniteStream(
      fc.oneof(fc.integer({ min: 995, max: 1005 }), fc.nat(3_600_000), fc.constant(0)),
    ),
    seqSteps: fc.infiniteStream(fc.nat(500)),
    reasons: fc.infiniteStream(fc.constantFrom('timeout', 'refused', undefined)),
    isStale: fc.infiniteStream(fc.boolean()),
  })
  .map((plan) => {
    const { series, boot, isDated, holdMs } = plan;
    const run = new SampleRun({ series, boot, timeline: isDated ? 0 : boot, holdMs });
    let atMs = plan.startMs;
    let seq = 0;
    const next = <T>(stream: Iterator<T>, otherwise: T): T => stream.next().value ?? otherwise;
    for (const value of plan.of.values) {
      const isGood = value !== undefined && !next(plan.isStale, false);
      const quality = isGood ? 'good' : value === undefined ? 'bad' : 'stale';
      run.push(
        atMs,
        isDated ? atMs : atMs - 5,
        seq,
        value,
        quality,
        isGood ? undefined : next(plan.reasons, undefined),
      );
      atMs += next(plan.steps, 0);
      seq += next(plan.seqSteps, 1);
    }
    return run;
  });

function contentOf(run: SampleRun): unknown {
  return {
    key: run.key,
    samples: run.timesMs.map((atMs, i) => [
      atMs,
      run.monotonicMs[i],
      run.seqs[i],
      run.valueAt(i),
      run.markAt(i).quality,
      run.markAt(i).reason,
    ]),
  };
}

describe('runs of samples', () => {
  it('come back as they were: values, gaps, order and times', () => {
    fc.assert(
      fc.property(fc.array(anyRun, { maxLength: 4 }), (runs) => {
        const writer = new RunWriter();
        for (const run of runs) writer.add(run);
        expect(readRuns(writer.columns()).map(contentOf)).toEqual(runs.map(contentOf));
      }),
    );
  });

  it('can be written in parts, as the journal does', () => {
    fc.assert(
      fc.property(anyRun, fc.nat(), (run, cut) => {
        const middle = cut % (run.length + 1);
        const writer = new RunWriter();
        writer.add(run, 0, middle);
        writer.add(run, middle);
        const back = readRuns(writer.columns());
        const values = back.flatMap((part) => part.timesMs.map((_, i) => part.valueAt(i)));
        expect(values).toEqual(run.timesMs.map((_, i) => run.valueAt(i)));
      }),
    );
  });

  it('refuse a sample that goes back in time or is of another kind: it begins a run of its own', () => {
    const run = new SampleRun({ series: 1, boot: 1, timeline: 0, holdMs: 0 });
    run.push(1000, 0, 1, 5, 'good', undefined);
    expect(run.takes(1000, 6)).toBe(true);
    expect(run.takes(999, 6)).toBe(false);
    expect(run.takes(1000 + 3 * 3_600_000, 6)).toBe(false);
    expect(run.takes(1001, 'off')).toBe(false);
    expect(run.takes(1001, undefined)).toBe(true);
  });
});
