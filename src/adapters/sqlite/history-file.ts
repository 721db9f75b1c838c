import { setImmediate as breathe } from 'node:timers/promises';
import { z } from 'zod';
import { RunWriter, readRuns } from '../../domain/history/run-codec.ts';
import { DATED } from '../../domain/history/sample-run.ts';
import type { Database, Writer } from './database.ts';
import type { HistoryHead } from './history-head.ts';
import { readBlock } from './history-query.ts';
import { insertMany, packColumns, unpackColumns } from './history-rows.ts';
import { packBlock, type Sealed, seal, writeSealed, writeSums } from './history-sealing.ts';
import { type Boot, carrySchema, type Series } from './history-series.ts';

const metaSchema = z.object({ key: z.string(), value: z.int() });
const bootSchema = z.object({ id: z.int(), boot_id: z.string(), offset_ms: z.number().nullable() });
const seriesSchema = z.object({ id: z.int(), machine: z.string(), point: z.string() });
const carryRowSchema = z.object({ series: z.int(), timeline: z.int(), body: z.string() });
const journalSchema = z.object({ data: z.instanceof(Buffer) });
const undatedSchema = z.object({ series: z.int(), timeline: z.int(), samples: z.int() });
const blockSchema = z.object({ id: z.int(), data: z.instanceof(Buffer) });

/** Between two breaths of the event loop a checkpoint works for about this long, milliseconds. */
const WORK_MS = 4;

/**
 * The three ways in which what memory holds gets into `history.db`: the journal every few seconds, blocks and sums at a
 * checkpoint, and correct times once a clock was set. They never run at the same time.
 */
export class HistoryFile {
  readonly #database: Database;
  readonly #head: HistoryHead;
  readonly #runWriter = new RunWriter();
  /** Counts the transactions that change blocks; memory goes with one of them. */
  generation = 0;
  /** Seconds of operation when this life of the program began. */
  opBaseS = 0;
  journalBytes = 0;

  constructor(database: Database, head: HistoryHead) {
    this.#database = database;
    this.#head = head;
  }

