import type { Decoded } from '../../domain/plc/decode.ts';
import { DEVICE_FAILURE, ILLEGAL_FUNCTION, ModbusRefusal } from '../../domain/plc/modbus-error.ts';
import type { RegisterWrite } from '../../domain/plc/modbus-request.ts';
import type { PlantDevice, PlantPoint } from '../../domain/plc/plant-model.ts';
import type { WriteVerdict } from '../../domain/plc/writing/write-order.ts';
import {
  decodeCells,
  isAsWritten,
  isBitInRegister,
  maskOf,
  registerWriteOf,
  spanOf,
  writeOf,
} from '../../domain/plc/writing/write-request.ts';
import type { WritableValue } from '../../domain/plc/writing/write-value.ts';
import type { Clocks, Scheduler } from '../../runtime/clocks.ts';
import { isEdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { BusPriority, PlcBus } from '../ports/plc-bus.ts';

export interface CellWriterOptions {
  /** Limits of one read and of one write on the bus, the wait for others included, milliseconds. */
  readonly readDeadlineMs: number;
  readonly writeDeadlineMs: number;
  /** How long a device may take to show what it was told, milliseconds. */
  readonly verifyWindowMs: number;
  /** The same when it gave no answer to the write, so that a lost connection can come back. */
  readonly settleWindowMs: number;
}

interface Parts {
  readonly bus: Pick<PlcBus, 'read' | 'write'>;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
}

/** What is to be in a point's cells. */
export type Cells = Pick<WritableValue & { readonly ok: true }, 'words' | 'value'>;

export type CellsRead =
  | { readonly ok: true; readonly words: readonly number[] }
  | { readonly ok: false; readonly detail: string };

export interface CellVerdict {
  readonly verdict: WriteVerdict;
  readonly detail: string;
  readonly found?: Decoded;
}

/** Whether an order may still go out. Asked anew right before each request that writes. */
export interface WriteClearance {
  /** Why it may not any more. */
  refusal(): CellVerdict | undefined;
  /** How long what it was decided on is still good for, milliseconds. */
  leftMs(): number;
}

/** What is known of a write before its effect is looked at. */
interface Sent {
  /** `open`: it may or may not have been carried out. */
  readonly state: 'accepted' | 'open';
  readonly detail: string;
  /** The register that a read-modify-write was made of. */
  readonly register?: number;
  /** Whether the device itself said that it failed. */
  readonly hasFailed?: boolean;
}

const FIRST_PAUSE_MS = 25;
const NO_MASK = 'the device does not write single bits, and the register cannot be read to keep the others';

/** Puts a value into a point's cells, once, and looks whether it is there. Called by PointWriter, who holds the device. */
export class CellWriter {
  readonly #options: CellWriterOptions;
  readonly #parts: Parts;
  /** Devices that answered a mask write with "illegal function". */
  readonly #withoutMask = new Set<string>();

  constructor(options: CellWriterOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
  }

  async read(point: PlantPoint, priority: BusPriority): Promise<CellsRead> {
    const call = { priority, deadlineMs: this.#options.readDeadlineMs };
    try {
      return { ok: true, words: await this.#parts.bus.read(point.device, spanOf(point), call) };
    } catch (error) {
      if (!isEdgeError(error)) throw error;
      return { ok: false, detail: messageOf(error) };
    }
  }

  /**
   * `before` are the cells as they were last read, undefined for a point that cannot be read. An order that loses its
   * `clearance` before anything was written is refused.
   */
  async write(
    device: PlantDevice,
    point: PlantPoint,
    cells: Cells,
    before: readonly number[] | undefined,
    clearance: WriteClearance,
  ): Promise<CellVerdict> {
    const sent = await this.#send(device, point, cells, before !== undefined, clearance);
    if ('verdict' in sent) return sent;
    if (before === undefined) {
      const detail = sent.state === 'accepted' && device.isBroadcast ? 'sent' : sent.detail;
      return device.isBroadcast
        ? unknown('broadcast', `${detail}; it is for every device of the line, and none of them answers`)
        : unknown('write_only', `${detail}; the point cannot be read back`);
    }
    return this.#verify(point, cells, before, sent);
  }

  /** Finds out by reading what became of a write that was sent and not answered. */
  settle(point: PlantPoint, cells: Cells, before: readonly number[], detail: string): Promise<CellVerdict> {
    return this.#verify(point, cells, before, { state: 'open', detail });
  }

  async #send(
    device: PlantDevice,
    point: PlantPoint,
    cells: Cells,
    isReadable: boolean,
    clearance: WriteClearance,
  ): Promise<Sent | CellVerdict> {
    if (!isBitInRegister(point) || !this.#withoutMask.has(device.id)) {
      const sent = await this.#put(device, writeOf(point, cells.words), clearance);
      if (!('verdict' in sent) || sent.verdict.reason !== 'bit_unwritable') return sent;
      this.#withoutMask.add(device.id);
    }
    if (!isReadable) return refused('bit_unwritable', NO_MASK);
    const now = await this.read(point, 'verify');
    if (!now.ok) return refused('present_unreadable', now.detail);
    const register = now.words[0] ?? 0;
    const sent = await this.#put(device, registerWriteOf(point, cells.words, register), clearance);
    return 'verdict' in sent ? sent : { ...sent, register };
  }

  async #put(
    device: PlantDevice,
    write: RegisterWrite,
    clearance: WriteClearance,
  ): Promise<Sent | CellVerdict> {
    const refusal = clearance.refusal();
    if (refusal !== undefined) return refusal;
    // The wait for others on the bus is part of the call: it must not outlast what the order was decided on.
    const deadlineMs = Math.max(1, Math.min(this.#options.writeDeadlineMs, Math.floor(clearance.leftMs())));
    const call = { priority: 'verify', deadlineMs } as const;
    try {
      await this.#parts.bus.write(device.id, write, call);
      return { state: 'accepted', detail: 'the device accepted it' };
    } catch (error) {
      if (!isEdgeError(error)) throw error;
      const exception = error instanceof ModbusRefusal ? error.exception : undefined;
      if (write.kind === 'mask' && exception === ILLEGAL_FUNCTION) return refused('bit_unwritable', NO_MASK);
      const detail = exception === undefined ? error.message : `the device answered with ${error.message}`;
      if (error.retry === 'unknown-outcome')
        return { state: 'open', detail, hasFailed: exception === DEVICE_FAILURE };
      return refused(exception === undefined ? 'not_sent' : 'device_refused', detail);
    }
  }

  /** Reads until the cells are as asked, at least once and for the last time at the end of the window. */
  async #verify(
    point: PlantPoint,
    cells: Cells,
    before: readonly number[],
    sent: Sent,
  ): Promise<CellVerdict> {
    const { clocks } = this.#parts;
    const { verifyWindowMs, settleWindowMs } = this.#options;
    const untilMs = clocks.monotonicMs() + (sent.state === 'open' ? settleWindowMs : verifyWindowMs);
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      const isLast = clocks.monotonicMs() >= untilMs;
      const read = await this.read(point, 'verify');
      if (read.ok && isAsWritten(point, read.words, cells)) return asAsked(point, read.words, sent);
      if (isLast) return notAsAsked(point, read, before, sent);
      await this.#pause(Math.min(pauseMs, Math.max(0, untilMs - clocks.monotonicMs())));
    }
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#parts.scheduler.after(delayMs, resolve);
    });
  }
}

