import type { PlantDevice, PlantModel, PlantPoint } from '../../domain/plc/plant-model.ts';
import type { Interlock } from '../../domain/plc/writing/check-interlock.ts';
import { evaluateInterlock } from '../../domain/plc/writing/evaluate-interlock.ts';
import { plantInterlocks } from '../../domain/plc/writing/plant-interlocks.ts';
import type {
  RefusalReason,
  WriteMode,
  WriteOrder,
  WriteOutcome,
  WriteVerdict,
} from '../../domain/plc/writing/write-order.ts';
import { decodeCells } from '../../domain/plc/writing/write-request.ts';
import { type WritableValue, withoutEnumText, writableValue } from '../../domain/plc/writing/write-value.ts';
import type { Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Audit } from '../ports/audit.ts';
import type { PlcBus } from '../ports/plc-bus.ts';
import type { PlcReader } from '../ports/plc-reader.ts';
import { type CellVerdict, CellWriter, type CellWriterOptions } from './cell-writer.ts';
import { DeviceLocks } from './device-locks.ts';
import type { BegunWrite } from './unfinished-writes.ts';
import { outcomeOf, placeOf, resumedAttempt, type WriteAttempt, WriteRecord } from './write-record.ts';

export interface PointWriterOptions extends Partial<CellWriterOptions> {
  readonly writes: WriteMode;
  /** How long an order waits for its devices while others write to them, milliseconds. */
  readonly lockWaitMs?: number;
  /** How old the readings that an order was decided on may be when it goes out, milliseconds. */
  readonly groundMs?: number;
}

export interface PointWriterParts {
  readonly plant: PlantModel;
  readonly bus: Pick<PlcBus, 'read' | 'write'>;
  readonly reader: PlcReader;
  readonly audit: Audit;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
}

const DEFAULTS = {
  readDeadlineMs: 2_000,
  writeDeadlineMs: 2_000,
  verifyWindowMs: 2_000,
  settleWindowMs: 5_000,
  lockWaitMs: 5_000,
  groundMs: 5_000,
};
/** From the moment a write is sent until what became of it is known or given up, milliseconds. */
export const WRITE_WAIT_MS = DEFAULTS.writeDeadlineMs + DEFAULTS.settleWindowMs;
const MAX_ATTRIBUTION = 200;

/** A point that may be written, with all that deciding needs. */
interface Target {
  readonly device: PlantDevice;
  readonly point: PlantPoint;
  readonly value: WritableValue & { readonly ok: true };
  readonly interlocks: readonly Interlock[];
}

/**
 * Orders come in; at most one write leaves for each, over the bus, after every check and after the audit has it on disk;
 * each order gets an outcome. The only way to write to a PLC.
 */
export class PointWriter {
  readonly #options: Required<PointWriterOptions>;
  readonly #parts: PointWriterParts;
  readonly #interlocks: ReadonlyMap<PlantPoint, readonly Interlock[]>;
  readonly #locks: DeviceLocks;
  readonly #cells: CellWriter;
  readonly #record: WriteRecord;

  /** Throws EdgeError PLANT_CONFLICT when a condition of the plant cannot be evaluated. */
  constructor(options: PointWriterOptions, parts: PointWriterParts) {
    this.#options = { ...DEFAULTS, ...options };
    this.#parts = parts;
    this.#interlocks = plantInterlocks(parts.plant);
    this.#locks = new DeviceLocks(parts.scheduler);
    this.#cells = new CellWriter(this.#options, parts);
    this.#record = new WriteRecord(parts);
  }

  /**
   * Never rejects for what a device, a person or the disk did. Once a write has been sent that the device did not
   * refuse, `signal` stops nothing any more: its effect is looked for to the end.
   */
  async write(order: WriteOrder, signal?: AbortSignal): Promise<WriteOutcome> {
    const attempt: WriteAttempt = { id: this.#newId(), order };
    const target = this.#target(order);
    if ('verdict' in target) return this.#record.end(attempt, target);
    attempt.value = target.value;
    const release = await this.#locks.acquire(this.#devicesOf(target), this.#options.lockWaitMs);
    if (release === undefined)
      return this.#record.end(
        attempt,
        refused('device_busy', `other orders for its devices took more than ${this.#options.lockWaitMs} ms`),
      );
    try {
      return await this.#record.end(attempt, await this.#carryOut(attempt, target, signal));
    } finally {
      release();
    }
  }