  /** Reads what the last life of the program left. The boots with samples that are still to be re-dated. */
  async load(): Promise<readonly Boot[]> {
    const head = this.#head;
    const meta = new Map(
      (await this.#database.all(metaSchema, 'SELECT key, value FROM meta')).map(({ key, value }) => [
        key,
        value,
      ]),
    );
    this.generation = meta.get('generation') ?? 0;
    this.opBaseS = meta.get('op_s') ?? 0;
    const boots = new Map<number, Boot>();
    for (const row of await this.#database.all(
      bootSchema,
      'SELECT id, boot_id, offset_ms FROM boot ORDER BY id',
    )) {
      const boot = head.addBoot(row.boot_id, row.id);
      boot.offsetMs = row.offset_ms ?? undefined;
      boot.saved = 'yes';
      boots.set(row.id, boot);
    }
    const byId = new Map<number, Series>();
    for (const row of await this.#database.all(
      seriesSchema,
      'SELECT id, machine, point FROM series ORDER BY id',
    )) {
      const series = head.addSeries(row, row.id);
      series.saved = true;
      byId.set(row.id, series);
    }
    for (const row of await this.#database.all(carryRowSchema, 'SELECT series, timeline, body FROM carry'))
      restoreCarry(byId.get(row.series), row.timeline, row.body, boots);
    const toRedate = new Set<Boot>();
    const undated = await this.#database.all(
      undatedSchema,
      'SELECT series, timeline, sum(samples) AS samples FROM block WHERE timeline <> 0 GROUP BY series, timeline',
    );
    for (const row of undated) {
      const series = byId.get(row.series);
      const boot = boots.get(row.timeline);
      if (series !== undefined) series.undatedSamples += row.samples;
      if (boot === undefined) continue;
      boot.hasUndated = true;
      if (boot.offsetMs !== undefined) toRedate.add(boot);
    }
    for (const { data } of await this.#database.all(journalSchema, 'SELECT data FROM journal ORDER BY id')) {
      head.restore(readRuns(unpackColumns(data)), boots);
      this.journalBytes += data.length;
    }
    return [...toRedate];
  }

  /** Writes what is not in the journal yet, as one row. */
  async flush(): Promise<void> {
    const head = this.#head;
    const taken: { readonly run: { flushed: number }; readonly length: number }[] = [];
    let samples = 0;
    this.#runWriter.clear();
    for (const { head: runs } of head.series) {
      for (const run of runs) {
        if (run.flushed === run.length) continue;
        this.#runWriter.add(run, run.flushed);
        samples += run.length - run.flushed;
        taken.push({ run, length: run.length });
      }
    }
    if (samples === 0) return;
    const data = packColumns(this.#runWriter.columns(), 'together');
    await this.#database.write(async (writer) => {
      await this.#writeNames(writer);
      await writer.run('INSERT INTO journal (data) VALUES (?)', [data]);
    }, 'audit');
    this.#namesAreWritten();
    for (const { run, length } of taken) run.flushed = length;
    head.unflushed -= samples;
    this.journalBytes += data.length;
  }

  /** Turns all that memory holds into blocks and sums, and empties the journal. */
  async checkpoint(opS: number): Promise<void> {
    const head = this.#head;
    head.redate();
    const busy = head.series.filter((series) => series.head.length > 0);
    let samples = 0;
    let unflushed = 0;
    for (const series of busy) {
      series.sealing = series.head;
      series.head = [];
      for (const run of series.sealing) {
        samples += run.length;
        unflushed += run.length - run.flushed;
      }
    }
    try {
      const sealed: Sealed[] = [];
      let startedMs = performance.now();
      for (const series of busy) {
        const done = await seal(this.#database, series, series.sealing, opS);
        series.nextCarries = done.carries;
        sealed.push(done);
        if (performance.now() - startedMs < WORK_MS) continue;
        await breathe();
        startedMs = performance.now();
      }
      await this.#database.write(async (writer) => {
        await this.#writeNames(writer);
        await writeSealed(writer, sealed);
        await writer.run('DELETE FROM journal');
        await this.#nextGeneration(writer, opS);
      }, 'audit');
      this.#namesAreWritten();
      this.generation += 1;
      for (const { series, recentHour } of sealed) {
        series.sealing = [];
        series.carries = new Map(series.nextCarries);
        series.recentHour = recentHour;
      }
      head.held -= samples;
      head.unflushed -= unflushed;
      this.journalBytes = 0;
    } finally {
      for (const series of busy) {
        series.head = [...series.sealing, ...series.head];
        series.sealing = [];
        series.nextCarries = undefined;
      }
    }
  }

  /** Gives the blocks of one series that were written before the clock of `boot` was set their right times. */
  async redate(series: Series, boot: Boot, opS: number): Promise<number> {
    const { offsetMs } = boot;
    if (offsetMs === undefined) return 0;
    const rows = await this.#database.all(
      blockSchema,
      'SELECT id, data FROM block WHERE series = ? AND timeline = ? ORDER BY id',
      [series.id, boot.id],
    );
    if (rows.length === 0) return 0;
    const runs = rows.map(({ data }) => readBlock(data).run.redated(offsetMs));
    const sealed = await seal(this.#database, series, runs, opS);
    let before = series.carries.get(DATED)?.lastGood;
    const updates = runs.map((run, i) => {
      const data = packBlock(run, before);
      const startMs = run.timesMs[0] ?? 0;
      const endMs = run.timesMs.at(-1) ?? 0;
      for (let at = run.length - 1; at >= 0; at -= 1) {
        if (run.markAt(at).quality !== 'good') continue;
        before = run.valueAt(at);
        break;
      }
      return [startMs, endMs, endMs + run.key.holdMs, data, rows[i]?.id ?? 0];
    });
    const nextCarries = new Map(sealed.carries);
    nextCarries.delete(boot.id);
    series.nextCarries = nextCarries;
    try {
      await this.#database.write(async (writer) => {
        await this.#writeNames(writer);
        for (const update of updates)
          await writer.run(
            'UPDATE block SET timeline = 0, start_ms = ?, end_ms = ?, reach_ms = ?, data = ? WHERE id = ?',
            update,
          );
        await writeSums(writer, [sealed]);
        for (const table of ['hour', 'minute', 'carry'])
          await writer.run(`DELETE FROM ${table} WHERE series = ? AND timeline = ?`, [series.id, boot.id]);
        await this.#nextGeneration(writer, opS);
      }, 'audit');
      this.#namesAreWritten();
      this.generation += 1;
      series.carries = nextCarries;
      series.recentHour = sealed.recentHour;
    } finally {
      series.nextCarries = undefined;
    }
    const samples = runs.reduce((sum, { length }) => sum + length, 0);
    series.undatedSamples -= samples;
    return samples;
  }

  async #nextGeneration(writer: Writer, opS: number): Promise<void> {
    await writer.run("UPDATE meta SET value = value + 1 WHERE key = 'generation'");
    await writer.run("UPDATE meta SET value = ? WHERE key = 'op_s'", [opS]);
  }

  /** Boots and series that the file does not know yet. Boots and series added while it runs wait for the next time. */
  async #writeNames(writer: Writer): Promise<void> {
    this.#namesInWriting = [];
    for (const boot of this.#head.boots.values()) {
      if (boot.saved === 'yes') continue;
      const { offsetMs } = boot;
      await writer.run(
        'INSERT INTO boot (id, boot_id, offset_ms) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET offset_ms = excluded.offset_ms',
        [boot.id, boot.bootId, offsetMs ?? null],
      );
      this.#namesInWriting.push(() => {
        boot.saved = boot.offsetMs === offsetMs ? 'yes' : 'without offset';
      });
    }
    const fresh = this.#head.series.filter(({ saved }) => !saved);
    await insertMany(
      writer,
      'INSERT INTO series (id, machine, point)',
      fresh.map(({ id, ref }) => [id, ref.machine, ref.point]),
    );
    this.#namesInWriting.push(() => {
      for (const series of fresh) series.saved = true;
    });
  }

  #namesInWriting: (() => void)[] = [];

  #namesAreWritten(): void {
    for (const written of this.#namesInWriting) written();
    this.#namesInWriting = [];
  }
}