function asAsked(point: PlantPoint, words: readonly number[], sent: Sent): CellVerdict {
  const found = decodeCells(point, words);
  const others = ~maskOf(point) & 0xffff;
  const [word = 0] = words;
  if (sent.register !== undefined && (word & others) !== (sent.register & others))
    return {
      verdict: { status: 'mismatch', reason: 'other_bits_changed' },
      detail: `the bit is as asked, but other bits of its register changed meanwhile: ${hex(sent.register)} before, ${hex(word)} now`,
      found,
    };
  return sent.state === 'accepted'
    ? { verdict: { status: 'verified', reason: 'as_asked' }, detail: 'read back as asked', found }
    : {
        verdict: { status: 'verified', reason: 'settled_by_reading' },
        detail: `${sent.detail}; read back as asked`,
        found,
      };
}

function notAsAsked(
  point: PlantPoint,
  read: CellsRead,
  before: readonly number[],
  { state, detail, hasFailed }: Sent,
): CellVerdict {
  if (!read.ok) return unknown('unreadable', `${detail}; it cannot be read back: ${read.detail}`);
  const found = decodeCells(point, read.words);
  const mask = maskOf(point);
  const isUnchanged = read.words.every((word, index) => (word & mask) === ((before[index] ?? 0) & mask));
  if (!isUnchanged)
    return {
      verdict: { status: 'mismatch', reason: 'other_value' },
      detail: `${detail}; it shows neither the old value nor the new one`,
      found,
    };
  if (hasFailed === true) return { ...refused('device_refused', `${detail}; the value is unchanged`), found };
  return state === 'accepted'
    ? {
        verdict: { status: 'mismatch', reason: 'unchanged' },
        detail: `${detail}, but still shows the old value`,
        found,
      }
    : {
        verdict: { status: 'mismatch', reason: 'not_carried_out' },
        detail: `${detail}; not carried out as far as can be seen, it may yet arrive late`,
        found,
      };
}

function refused(reason: (WriteVerdict & { status: 'refused' })['reason'], detail: string): CellVerdict {
  return { verdict: { status: 'refused', reason }, detail };
}

function unknown(reason: (WriteVerdict & { status: 'unknown' })['reason'], detail: string): CellVerdict {
  return { verdict: { status: 'unknown', reason }, detail };
}

function hex(word: number): string {
  return word.toString(16).padStart(4, '0');
}
