import { decodeRegisters } from '../../domain/plc/decode.ts';
import { decodeRecord } from '../../domain/plc/log/decode-record.ts';
import type { CycleOutcome, LogAnswer, LogRequest } from '../../domain/plc/log/log-cycle.ts';
import { LogFollower } from '../../domain/plc/log/log-follower.ts';
import { mostRegistersOf, recordSpans, recordsPerRequest } from '../../domain/plc/log/log-spans.ts';
import type { PlantLog } from '../../domain/plc/log/plant-log.ts';
import type { PlantDevice } from '../../domain/plc/plant-model.ts';
import { backoffMs } from '../../runtime/backoff.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { EdgeError, isEdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { PlcBus } from '../ports/plc-bus.ts';
import type { NewLogEntry, PlcLogStore } from '../ports/plc-log-store.ts';
import { PlcLogClock } from './plc-log-clock.ts';
import { countedBySequence, gapEntry, recordEntry } from './plc-log-entries.ts';

export interface PlcLogTailParts {
  readonly bus: Pick<PlcBus, 'read' | 'readFile'>;
  readonly store: PlcLogStore;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** Called when entries have been kept. */
  readonly onKept: () => void;
}

/** Limit of one request with the time it waits behind others. */
const REQUEST_DEADLINE_MS = 5_000;
/** Requests for records between two looks at the head. */
const REQUESTS_PER_CHUNK = 8;
/** Looks that want more at once although the one before brought nothing. */
const MOST_IDLE_LOOKS = 3;
const LONGEST_PAUSE_MS = 60_000;
const PRUNE_EVERY_MS = 3_600_000;
/** A count of two bytes may have gone round unseen when nobody looked for longer. */
const UINT16_COUNT_SURE_FOR_MS = 60_000;

/**
 * Follows one log: asks the bus what the follower wants, keeps what it finds together with the place reached, and only
 * then goes on from there. Any failure forgets the place and asks the store for it again. Called by PlcLogReader.
 */
