import { ByteReader, ByteWriter } from './bytes.ts';
import { readNumbers, readWhole, writeNumbers, writeWhole } from './number-column.ts';
import { SAMPLE_QUALITIES, type ValueKind } from './sample.ts';
import { DATED, SampleRun } from './sample-run.ts';

const KINDS: readonly (ValueKind | undefined)[] = [undefined, 'number', 'bool', 'text'];

/**
 * Writes runs as five columns (heads, times, order, marks, values), which compress better apart than mixed. The
 * monotonic times are kept only where the wall clock was not set: nothing else needs them again.
 */
export class RunWriter {
  readonly #heads = new ByteWriter();
  readonly #times = new ByteWriter(4096);
  readonly #order = new ByteWriter(1024);
  readonly #marks = new ByteWriter();
  readonly #values = new ByteWriter(4096);

  /** The samples `from` up to but without `to`. */
  add(run: SampleRun, from = 0, to = run.length): void {
    const { key } = run;
    const head = this.#heads;
    head.unsigned(key.series);
    head.unsigned(key.boot);
    head.unsigned(key.timeline);
    head.unsigned(key.holdMs);
    head.byte(KINDS.indexOf(run.kind));
    head.unsigned(to - from);
    writeWhole(this.#times, run.timesMs, from, to);
    if (key.timeline !== DATED) writeWhole(this.#times, run.monotonicMs, from, to);
    writeWhole(this.#order, run.seqs, from, to);
    this.#addMarks(run, from, to);
    this.#addValues(run, from, to);
  }

  /** The columns, valid until `clear`. */
  columns(): readonly Uint8Array[] {
    return [this.#heads, this.#times, this.#order, this.#marks, this.#values].map((column) => column.bytes());
  }

  clear(): void {
    for (const column of [this.#heads, this.#times, this.#order, this.#marks, this.#values]) column.clear();
  }

  #addMarks(run: SampleRun, from: number, to: number): void {
    this.#marks.unsigned(run.markList.length - 1);
    for (const { quality, reason, valued } of run.markList.slice(1)) {
      this.#marks.byte(
        SAMPLE_QUALITIES.indexOf(quality) * 4 + (valued ? 2 : 0) + (reason === undefined ? 0 : 1),
      );
      if (reason !== undefined) this.#marks.text(reason);
    }
    // A run without anything but good samples, as nearly all are, needs no more than the zero above.
    if (run.markList.length > 1) writeRepeats(this.#marks, run.marks, from, to);
  }

  #addValues(run: SampleRun, from: number, to: number): void {
    const { values, kind } = run;
    if (kind === 'number') {
      writeNumbers(this.#values, values, from, to);
    } else if (kind === 'bool') {
      writeRepeats(this.#values, values, from, to);
    } else if (kind === 'text') {
      // Only the texts of this part, so that each flush is as short as what it adds.
      const places = new Map<number, number>();
      const local = values.slice(from, to).map((value) => {
        const place = places.get(value) ?? places.size;
        places.set(value, place);
        return place;
      });
      this.#values.unsigned(places.size);
      for (const place of places.keys()) this.#values.text(run.texts[place] ?? '');
      writeRepeats(this.#values, local, 0, local.length);
    }
  }
}

/** The runs that a `RunWriter` wrote. Throws RangeError on bytes that are none of its making. */
export function readRuns(columns: readonly Uint8Array[]): SampleRun[] {
  const [heads, times, order, marks, values] = columns.map((column) => new ByteReader(column));
  if (!heads || !times || !order || !marks || !values) throw new RangeError('a column is missing');
  const runs: SampleRun[] = [];
  while (!heads.atEnd) {
    const series = heads.unsigned();
    const boot = heads.unsigned();
    const timeline = heads.unsigned();
    const holdMs = heads.unsigned();
    const run = new SampleRun({ series, boot, timeline, holdMs });
    run.kind = KINDS[heads.byte()];
    const count = heads.unsigned();
    append(run.timesMs, readWhole(times, count));
    append(run.monotonicMs, timeline === DATED ? run.timesMs : readWhole(times, count));
    append(run.seqs, readWhole(order, count));
    readMarks(marks, run, count);
    readValues(values, run, count);
    runs.push(run);
  }
  return runs;
}

function readMarks(reader: ByteReader, run: SampleRun, count: number): void {
  const kinds = reader.unsigned();
  for (let i = 0; i < kinds; i += 1) {
    const code = reader.byte();
    const quality = SAMPLE_QUALITIES[code >> 2];
    if (quality === undefined) throw new RangeError(`no quality has the code ${code}`);
    const reason = code % 2 === 1 ? reader.text() : undefined;
    run.markList.push({ quality, reason, valued: (code & 2) !== 0 });
  }
  if (kinds > 0) append(run.marks, readRepeats(reader, count));
  else for (let i = 0; i < count; i += 1) run.marks.push(0);
}

function readValues(reader: ByteReader, run: SampleRun, count: number): void {
  if (run.kind === 'number') {
    append(run.values, readNumbers(reader, count));
  } else if (run.kind === undefined) {
    for (let i = 0; i < count; i += 1) run.values.push(0);
  } else {
    if (run.kind === 'text') {
      const texts = reader.unsigned();
      for (let i = 0; i < texts; i += 1) run.texts.push(reader.text());
    }
    append(run.values, readRepeats(reader, count));
  }
}

function append(to: number[], values: readonly number[]): void {
  for (const value of values) to.push(value);
}

/** Each number and how often it comes in a row. */
function writeRepeats(writer: ByteWriter, values: readonly number[], from: number, to: number): void {
  for (let start = from; start < to; ) {
    let end = start + 1;
    while (end < to && values[end] === values[start]) end += 1;
    writer.unsigned(values[start] ?? 0);
    writer.unsigned(end - start);
    start = end;
  }
}

function readRepeats(reader: ByteReader, count: number): number[] {
  const values: number[] = [];
  while (values.length < count) {
    const value = reader.unsigned();
    const times = reader.unsigned();
    if (times === 0 || values.length + times > count) throw new RangeError('a repeat does not fit');
    for (let i = 0; i < times; i += 1) values.push(value);
  }
  return values;
}
