import {
  ILLEGAL_ADDRESS,
  ILLEGAL_FUNCTION,
  ILLEGAL_VALUE,
  isNoise,
  ModbusRefusal,
} from '../../domain/plc/modbus-error.ts';
import type { PlantDevice, PlantPoint } from '../../domain/plc/plant-model.ts';
import { answerReadings, badReading } from '../../domain/plc/polling/answer-readings.ts';
import { badReasonOf } from '../../domain/plc/polling/bad-reason.ts';
import type { DeviceBackoff } from '../../domain/plc/polling/device-backoff.ts';
import { halveRead } from '../../domain/plc/polling/halve-read.ts';
import { Quarantine } from '../../domain/plc/polling/quarantine.ts';
import { ReadLimits } from '../../domain/plc/polling/read-limits.ts';
import { type LearnedLimits, type PlannedRead, planReads } from '../../domain/plc/polling/read-plan.ts';
import { SilentReads } from '../../domain/plc/polling/silent-reads.ts';
import type { BadReason } from '../../domain/plc/reading.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { isEdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { PlcBus } from '../ports/plc-bus.ts';
import type { DeviceBackoffs } from './device-backoffs.ts';
import type { PointImage } from './point-image.ts';

export interface DevicePollerParts {
  /** Pauses for devices that give no answer: a PatientBus. */
  readonly bus: Pick<PlcBus, 'read'>;
  readonly backoffs: DeviceBackoffs;
  readonly image: PointImage;
  readonly clocks: Clocks;
  readonly logger: Logger;
}

/** Longer than anything that waits on a bus takes: a poll that waits its turn is no fault of the device. */
const POLL_DEADLINE_MS = 30_000;
/** Refused points that are tried again in one cycle, so that a cycle stays short. */
const PROBES_PER_CYCLE = 4;
/** An answer that noise has spoilt is asked for again at once, so often. */
const TRIES_IN_NOISE = 3;
/** What was learned from refusals is put to the test again after this: the device may have been mended. */
const LEARN_AGAIN_MS = 600_000;
/** Reads one after another that end in noise: nothing of what the device says can be understood. */
const SPOILT_READS = 3;

/** The whole device did not answer: the rest of the cycle would fail the same way. */
class DeviceSilent extends Error {
  readonly reason: BadReason;
  /** Whether the read that failed was put to the device at all. */
  readonly wasAsked: boolean;

  constructor(reason: BadReason, detail: string, wasAsked = true) {
    super(detail);
    this.reason = reason;
    this.wasAsked = wasAsked;
  }
}

/** Reads all points of one device, over and over; what came back goes into the image. */
export class DevicePoller {
  readonly device: PlantDevice;
  readonly #points: readonly PlantPoint[];
  readonly #parts: DevicePollerParts;
  readonly #limits = new ReadLimits();
  readonly #quarantine = new Quarantine();
  readonly #silent = new SilentReads();
  readonly #backoff: DeviceBackoff;
  readonly #learned: LearnedLimits;
  #plan: { readonly revision: number; readonly reads: readonly PlannedRead[] } | undefined;
  #trouble: string | undefined;
  #cycles = 0;
  /** Reads of this cycle that were answered. */
  #answered = 0;
  /** Reads in a row that noise has spoilt. */
  #spoilt = 0;
  #learnedAtMs = 0;
  #signal: AbortSignal | undefined;