function restoreCarry(
  series: Series | undefined,
  timeline: number,
  body: string,
  boots: ReadonlyMap<number, Boot>,
): void {
  if (series === undefined) return;
  const { latest, ...carry } = carrySchema.parse(JSON.parse(body));
  series.carries.set(timeline, {
    atMs: carry.atMs,
    seq: carry.seq,
    boot: carry.boot,
    holdMs: carry.holdMs,
    value: carry.value,
    lastGood: carry.lastGood,
  });
  const bootId = boots.get(carry.boot)?.bootId ?? '';
  const known = series.latest;
  const knownBoot = known === undefined ? -1 : (bootNumber(boots, known.bootId) ?? -1);
  if (known !== undefined && (knownBoot > carry.boot || (knownBoot === carry.boot && known.seq > carry.seq)))
    return;
  series.latest = {
    ref: series.ref,
    value: latest.value,
    quality: latest.quality,
    reason: latest.reason,
    atMs: carry.atMs,
    clock: timeline === DATED ? 'synced' : 'unsynced',
    bootId,
    monotonicMs: timeline === DATED ? undefined : latest.monotonicMs,
    seq: carry.seq,
    holdMs: carry.holdMs,
  };
}

function bootNumber(boots: ReadonlyMap<number, Boot>, bootId: string): number | undefined {
  for (const boot of boots.values()) if (boot.bootId === bootId) return boot.id;
  return undefined;
}
