import type { Sample } from '../../domain/history/sample.ts';
import { DATED, MAX_RUN_SPAN_MS, redatedMs, SampleRun } from '../../domain/history/sample-run.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';
import { type HistoryLimits, MAX_HOLD_MS } from './history-limits.ts';
import { type Boot, Series } from './history-series.ts';

/** Largest magnitude of a time or sequence number that the columns hold. */
const LARGEST = 2 ** 50;

/**
 * What is recorded but not in blocks yet, of all points: samples come in through `append`, and leave as runs when a
 * checkpoint takes them.
 */
export class HistoryHead {
  readonly series: Series[] = [];
  readonly boots = new Map<string, Boot>();
  readonly #limits: HistoryLimits;
  readonly #byMachine = new Map<string, Map<string, Series>>();
  #boot: Boot | undefined;
  #seriesIds = 0;
  #bootIds = 0;
  /** In memory, and of these not in the journal either. */
  held = 0;
  unflushed = 0;
  /** For which there was no room, and which had no time or order. */
  dropped = 0;
  refused = 0;

  constructor(limits: HistoryLimits) {
    this.#limits = limits;
  }

  /** The boot of the sample that came last, in this life of the program. */
  get currentBoot(): Boot | undefined {
    return this.#boot;
  }

  find(ref: PointRef): Series | undefined {
    return this.#byMachine.get(ref.machine)?.get(ref.point);
  }

  addSeries(ref: PointRef, id = this.#seriesIds + 1): Series {
    this.#seriesIds = Math.max(this.#seriesIds, id);
    const series = new Series(id, { machine: ref.machine, point: ref.point });
    this.series.push(series);
    let points = this.#byMachine.get(ref.machine);
    if (points === undefined) {
      points = new Map();
      this.#byMachine.set(ref.machine, points);
    }
    points.set(ref.point, series);
    return series;
  }

  addBoot(bootId: string, id = this.#bootIds + 1): Boot {
    this.#bootIds = Math.max(this.#bootIds, id);
    const boot: Boot = { id, bootId, offsetMs: undefined, saved: 'no', hasUndated: false };
    this.boots.set(bootId, boot);
    return boot;
  }

  /** Takes one sample. Returns its boot when its clock turned out to be set and older samples of it are to be re-dated. */
  append(sample: Sample): Boot | undefined {
    const { atMs, seq, monotonicMs, clock } = sample;
    const isSynced = clock === 'synced';
    if (!isTime(atMs) || !isTime(seq) || (!isSynced && !isTime(monotonicMs))) {
      this.refused += 1;
      return undefined;
    }
    const series = this.find(sample.ref) ?? this.addSeries(sample.ref);
    if (this.held >= this.#limits.maxSamplesInMemory) {
      series.latest = sample;
      this.dropped += 1;
      return undefined;
    }
    let boot = this.#boot;
    if (boot?.bootId !== sample.bootId) {
      boot = this.boots.get(sample.bootId) ?? this.addBoot(sample.bootId);
      this.#boot = boot;
    }
    let isNews = false;
    if (isSynced && boot.offsetMs === undefined && isTime(monotonicMs)) {
      boot.offsetMs = atMs - monotonicMs;
      if (boot.saved === 'yes') boot.saved = 'without offset';
      isNews = boot.hasUndated;
      if (isNews) this.redate();
    }
    this.#push(series, boot, sample);
    series.latest = sample;
    return isNews ? boot : undefined;
  }