export class PlcLogTail {
  readonly log: PlantLog;
  readonly #device: PlantDevice;
  readonly #parts: PlcLogTailParts;
  readonly #clock = new PlcLogClock();
  readonly #counts = {
    records: 0,
    lost: 0,
    overruns: 0,
    restarts: 0,
    bad_records: 0,
    requests: 0,
    failures: 0,
  };
  #follower: LogFollower | undefined;
  #lastSequence: number | null = null;
  #lastLookMs: number | undefined;
  #prunedAtMs: number | undefined;
  #lossIsAtLeast = false;
  #trouble: string | undefined;
  #clockTrouble: string | undefined;
  #failures = 0;
  #isStopped = true;
  #cancel: Cancel = () => undefined;
  #wake: () => void = () => undefined;
  #round: Promise<void> = Promise.resolve();

  constructor(log: PlantLog, device: PlantDevice, parts: PlcLogTailParts) {
    this.log = log;
    this.#device = device;
    const logger = parts.logger.child({ machine: log.ref.machine, log: log.ref.log });
    this.#parts = { ...parts, logger };
  }

  start(): void {
    this.#isStopped = false;
    this.#next(0);
  }

  /** Resolves when the request in flight has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    this.#wake();
    await this.#round;
  }

  get trouble(): string | undefined {
    return this.#trouble ?? this.#clockTrouble;
  }

  get figures(): Readonly<Record<string, number>> {
    return this.#counts;
  }

  /** One line for the maintenance engineer. */
  get detail(): string {
    const { machine, log } = this.log.ref;
    if (this.trouble !== undefined) return `${machine}.${log}: ${this.trouble}`;
    const lost =
      this.#counts.lost === 0 ? '' : `, ${this.#lossIsAtLeast ? 'at least ' : ''}${this.#counts.lost} lost`;
    return `${machine}.${log}: ${this.#counts.records} records${lost}${this.#clockDetail()}`;
  }

  get clockOffset() {
    return this.#clock.offset(this.#parts.clocks.monotonicMs());
  }

  #clockDetail(): string {
    const offset = this.clockOffset;
    if (offset === undefined || this.log.timestamp.format === 'uptime_ms') return '';
    const seconds = (Math.abs(offset.offsetMs) / 1000).toFixed(1);
    if (offset.by === 'measured')
      return `, the PLC's clock is ${seconds} s ${offset.offsetMs >= 0 ? 'behind' : 'ahead'}`;
    return offset.offsetMs >= 0
      ? `, the PLC's clock is at most ${seconds} s behind (estimated)`
      : `, the PLC's clock is at least ${seconds} s ahead (estimated)`;
  }

  #next(delayMs: number): void {
    if (this.#isStopped) return;
    this.#cancel = this.#parts.scheduler.after(delayMs, () => {
      this.#round = this.#lookAround();
    });
  }

  /** Never rejects. */
  async #lookAround(): Promise<void> {
    try {
      await this.#measureClock();
      const fault = await this.#readAll();
      if (fault === undefined) this.#noteSuccess();
      else this.#noteTrouble(fault);
      await this.#prune();
    } catch (error) {
      this.#follower = undefined;
      if (isEdgeError(error)) this.#noteTrouble(messageOf(error));
      else {
        // A fault of the program ends this log, not the others; it is shouted about.
        this.#parts.logger.error({ err: error }, 'the event log cannot be followed');
        this.#noteTrouble(`internal fault: ${messageOf(error)}`);
      }
    }
    const { pollIntervalMs } = this.log;
    this.#next(
      this.#failures === 0
        ? pollIntervalMs
        : backoffMs(this.#failures - 1, {
            baseMs: pollIntervalMs,
            maxMs: Math.max(pollIntervalMs, LONGEST_PAUSE_MS),
          }),
    );
  }

  /** Looks until nothing is new; what is wrong with the log, if anything is. */
  async #readAll(): Promise<string | undefined> {
    let idle = 0;
    while (!this.#isStopped) {
      const { more, fault, records, gap } = await this.#look();
      if (fault !== undefined) return fault;
      idle = records.length > 0 || gap !== undefined ? 0 : idle + 1;
      if (!more || idle >= MOST_IDLE_LOOKS) return undefined;
    }
    return undefined;
  }

  async #look(): Promise<CycleOutcome> {
    const { clocks, store } = this.#parts;
    const follower = this.#follower ?? (await this.#loadFollower());
    this.#follower = follower;
    const steps = follower.cycle();
    let step = steps.next();
    while (step.done !== true) step = steps.next(await this.#answer(step.value));
    const outcome = step.value;
    const lookedBeforeMs = this.#lastLookMs;
    const isFirst = follower.cursor === undefined;
    this.#lastLookMs = clocks.monotonicMs();
    const { cursor } = outcome;
    if (cursor === undefined || cursor === follower.cursor) return outcome;

    const sinceMs =
      lookedBeforeMs === undefined ? Number.POSITIVE_INFINITY : this.#lastLookMs - lookedBeforeMs;
    await this.#doubtClock(outcome);
    const entries = this.#entriesOf(outcome, cursor.epoch, sinceMs, isFirst);
    await store.append(this.log.ref, cursor, entries);
    follower.commit(outcome);
    this.#count(entries);
    if (entries.length > 0) this.#parts.onKept();
    return outcome;
  }

  async #loadFollower(): Promise<LogFollower> {
    const { layout, ref, area } = this.log;
    const kept = await this.#parts.store.load(ref, layout.capacity);
    this.#lastSequence = kept.lastSequence;
    const most = mostRegistersOf(area.kind, this.#device.maxRegistersPerRequest);
    const chunkRecords = REQUESTS_PER_CHUNK * recordsPerRequest(layout.recordRegisters, most);
    return new LogFollower(layout, { chunkRecords, cursor: kept.cursor, seen: kept.seen });
  }

  #entriesOf(outcome: CycleOutcome, epoch: number, sinceMs: number, isFirst: boolean): NewLogEntry[] {
    const { clocks } = this.#parts;
    const stamp = () => ({
      arrivedAtMs: clocks.wall().getTime(),
      bootId: clocks.bootId,
      seq: clocks.nextSeq(),
    });
    const measuredMs = this.#clock.measuredMs(clocks.monotonicMs());
    const gapStamp = outcome.gap === undefined ? undefined : stamp();
    const made = outcome.records.map((record) => recordEntry(this.log, epoch, record, measuredMs, stamp()));
    const newest = made.at(-1);
    // Only what was written since a look a moment ago has come straight from the PLC.
    if (
      newest?.decoded.time &&
      !isFirst &&
      outcome.gap === undefined &&
      sinceMs <= 2 * this.log.pollIntervalMs
    )
      this.#clock.noteArrival(newest.decoded.time, newest.entry.arrivedAtMs);
    const records = made.map(({ entry }) => entry);
    if (outcome.gap === undefined || gapStamp === undefined) return records;
    const isUnsure =
      outcome.gap.exact && this.log.layout.headRange === 0x1_0000 && sinceMs > UINT16_COUNT_SURE_FOR_MS;
    const gap = countedBySequence(
      isUnsure ? { ...outcome.gap, exact: false } : outcome.gap,
      this.#lastSequence,
      made[0]?.entry.sequence ?? null,
      this.log,
    );
    return [gapEntry(this.log, gap, gapStamp), ...records];
  }

  #count(entries: readonly NewLogEntry[]): void {
    const { logger } = this.#parts;
    for (const entry of entries) {
      if (entry.kind === 'record') {
        this.#counts.records += 1;
        if (entry.badFields.length > 0) this.#counts.bad_records += 1;
        this.#lastSequence = entry.sequence;
        continue;
      }
      const { kind, lost, exact } = entry;
      this.#counts.lost += lost;
      this.#lossIsAtLeast ||= !exact;
      if (kind === 'overrun') {
        this.#counts.overruns += 1;
        logger.warn({ lost, exact }, 'log records were overwritten before they could be read');
      } else {
        this.#counts.restarts += 1;
        // A PLC that was only switched off and on is no reason to worry.
        if (lost > 0) logger.warn({ lost }, 'the PLC began its log anew');
        else logger.info('the PLC began its log anew');
      }
    }
  }

  async #answer(request: LogRequest): Promise<LogAnswer> {
    if (this.#isStopped) throw new EdgeError('PLC_LOG_STOPPED', 'the log reader is ending');
    if (request.kind === 'settle') return this.#settle();
    if (request.kind === 'head') {
      const decoded = decodeRegisters(await this.#read(this.log.head), this.log.headEncoding);
      return decoded.quality === 'good' ? Number(decoded.value) : Number.NaN;
    }
    const { area, layout } = this.log;
    const most = mostRegistersOf(area.kind, this.#device.maxRegistersPerRequest);
    const words: number[] = [];
    for (const { offset, count } of recordSpans(request.slot, request.count, layout.recordRegisters, most)) {
      if (area.kind === 'ring')
        words.push(...(await this.#read({ table: area.table, address: area.address + offset, count })));
      else {
        this.#counts.requests += 1;
        const span = { file: area.file, record: area.record + offset, count };
        words.push(...(await this.#parts.bus.readFile(this.log.device, span, this.#call())));
      }
    }
    return words;
  }

  #read(span: PlantLog['head']): Promise<readonly number[]> {
    this.#counts.requests += 1;
    return this.#parts.bus.read(this.log.device, span, this.#call());
  }

  #call() {
    return { priority: 'poll', deadlineMs: REQUEST_DEADLINE_MS } as const;
  }

  async #settle(): Promise<undefined> {
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.scheduler.after(this.log.settleMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    return undefined;
  }

  async #measureClock(): Promise<void> {
    const { clocks } = this.#parts;
    const { clock } = this.log;
    if (clock === undefined || !this.#clock.isDue(clocks.monotonicMs())) return;
    this.#clock.noteAttempt(clocks.monotonicMs());
    const before = clocks.wall().getTime();
    try {
      const words = await this.#read(clock.span);
      const middle = (before + clocks.wall().getTime()) / 2;
      this.#clockTrouble = this.#clock.noteReading(words, clock.time, middle, clocks.monotonicMs())
        ? undefined
        : "the registers of the PLC's clock hold no time";
    } catch (error) {
      if (!isEdgeError(error)) throw error;
      // Records are worth having without the clock.
      this.#clockTrouble = `the PLC's clock cannot be read: ${error.message}`;
    }
  }

  async #doubtClock({ records }: CycleOutcome): Promise<void> {
    const newest = records.at(-1);
    const time = newest === undefined ? null : decodeRecord(newest.words, this.log).time;
    const nowMs = this.#parts.clocks.wall().getTime();
    if (time !== null && this.#clock.dropIfRefuted(time, nowMs)) await this.#measureClock();
  }

  async #prune(): Promise<void> {
    const { clocks, store } = this.#parts;
    const nowMs = clocks.monotonicMs();
    if (this.#prunedAtMs !== undefined && nowMs - this.#prunedAtMs < PRUNE_EVERY_MS) return;
    this.#prunedAtMs = nowMs;
    await store.prune(this.log.ref, {
      keepAfterMs: clocks.wall().getTime() - this.log.keepMs,
      keepRecords: this.log.keepRecords,
      keepNewest: this.log.layout.capacity,
    });
  }

  #noteSuccess(): void {
    if (this.#trouble !== undefined) this.#parts.logger.info('the event log is read again');
    this.#trouble = undefined;
    this.#failures = 0;
  }

  #noteTrouble(reason: string): void {
    if (this.#isStopped) return;
    if (this.#trouble === undefined) this.#parts.logger.warn({ reason }, 'the event log cannot be read');
    this.#trouble = reason;
    this.#failures += 1;
    this.#counts.failures += 1;
  }
}
