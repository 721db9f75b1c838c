import type { LogAnswer, LogRequest, RingRecord } from './log-cycle.ts';
import type { RingLayout } from './log-layout.ts';
import { fingerprint, mod, positionOfHead } from './ring-arithmetic.ts';

/** Yields what to ask of the PLC, and goes on with the answer. */
export type Steps<T> = Generator<LogRequest, T, LogAnswer>;

/** What can be asked about a ring. */
export class RingQuestions {
  /** What positions are counted in: the head tells them modulo this. */
  readonly range: number;
  readonly #layout: RingLayout;

  constructor(layout: RingLayout) {
    this.#layout = layout;
    this.range = layout.headCounts === 'slot' ? layout.capacity : layout.headRange;
  }

  /** Where the next record goes, below the range; or what is wrong with the head. */
  *head(): Steps<number | string> {
    const answer = yield { kind: 'head' };
    if (typeof answer !== 'number') throw new TypeError('a head is a number');
    return positionOfHead(answer, this.#layout);
  }

  /**
   * A counter of two registers may be read between the writing of the one and of the other, and is then wrong by 65,536:
   * a step that is larger than the ring is looked at twice, and the smaller believed.
   */
  *steady(head: number, before: number): Steps<number> {
    if (this.range <= 0x1_0000 || mod(head - before, this.range) < this.#layout.capacity) return head;
    const again = yield* this.head();
    if (typeof again === 'string') return head;
    return mod(again - before, this.range) < mod(head - before, this.range) ? again : head;
  }

  /** The content of one record, to be compared. */
  *contentAt(position: number): Steps<string> {
    const words = yield { kind: 'records', slot: mod(position, this.#layout.capacity), count: 1 };
    return fingerprint(wordsOf(words));
  }

  /** The records from one position up to another, which is not included. */
  *read(from: number, end: number): Steps<RingRecord[]> {
    const { capacity, recordRegisters } = this.#layout;
    const records: RingRecord[] = [];
    for (let at = from; at < end; ) {
      const slot = mod(at, capacity);
      const count = Math.min(end - at, capacity - slot);
      const words = wordsOf(yield { kind: 'records', slot, count });
      for (let index = 0; index < count; index += 1)
        records.push({
          position: at + index,
          slot: slot + index,
          words: words.slice(index * recordRegisters, (index + 1) * recordRegisters),
        });
      at += count;
    }
    return records;
  }
}

function wordsOf(answer: LogAnswer): readonly number[] {
  if (answer === undefined || typeof answer === 'number') throw new TypeError('records are words');
  return answer;
}