  constructor(device: PlantDevice, points: readonly PlantPoint[], parts: DevicePollerParts) {
    this.device = device;
    this.#points = points;
    this.#parts = parts;
    this.#backoff = parts.backoffs.of(device.id);
    this.#learned = {
      most: (table) => this.#limits.most(table),
      isParted: (table, first, last) =>
        this.#limits.isParted(table, first, last) || this.#quarantine.touches(table, first, last),
    };
  }

  /** Why the device does not answer; undefined while it does. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Points whose registers it refuses, with what it said. */
  get refused(): readonly [PlantPoint, string][] {
    return this.#quarantine.entries();
  }

  /** Reads that get no answer while others do. */
  get silentReads(): number {
    return this.#silent.size;
  }

  /** Requests of one cycle as it stands. */
  get requestsPerCycle(): number {
    return this.#planned().length;
  }

  /** Cycles that went through to their end. */
  get cycles(): number {
    return this.#cycles;
  }

  /**
   * Reads every point once, unless the device is being left alone for a while. Never rejects over an operating error.
   * What comes after the signal is aborted is nobody's news.
   */
  async cycle(signal: AbortSignal): Promise<void> {
    const { clocks, image } = this.#parts;
    this.#signal = signal;
    if (this.#backoff.isWaiting(clocks.monotonicMs())) {
      image.tellStale(this.#points);
      return;
    }
    this.#answered = 0;
    this.#spoilt = 0;
    this.#learnAgain(clocks.monotonicMs());
    try {
      for (const plan of this.#silent.inTurn(this.#planned(), clocks.monotonicMs())) {
        this.#silent.begin(plan);
        await this.#poll(plan);
      }
      this.#silent.end();
      await this.#probe();
      this.#cycles += 1;
      this.#noteWell();
      image.tellStale(this.#points);
    } catch (error) {
      if (!(error instanceof DeviceSilent)) throw error;
      if (!signal.aborted) this.#noteSilent(error);
    }
  }

  #learnAgain(nowMs: number): void {
    if (!this.#limits.isLimited) this.#learnedAtMs = nowMs;
    if (nowMs - this.#learnedAtMs < LEARN_AGAIN_MS) return;
    this.#learnedAtMs = nowMs;
    this.#limits.forget();
  }

  #planned(): readonly PlannedRead[] {
    const { revision } = this.#limits;
    if (this.#plan?.revision !== revision) {
      const points = this.#points.filter((point) => !this.#quarantine.has(point));
      this.#plan = { revision, reads: planReads(this.device, points, this.#learned) };
    }
    return this.#plan.reads;
  }

  /** Throws DeviceSilent. */
  async #poll(plan: PlannedRead): Promise<void> {
    const outcome = await this.#read(plan);
    if (!(outcome instanceof ModbusRefusal)) return;
    if (outcome.exception === ILLEGAL_FUNCTION) this.#refuse(plan.points, outcome);
    else await this.#isolate(plan, outcome);
  }

  /** The points whose time has come, each alone: a neighbour that is still refused must not hide that they are back. */
  async #probe(): Promise<void> {
    const { clocks } = this.#parts;
    for (const point of this.#quarantine.due(clocks.monotonicMs(), PROBES_PER_CYCLE)) {
      const [plan] = planReads(this.device, [point]);
      if (plan === undefined) continue;
      const outcome = await this.#read(plan);
      if (outcome instanceof ModbusRefusal) this.#refuse([point], outcome);
      if (outcome !== 'given') continue;
      this.#quarantine.release(point);
      this.#plan = undefined;
      this.#parts.logger.info({ ...point.ref }, 'the device gives this point again');
    }
  }

  /**
   * A device refuses a whole request for the sake of one address. Halves it until the bad ones stand alone; all others
   * have their value by then. Returns whether everything in it was given after all.
   */
  async #isolate(plan: PlannedRead, refusal: ModbusRefusal): Promise<boolean> {
    const halves = halveRead(plan);
    if (halves === undefined) {
      this.#refuse(plan.points, refusal);
      return false;
    }
    let isGiven = true;
    let isSplitFurther = false;
    for (const half of halves) {
      const outcome = await this.#read(half);
      if (outcome === 'given') continue;
      isSplitFurther = true;
      if (outcome === 'failed' || !(await this.#isolate(half, outcome))) isGiven = false;
    }
    const [left, right] = halves;
    if (isGiven && !isSplitFurther)
      this.#limits.noteRefusedTogether(
        plan.span,
        left.span.address + left.span.count - 1,
        right.span.address,
      );
    return isGiven;
  }

  /**
   * `given` when the values are in the image, `failed` when the device could not give them now, the refusal when it does
   * not give them at all. Throws DeviceSilent.
   */
  async #read(
    { span, points }: PlannedRead,
    tries = TRIES_IN_NOISE,
  ): Promise<'given' | 'failed' | ModbusRefusal> {
    const { bus, image } = this.#parts;
    try {
      const words = await bus.read(this.device.id, span, { priority: 'poll', deadlineMs: POLL_DEADLINE_MS });
      if (this.#signal?.aborted) throw new DeviceSilent('not_read', 'stopped');
      this.#answered += 1;
      this.#spoilt = 0;
      this.#silent.noteAnswer(span);
      this.#limits.noteAnswered(span);
      image.record(points, answerReadings({ span, points }, words, image.stamp()));
      return 'given';
    } catch (error) {
      if (error instanceof DeviceSilent) throw error;
      const reason = badReasonOf(error);
      if (isEdgeError(error, 'MODBUS_BUSY')) {
        image.noteTrouble(points, reason, error.message);
        return 'failed';
      }
      if (isNoise(error)) {
        if (tries > 1) return this.#read({ span, points }, tries - 1);
        this.#spoilt += 1;
        if (this.#spoilt >= SPOILT_READS) throw new DeviceSilent(reason, messageOf(error));
        image.noteTrouble(points, reason, messageOf(error));
        return 'failed';
      }
      if (!(error instanceof ModbusRefusal) || reason !== 'refused')
        throw new DeviceSilent(reason, messageOf(error), !isEdgeError(error, 'MODBUS_LEFT_ALONE'));
      if (isAboutAddress(error)) return error;
      // The device is busy or broken: the addresses are not to blame.
      image.noteTrouble(points, reason, error.message);
      return 'failed';
    }
  }

  #refuse(points: readonly PlantPoint[], refusal: ModbusRefusal): void {
    const { clocks, image, logger } = this.#parts;
    this.#plan = undefined;
    const isNews = points.some((point) => !this.#quarantine.has(point));
    for (const point of points) this.#quarantine.hold(point, refusal.message, clocks.monotonicMs());
    const stamp = image.stamp();
    image.record(
      points,
      points.map((point) => badReading(point, 'refused', refusal.message, stamp)),
    );
    if (isNews)
      logger.warn(
        { points: points.map(({ ref }) => `${ref.machine}.${ref.point}`), detail: refusal.message },
        'the device refuses these points; the others go on',
      );
  }

  #noteWell(): void {
    this.#backoff.noteAnswer();
    if (this.#trouble === undefined) return;
    this.#parts.logger.info('the device answers again');
    this.#trouble = undefined;
    // It may have been restarted, mended or replaced meanwhile.
    this.#quarantine.clear();
    this.#limits.forget();
    this.#plan = undefined;
  }

  /**
   * A device that answered other reads has gone silent for this one alone: that read waits, and the rest has its turn
   * first in the next cycle.
   */
  #noteSilent({ reason, message, wasAsked }: DeviceSilent): void {
    const { clocks, image, logger } = this.#parts;
    const nowMs = clocks.monotonicMs();
    image.noteTrouble(
      this.#points.filter((point) => !this.#quarantine.has(point)),
      reason,
      message,
    );
    if (this.#spoilt >= SPOILT_READS) this.#backoff.noteSilence('unreachable', nowMs);
    if (!wasAsked) return;
    if (this.#answered > 0 && reason === 'timeout') {
      this.#silent.noteSilence(nowMs);
      logger.debug({ reason, detail: message }, 'a read of the device was not answered');
      return;
    }
    if (this.#trouble === undefined) logger.warn({ reason, detail: message }, 'the device does not answer');
    this.#trouble = message;
  }
}

function isAboutAddress({ exception }: ModbusRefusal): boolean {
  return exception === ILLEGAL_FUNCTION || exception === ILLEGAL_ADDRESS || exception === ILLEGAL_VALUE;
}
