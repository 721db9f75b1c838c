import type {
  HistoryAggregate,
  HistoryOptions,
  HistoryPoint,
  HistoryStore,
  TimeRange,
} from '../../app/ports/history-store.ts';
import type { ClockState } from '../../domain/envelope.ts';
import type { Sample } from '../../domain/history/sample.ts';
import { DATED } from '../../domain/history/sample-run.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health } from '../../runtime/service.ts';
import { Database } from './database.ts';
import { setAside } from './database-file.ts';
import { aggregateOf } from './history-answer.ts';
import { HistoryDiskUse } from './history-disk-use.ts';
import { HistoryFile } from './history-file.ts';
import { HistoryHead } from './history-head.ts';
import { DEFAULT_HISTORY_LIMITS, type HistoryLimits } from './history-limits.ts';
import { HISTORY_MIGRATIONS } from './history-migrations.ts';
import { bucketOverPeriod } from './history-query.ts';
import { HistoryRedating } from './history-redating.ts';
import { type FileSize, HistoryRetention, sizeOf } from './history-retention.ts';
import { samplesOf } from './history-samples.ts';
import type { Boot, Series } from './history-series.ts';
import { isDamage } from './sqlite-failure.ts';

export interface HistoryParts {
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** Whether the wall clock is known to be right, now. */
  readonly clockState: () => ClockState;
  /** How the file is opened; `Database.open` when not given. */
  readonly openDatabase?: typeof Database.open;
}

const DATABASE_OPTIONS = {
  synchronous: 'NORMAL',
  checkFirst: false,
  ownReader: true,
  shrinkable: true,
} as const;

/**
 * Point history in `history.db`. Samples come in through `append` and are in memory at once; every few seconds they go to
 * a journal, and now and then from there into compressed blocks and into sums by the minute and hour, in one transaction.
 * Answers are made of the sums, of blocks at the ragged ends, and of what memory holds. Called by the poller and by
 * whatever asks about the past.
 */
export class SqliteHistoryStore implements HistoryStore {
  readonly name = 'history';
  readonly #file: string;
  readonly #limits: HistoryLimits;
  readonly #parts: HistoryParts;
  readonly #retention: HistoryRetention;
  #head: HistoryHead;
  #database: Database | undefined;
  #onDisk: HistoryFile | undefined;
  /** The end of the line of jobs that write: one at a time. */
  #line: Promise<unknown> = Promise.resolve();
  #timer: Cancel | undefined;
  #startedMs = 0;
  #checkpointMs = 0;
  readonly #redating: HistoryRedating;
  #stopped = false;
  #trouble: string | undefined;
  #notes: string[] = [];
  #size: FileSize = { bytes: 0, usedBytes: 0 };
  readonly #diskUse = new HistoryDiskUse();