  /**
   * Finds out by reading what became of a write that was begun before a crash, and gives it its end in the audit. While
   * the point cannot be read the outcome is `unknown` and the write stays unfinished. Nothing is ever written.
   */
  async settle(begun: BegunWrite): Promise<WriteOutcome> {
    const { written: value, words, words_before: before } = begun;
    const attempt = resumedAttempt(begun);
    const point = this.#parts.plant.point(attempt.order.ref);
    const device = this.#parts.plant.device(point?.device ?? '');
    if (point === undefined || device === undefined || placeOf(point) !== begun.place)
      return this.#record.end(
        attempt,
        unknown('unreadable', 'the plant file has changed: the point is elsewhere now'),
      );
    if (device.isBroadcast)
      return this.#record.end(attempt, unknown('broadcast', 'nobody answers a broadcast'));
    if (before === undefined)
      return this.#record.end(attempt, unknown('write_only', 'the point cannot be read back'));
    const release = await this.#locks.acquire([keyOf(device)], this.#options.lockWaitMs);
    if (release === undefined)
      return outcomeOf(attempt, unknown('unreadable', 'other orders kept its device busy'), false);
    try {
      attempt.before = decodeCells(point, before);
      const verdict = await this.#cells.settle(
        point,
        { words, value },
        before,
        'the program ended before the outcome was known',
      );
      return verdict.verdict.status === 'unknown'
        ? outcomeOf(attempt, verdict, false)
        : await this.#record.end(attempt, verdict);
    } finally {
      release();
    }
  }

  /** What can be decided without a device: permission first, then the value. */
  #target(order: WriteOrder): Target | CellVerdict {
    const { ref, by, because } = order;
    if (this.#options.writes === 'off') return refused('writes_off', 'writing is switched off for this site');
    if (![by, because].every((text) => text.trim() !== '' && text.length <= MAX_ATTRIBUTION))
      return refused(
        'unattributed',
        `an order says who asks and why, 1 to ${MAX_ATTRIBUTION} characters each`,
      );
    const point = this.#parts.plant.point(ref);
    const device = this.#parts.plant.device(point?.device ?? '');
    if (point === undefined || device === undefined)
      return refused('unknown_point', `no point ${ref.point} of ${ref.machine} in the plant`);
    if (point.access === 'read') return refused('read_only', `${ref.machine}.${ref.point} has access: read`);
    const value = writableValue(point, order.value);
    if (!value.ok) return refused(value.reason, value.detail);
    return { device, point, value, interlocks: this.#interlocks.get(point) ?? [] };
  }

  /** Everything that needs the devices, in order; whatever comes back was decided while they were held. */
  async #carryOut(
    attempt: WriteAttempt,
    target: Target,
    signal: AbortSignal | undefined,
  ): Promise<CellVerdict> {
    const { device, point, value } = target;
    const { clocks } = this.#parts;
    const untilMs = clocks.monotonicMs() + this.#options.groundMs;
    const cancelled = refused('cancelled', 'cancelled before anything was written');
    const leftMs = (): number => untilMs - clocks.monotonicMs();
    const refusal = (): CellVerdict | undefined => {
      if (isCancelled(signal)) return cancelled;
      if (leftMs() > 0) return undefined;
      const ageMs = this.#options.groundMs - leftMs();
      return refused('too_late', `what it was decided on is ${Math.round(ageMs)} ms old`);
    };
    if (isCancelled(signal)) return cancelled;
    const locked = await this.#checkInterlocks(attempt, target);
    if (locked !== undefined) return locked;
    const before = await this.#present(attempt, target);
    if (before !== undefined && 'verdict' in before) return before;
    if (isCancelled(signal)) return cancelled;
    const failure = await this.#record.begin(attempt, point, value, before, this.#options.writes);
    if (failure !== undefined)
      return refused('audit_failed', `nothing is written that is not on record: ${failure}`);
    const late = refusal();
    if (late !== undefined) return late;
    if (this.#options.writes === 'commissioning')
      return {
        verdict: { status: 'simulated', reason: 'commissioning' },
        detail: 'everything was in order; nothing was sent, since writes are set to commissioning',
      };
    return this.#cells.write(device, point, value, before, { refusal, leftMs });
  }

  async #checkInterlocks(attempt: WriteAttempt, { interlocks }: Target): Promise<CellVerdict | undefined> {
    if (interlocks.length === 0) return undefined;
    const refs = interlocks.flatMap((interlock) => interlock.refs);
    const readings = await this.#parts.reader.read(refs, this.#options.readDeadlineMs, 'confirm');
    const verdicts = interlocks.map((interlock) => evaluateInterlock(interlock, readings));
    const failed = verdicts.find(({ verdict }) => verdict !== 'met');
    if (failed === undefined) return undefined;
    attempt.condition = failed;
    const saw = failed.saw
      .map(
        (seen) =>
          `${seen.ref.machine}.${seen.ref.point} ${'value' in seen ? JSON.stringify(seen.value) : seen.bad}`,
      )
      .join(', ');
    return failed.verdict === 'unmet'
      ? refused('interlock_unmet', `${failed.text} does not hold: ${saw}`)
      : refused('interlock_unknown', `${failed.text} cannot be told: ${saw}`);
  }

  /** The cells as they are now, undefined for a point that cannot be read. */
  async #present(
    attempt: WriteAttempt,
    { device, point }: Target,
  ): Promise<readonly number[] | undefined | CellVerdict> {
    const { expected } = attempt.order;
    if (device.isBroadcast || point.access === 'write')
      return expected === undefined
        ? undefined
        : refused('present_unknowable', 'the point cannot be read, so nobody can say what it showed');
    const read = await this.#cells.read(point, 'confirm');
    if (!read.ok) return refused('present_unreadable', read.detail);
    const before = decodeCells(point, read.words);
    attempt.before = before;
    if (expected === undefined) return read.words;
    const meant = withoutEnumText(point, expected);
    const shown = before.quality === 'good' ? JSON.stringify(before.value) : before.detail;
    return before.quality === 'good' && meant.ok && meant.value === before.value
      ? read.words
      : refused(
          'present_changed',
          `it showed ${JSON.stringify(expected)} when it was confirmed, now ${shown}`,
        );
  }

  /**
   * Its own device, and those of its conditions: two orders that each rest on what the other changes would both be right
   * and together wrong. A broadcast is for every device of its connection.
   */
  #devicesOf({ device, interlocks }: Target): string[] {
    const { plant } = this.#parts;
    const read = interlocks
      .flatMap(({ refs }) => refs)
      .flatMap((ref) => plant.device(plant.point(ref)?.device ?? '') ?? []);
    const obeying = device.isBroadcast
      ? [...plant.devices.values()].filter(({ connection }) => connection === device.connection)
      : [];
    return [...new Set([device, ...read, ...obeying].map(keyOf))];
  }

  #newId(): string {
    const { clocks } = this.#parts;
    return `${clocks.bootId}-${clocks.nextSeq()}`;
  }
}

/** Asked anew each time: it changes while others are waited for. */
function isCancelled(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** One unit id of one connection is one device, however many names it has. */
function keyOf({ connection, unitId }: PlantDevice): string {
  return `${connection} ${unitId}`;
}

function refused(reason: RefusalReason, detail: string): CellVerdict {
  return { verdict: { status: 'refused', reason }, detail };
}

function unknown(reason: (WriteVerdict & { status: 'unknown' })['reason'], detail: string): CellVerdict {
  return { verdict: { status: 'unknown', reason }, detail };
}
