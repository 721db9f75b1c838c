import type { LogAnswer, LogRequest } from '../../src/domain/plc/log/log-follower.ts';
import type { RingLayout } from '../../src/domain/plc/log/log-layout.ts';
import { mod } from '../../src/domain/plc/log/ring-arithmetic.ts';

const RECORD_REGISTERS = 4;

export interface ModelRingOptions {
  readonly layout: RingLayout;
  /** Whether the PLC moves the head before it writes the record. */
  readonly isHeadFirst?: boolean;
  /** What the counter shows before the first record. */
  readonly startAt?: number;
}

/** A PLC's ring of records that each hold their own number twice, written register by register. */
export class ModelRing {
  readonly #layout: RingLayout;
  readonly #isHeadFirst: boolean;
  readonly memory: number[];
  #position: number;
  #steps: (() => void)[] = [];
  /** Records begun; the number of the last one. */
  written = 0;

  constructor({ layout, isHeadFirst = false, startAt = 0 }: ModelRingOptions) {
    this.#layout = layout;
    this.#isHeadFirst = isHeadFirst;
    this.#position = startAt;
    this.memory = new Array<number>(layout.capacity * RECORD_REGISTERS).fill(0);
  }

  /** One register written, or the head moved. */
  step(): void {
    if (this.#steps.length === 0) this.#beginRecord();
    this.#steps.shift()?.();
  }

  finishRecord(): void {
    while (this.#steps.length > 0) this.#steps.shift()?.();
  }

  write(records: number): void {
    this.finishRecord();
    for (let n = 0; n < records; n += 1) {
      this.step();
      this.finishRecord();
    }
  }

  /** The PLC restarts: its head stands at the beginning, its memory is kept or cleared. */
  restart(clears: boolean): void {
    this.finishRecord();
    this.#position = 0;
    if (clears) this.memory.fill(0);
  }

  answer(request: LogRequest): LogAnswer {
    if (request.kind === 'head') return this.#head();
    if (request.kind === 'settle') {
      this.finishRecord();
      return undefined;
    }
    const { slot, count } = request;
    if (slot < 0 || count < 1 || slot + count > this.#layout.capacity)
      throw new RangeError(`${count} records from slot ${slot}`);
    return this.memory.slice(slot * RECORD_REGISTERS, (slot + count) * RECORD_REGISTERS);
  }

  #head(): number {
    const { headCounts, capacity, headRange, headPointsTo, headBase } = this.#layout;
    const at = this.#position - (headPointsTo === 'newest' ? 1 : 0);
    return headCounts === 'records' ? mod(at, headRange) : mod(at, capacity) + headBase;
  }

  #beginRecord(): void {
    this.written += 1;
    const number = this.written;
    const first = mod(this.#position, this.#layout.capacity) * RECORD_REGISTERS;
    const words = [number & 0xffff, number >>> 16, number & 0xffff, 0x5a5a];
    const writing = words.map((word, index) => () => {
      this.memory[first + index] = word;
    });
    const moving = () => {
      this.#position += 1;
    };
    this.#steps = this.#isHeadFirst ? [moving, ...writing] : [...writing, moving];
  }
}

/** The number of a record that was read whole; undefined of one whose registers are of two records. */
export function numberOf(words: readonly number[]): number | undefined {
  const [low = -1, high = 0, again, mark] = words;
  return low === again && mark === 0x5a5a ? low + high * 0x1_0000 : undefined;
}

export function ringLayout(given: Partial<RingLayout> = {}): RingLayout {
  return {
    capacity: 10,
    recordRegisters: RECORD_REGISTERS,
    headCounts: 'slot',
    headRange: 0x1_0000,
    headPointsTo: 'next',
    headBase: 0,
    settleRecords: 0,
    onFirstStart: 'all',
    ...given,
  };
}