  #push(series: Series, boot: Boot, sample: Sample): void {
    const { offsetMs } = boot;
    const monotonicMs = Math.round(sample.monotonicMs ?? 0);
    const isDated = sample.clock === 'synced' || offsetMs !== undefined;
    const timeline = isDated ? DATED : boot.id;
    if (!isDated) {
      boot.hasUndated = true;
      series.undatedSamples += 1;
    }
    const atMs =
      sample.clock === 'synced' || offsetMs === undefined
        ? Math.round(sample.atMs)
        : redatedMs(monotonicMs, offsetMs);
    const holdMs = Math.round(Math.min(MAX_HOLD_MS, Math.max(0, sample.holdMs ?? this.#limits.holdMs)));
    let { value, quality, reason } = sample;
    // A good sample without a usable value would count as one.
    if (typeof value === 'number' && !Number.isFinite(value)) value = undefined;
    if (quality === 'good' && value === undefined) {
      quality = 'bad';
      reason ??= 'not_a_number';
    }
    let run = series.head.at(-1);
    if (
      run === undefined ||
      run.key.boot !== boot.id ||
      run.key.timeline !== timeline ||
      run.key.holdMs !== holdMs ||
      !run.takes(atMs, value)
    ) {
      run = new SampleRun({ series: series.id, boot: boot.id, timeline, holdMs });
      series.head.push(run);
    }
    run.push(atMs, monotonicMs, sample.seq, value, quality, reason);
    this.held += 1;
    this.unflushed += 1;
  }

  /** Puts what the journal held back, with times corrected where they are known since. */
  restore(runs: readonly SampleRun[], bootById: ReadonlyMap<number, Boot>): void {
    const byId = new Map(this.series.map((series) => [series.id, series]));
    for (const stored of runs) {
      const series = byId.get(stored.key.series);
      const boot = bootById.get(stored.key.boot);
      if (series === undefined || boot === undefined) continue;
      const isUndated = stored.key.timeline !== DATED;
      const run = isUndated && boot.offsetMs !== undefined ? stored.redated(boot.offsetMs) : stored;
      if (run.key.timeline !== DATED) {
        boot.hasUndated = true;
        series.undatedSamples += run.length;
      }
      this.#join(series, run);
      const last = run.length - 1;
      series.latest = sampleAt(series.ref, run, last, boot.bootId);
      this.held += run.length;
    }
  }

  #join(series: Series, run: SampleRun): void {
    const before = series.head.at(-1);
    const { boot, timeline, holdMs } = run.key;
    const fits =
      before !== undefined &&
      before.key.boot === boot &&
      before.key.timeline === timeline &&
      before.key.holdMs === holdMs &&
      (before.kind === run.kind || before.kind === undefined || run.kind === undefined) &&
      (run.timesMs[0] ?? 0) >= (before.timesMs.at(-1) ?? 0) &&
      (run.timesMs.at(-1) ?? 0) - (before.timesMs[0] ?? 0) <= MAX_RUN_SPAN_MS;
    if (!fits) {
      run.flushed = run.length;
      series.head.push(run);
      return;
    }
    for (let i = 0; i < run.length; i += 1) {
      const { quality, reason } = run.markAt(i);
      const [atMs = 0, monotonicMs = 0, seq = 0] = [run.timesMs[i], run.monotonicMs[i], run.seqs[i]];
      before.push(atMs, monotonicMs, seq, run.valueAt(i), quality, reason);
    }
    before.flushed = before.length;
  }

  /** Takes what was appended while there was no file. The boots whose older samples are to be re-dated. */
  takeOver(pending: HistoryHead): Boot[] {
    const bootIds = new Map([...pending.boots.values()].map(({ id, bootId }) => [id, bootId]));
    const news: Boot[] = [];
    for (const series of pending.series) {
      for (const run of series.head) {
        for (let i = 0; i < run.length; i += 1) {
          const sample = sampleAt(series.ref, run, i, bootIds.get(run.key.boot) ?? '');
          const boot = this.append({ ...sample, monotonicMs: run.monotonicMs[i] });
          if (boot !== undefined) news.push(boot);
        }
      }
      const own = this.find(series.ref) ?? this.addSeries(series.ref);
      own.latest = series.latest ?? own.latest;
    }
    this.dropped += pending.dropped;
    this.refused += pending.refused;
    return news;
  }

  /** Corrects what memory holds of boots whose clock was set since. */
  redate(): void {
    for (const { offsetMs, hasUndated, id } of this.boots.values()) {
      if (offsetMs === undefined || !hasUndated) continue;
      for (const series of this.series) {
        if (!series.head.some(({ key }) => key.timeline === id)) continue;
        series.head = series.head.map((run) => {
          if (run.key.timeline !== id) return run;
          series.undatedSamples -= run.length;
          return run.redated(offsetMs);
        });
      }
    }
  }

  /** Forgets what of this is on disk: a new file is to get all that memory still has. */
  forgetFile(): void {
    this.unflushed = this.held;
    for (const boot of this.boots.values()) boot.saved = 'no';
    for (const series of this.series) {
      series.saved = false;
      series.head = [...series.sealing, ...series.head];
      series.sealing = [];
      series.carries = new Map();
      series.nextCarries = undefined;
      series.recentHour = undefined;
      series.undatedSamples = 0;
      for (const run of series.head) {
        run.flushed = 0;
        if (run.key.timeline !== DATED) series.undatedSamples += run.length;
      }
    }
  }
}

function isTime(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) <= LARGEST;
}

export function sampleAt(ref: PointRef, run: SampleRun, index: number, bootId: string): Sample {
  const { quality, reason } = run.markAt(index);
  const isDated = run.key.timeline === DATED;
  return {
    ref,
    value: run.valueAt(index),
    quality,
    reason,
    atMs: run.timesMs[index] ?? 0,
    clock: isDated ? 'synced' : 'unsynced',
    bootId,
    monotonicMs: isDated ? undefined : run.monotonicMs[index],
    seq: run.seqs[index] ?? 0,
    holdMs: run.key.holdMs,
  };
}