  constructor(options: { readonly file: string } & Partial<HistoryLimits>, parts: HistoryParts) {
    const { file, ...limits } = options;
    this.#file = file;
    this.#limits = { ...DEFAULT_HISTORY_LIMITS, ...limits };
    this.#parts = parts;
    this.#head = new HistoryHead(this.#limits);
    this.#retention = new HistoryRetention(this.#limits);
    this.#redating = new HistoryRedating({
      logger: parts.logger,
      redate: (boot) => this.#redateBoot(boot),
      failed: (what, error) => this.#failed(what, error),
    });
  }

  /** Opens the file; one that is damaged is set aside. Without a disk it starts all the same, `down`, and tries again. */
  async start(): Promise<void> {
    this.#startedMs = this.#parts.clocks.monotonicMs();
    this.#checkpointMs = this.#startedMs;
    this.#stopped = false;
    await this.#line;
    await this.#inLine(() => this.#open()).catch((error: unknown) => this.#failed('opening', error));
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.();
    await this.#inLine(() => this.#write(false)).catch((error: unknown) =>
      this.#failed('the last flush', error),
    );
    await this.#database?.close();
    this.#database = undefined;
    this.#onDisk = undefined;
  }

  append(samples: readonly Sample[]): void {
    for (const sample of samples) {
      const boot = this.#head.append(sample);
      if (boot === undefined) continue;
      this.#redating.add([boot]);
      this.#redating.run();
    }
  }

  latest(ref: PointRef): Sample | undefined {
    return this.#head.find(ref)?.latest;
  }

  points(): readonly HistoryPoint[] {
    return this.#head.series.map(({ ref, latest }) => ({ ref, latest }));
  }

  async aggregate(
    ref: PointRef,
    range: TimeRange,
    { undated = 'leave_out' }: HistoryOptions = {},
  ): Promise<HistoryAggregate | undefined> {
    const { fromMs, toMs } = checked(range);
    const series = this.#head.find(ref);
    if (series === undefined) return undefined;
    const own = undated === 'include' ? this.#undatedTimelines() : [];
    const bucket = await this.#reading((database, file) =>
      bucketOverPeriod(database, {
        series,
        range: { fromMs, toMs },
        timelines: [DATED, ...own],
        generation: () => file.generation,
        nowMs: this.#parts.clocks.wall().getTime(),
        currentBoot: this.#head.currentBoot?.id,
      }),
    );
    return aggregateOf(bucket, toMs - fromMs, series.undatedSamples);
  }

  async samples(ref: PointRef, range: TimeRange, limit: number): Promise<readonly Sample[]> {
    const series = this.#head.find(ref);
    return series === undefined ? [] : this.#samplesOn(series, DATED, checked(range), limit);
  }

  async undatedSamples(ref: PointRef, limit: number): Promise<readonly Sample[]> {
    const series = this.#head.find(ref);
    if (series === undefined) return [];
    const found: Sample[] = [];
    for (const timeline of this.#undatedTimelines()) {
      if (found.length >= limit) break;
      const always = { fromMs: -(2 ** 50), toMs: 2 ** 50 };
      const some = await this.#samplesOn(series, timeline, always, limit - found.length);
      found.push(...some);
    }
    return found;
  }

  async flush(): Promise<void> {
    await this.#inLine(() => this.#write(false));
  }

  /** Writes everything as blocks and sums now, as the hourly checkpoint does. */
  async checkpoint(): Promise<void> {
    await this.#inLine(() => this.#write(!this.#redating.isPending));
  }

  async check(): Promise<boolean> {
    const fault = await this.#database?.check().catch((error: unknown) => {
      if (isDamage(error)) return messageOf(error);
      throw error;
    });
    if (fault === undefined) return true;
    await this.#inLine(() => this.#replace(fault));
    return false;
  }

  health(): Health {
    const head = this.#head;
    const { bytesPerSample, bytesPerPointDay } = this.#diskUse.figures(head.series.length);
    const figures = {
      points: head.series.length,
      size_mb: this.#size.bytes / 1e6,
      used_mb: this.#size.usedBytes / 1e6,
      bytes_per_sample: bytesPerSample,
      bytes_per_point_day: bytesPerPointDay,
      samples_in_memory: head.held,
      unflushed: head.unflushed,
      dropped: head.dropped,
      refused: head.refused,
      undated: head.series.reduce((sum, { undatedSamples }) => sum + undatedSamples, 0),
      redated: this.#redating.samples,
      ...this.#retention.figures,
    };
    if (this.#trouble !== undefined) return { status: 'down', detail: this.#trouble, figures };
    if (this.#database?.isRemoved() === true)
      return { status: 'down', detail: `${this.#file} was removed while it was open; restart`, figures };
    const [note] = this.#notes;
    return note === undefined
      ? { status: 'ok', detail: this.#file, figures }
      : { status: 'degraded', detail: note, figures };
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = this.#parts.scheduler.after(this.#limits.flushIntervalMs, () => {
      void this.#tick().finally(() => this.#schedule());
    });
  }

  async #tick(): Promise<void> {
    try {
      await this.#inLine(async () => {
        if (this.#onDisk === undefined) await this.#open();
        const sinceMs = this.#parts.clocks.monotonicMs() - this.#checkpointMs;
        const isDue =
          sinceMs >= this.#limits.checkpointIntervalMs || this.#head.held >= this.#limits.checkpointSamples;
        await this.#write(isDue && !this.#redating.isPending);
      });
      this.#redating.run();
    } catch (error) {
      this.#failed('writing', error);
    }
  }

  async #write(asBlocks: boolean): Promise<void> {
    const file = this.#onDisk;
    if (file === undefined) throw notOpen(this.#file);
    try {
      if (asBlocks) {
        const samples = this.#head.held;
        await file.checkpoint(this.#opS());
        this.#checkpointMs = this.#parts.clocks.monotonicMs();
        await this.#keepWithin(samples);
      } else {
        await file.flush();
      }
    } catch (error) {
      if (isDamage(causeOf(error))) await this.#replace(messageOf(error));
      else throw error;
    }
    if (this.#trouble !== undefined)
      this.#parts.logger.info({ file: this.#file }, 'history is written again');
    this.#trouble = undefined;
  }

  /** One series at a time, so that the flush in between is never late. */
  async #redateBoot(boot: Boot): Promise<number | undefined> {
    let samples = 0;
    for (const series of [...this.#head.series])
      samples += await this.#inLine(async () => (await this.#onDisk?.redate(series, boot, this.#opS())) ?? 0);
    return this.#onDisk === undefined ? undefined : samples;
  }

  #openFile(now: Date): ReturnType<typeof Database.open> {
    const open = this.#parts.openDatabase ?? Database.open;
    return open(this.#file, HISTORY_MIGRATIONS, now, DATABASE_OPTIONS);
  }

  async #open(): Promise<void> {
    const now = this.#parts.clocks.wall();
    const opened = await this.#openFile(now);
    if (opened.damaged !== undefined) this.#tellDamaged(opened.damaged, 'it is no database');
    const pending = this.#head.series.length > 0 ? this.#head : undefined;
    const head = new HistoryHead(this.#limits);
    const file = new HistoryFile(opened.database, head);
    let toRedate: readonly Boot[];
    try {
      toRedate = await file.load();
    } catch (error) {
      await opened.database.close();
      if (!(isDamage(error) || error instanceof RangeError || error instanceof SyntaxError)) throw error;
      this.#tellDamaged(setAside(this.#file, now), messageOf(error));
      return this.#open();
    }
    this.#database = opened.database;
    this.#onDisk = file;
    this.#head = head;
    if (pending !== undefined) this.#redating.add(head.takeOver(pending));
    this.#size = await sizeOf(opened.database);
    this.#redating.add(toRedate);
    this.#redating.run();
  }

  /** Sets the damaged file aside and begins a new one with what memory has. */
  async #replace(fault: string): Promise<void> {
    const now = this.#parts.clocks.wall();
    await this.#database?.close();
    this.#database = undefined;
    this.#onDisk = undefined;
    this.#tellDamaged(setAside(this.#file, now), fault);
    const { database } = await this.#openFile(now);
    this.#head.forgetFile();
    this.#database = database;
    this.#onDisk = new HistoryFile(database, this.#head);
    this.#startedMs = this.#parts.clocks.monotonicMs();
    await this.#onDisk.flush();
  }

  #tellDamaged(aside: string, fault: string): void {
    this.#notes = [`history.db was damaged and is set aside as ${aside}; a new one was begun`];
    this.#parts.logger.error(
      { aside, fault },
      'history.db was damaged and is set aside; a new one was begun',
    );
  }

  /** Age and size, and the figures that follow from it. */
  async #keepWithin(written: number): Promise<void> {
    const database = this.#database;
    if (database === undefined) return;
    // The journal is empty now as it was after the checkpoint before: the difference is what the blocks and sums took.
    const grown = (await sizeOf(database)).usedBytes - this.#size.usedBytes;
    this.#diskUse.checkpoint(written, grown, this.#parts.clocks.monotonicMs());
    const ids = this.#head.series.map(({ id }) => id);
    const isSet = this.#parts.clockState() === 'synced';
    const nowMs = isSet ? this.#parts.clocks.wall().getTime() : undefined;
    const shed = await this.#retention.keepWithin(database, ids, nowMs, this.#opS());
    if (shed.samples > 0 || shed.hours > 0)
      this.#parts.logger.warn(
        { ...shed, max_bytes: this.#limits.maxBytes },
        'history.db is at its ceiling: the oldest was dropped',
      );
    this.#size = await sizeOf(database);
  }

  #undatedTimelines(): number[] {
    return [...this.#head.boots.values()].filter(({ hasUndated }) => hasUndated).map(({ id }) => id);
  }

  #samplesOn(series: Series, timeline: number, range: TimeRange, limit: number): Promise<Sample[]> {
    const bootIds = new Map([...this.#head.boots.values()].map(({ id, bootId }) => [id, bootId]));
    return this.#reading((database) => samplesOf(database, { series, timeline, range, limit, bootIds }));
  }

  async #reading<T>(work: (database: Database, file: HistoryFile) => Promise<T>): Promise<T> {
    if (this.#database === undefined || this.#onDisk === undefined) throw notOpen(this.#file);
    try {
      return await work(this.#database, this.#onDisk);
    } catch (error) {
      if (error instanceof EdgeError) throw error;
      throw new EdgeError('STATE_DB_FAILED', `reading ${this.#file}: ${messageOf(error)}`, {
        hint: 'look at the log and at the disk; a damaged file is set aside at the next check or start',
        cause: error,
      });
    }
  }

  #inLine<T>(job: () => Promise<T>): Promise<T> {
    const done = this.#line.then(job);
    this.#line = done.catch(() => undefined);
    return done;
  }

  #opS(): number {
    const base = this.#onDisk?.opBaseS ?? 0;
    return base + Math.floor((this.#parts.clocks.monotonicMs() - this.#startedMs) / 1000);
  }

  #failed(what: string, error: unknown): void {
    const hint = error instanceof EdgeError && error.hint !== undefined ? `; ${error.hint}` : '';
    const trouble = `${messageOf(error)}${hint}`;
    if (this.#trouble !== trouble) this.#parts.logger.error({ error: trouble }, `history: ${what} failed`);
    this.#trouble = trouble;
  }
}

function checked(range: TimeRange): TimeRange {
  const { fromMs, toMs } = range;
  if (!Number.isFinite(fromMs) || !Number.isFinite(toMs) || toMs < fromMs)
    throw new RangeError(`a range of time ends after it begins, got ${fromMs} to ${toMs}`);
  return { fromMs: Math.round(fromMs), toMs: Math.round(toMs) };
}

function causeOf(error: unknown): unknown {
  return error instanceof EdgeError ? error.cause : error;
}

function notOpen(file: string): EdgeError {
  return new EdgeError('STATE_DB_FAILED', `${file} is not open`, {
    hint: 'see the health of history for why',
    retry: 'safe',
  });
}
