import type { CycleOutcome, LogCursor, RingRecord } from './log-cycle.ts';
import type { RingLayout } from './log-layout.ts';
import { fingerprint, isEmptyRecord, mod } from './ring-arithmetic.ts';
import { RingQuestions, type Steps } from './ring-questions.ts';

/**
 * What is known of a ring and what its PLC answers come in; what to ask next goes out, and in the end the records that
 * are new and whole, or how many were lost. Called by the log reader, which does the asking and keeps the result.
 */

interface FollowerOptions {
  /** Records read between two looks at the head. */
  readonly chunkRecords: number;
  /** The content that was last read from each slot. */
  readonly seen?: Iterable<readonly [slot: number, content: string]>;
  readonly cursor?: LogCursor | undefined;
}

/** So often a newest record that still shows what its slot held a lap ago is left for later before it is believed. */
const PATIENCE_CYCLES = 5;

interface Look {
  /** Of the record before which the look ended, counted as the head counts. */
  readonly headAt: number;
  readonly end: number;
  readonly run: readonly RingRecord[];
  /** Read as well, and not among the newest that are new and whole. */
  readonly besides: readonly RingRecord[];
  readonly stoppedAt: 'overwritten' | 'old' | 'start';
  readonly anchor: string;
}

/**
 * A record is believed when it could not have been written between the look at the head before it was read and the look
 * after: its slot is neither the one that is written next nor one of the newest `settleRecords`, unless those read the
 * same twice. That nothing else happened meanwhile (a whole lap, a cleared log) is proved by the anchor, the last record
 * taken, which must still stand in its slot.
 */
export class LogFollower {
  readonly #layout: RingLayout;
  readonly #questions: RingQuestions;
  readonly #chunk: number;
  /** Slots beyond the head that may be under the pen. */
  readonly #guard: number;
  /** What positions are counted in: the head tells them modulo this. */
  readonly #range: number;
  readonly #seen: Map<number, string>;
  #cursor: LogCursor | undefined;
  #lastAdvance = 0;
  #patience = 0;

  constructor(layout: RingLayout, { chunkRecords, seen, cursor }: FollowerOptions) {
    this.#layout = layout;
    this.#questions = new RingQuestions(layout);
    this.#chunk = Math.max(1, chunkRecords);
    this.#guard = Math.max(1, layout.settleRecords);
    this.#range = this.#questions.range;
    this.#seen = new Map(seen ?? []);
    this.#cursor = cursor;
  }

  get cursor(): LogCursor | undefined {
    return this.#cursor;
  }

  /** Takes over what a cycle found, once it is kept: a cycle that was not kept is read again. */
  commit({ cursor, records, passedOver = [] }: CycleOutcome): void {
    this.#cursor = cursor;
    for (const { slot, words } of [...passedOver, ...records]) this.#seen.set(slot, fingerprint(words));
  }

  /** One look at the log. Takes nothing for read before `commit` is told. */
  *cycle(): Steps<CycleOutcome> {
    const head = yield* this.#questions.head();
    if (typeof head === 'string') return this.#nothing({ fault: head });
    const cursor = this.#cursor;
    if (cursor === undefined) return yield* this.#begin();
    const steady = yield* this.#questions.steady(head, mod(cursor.next, this.#range));
    if (this.#hasBegunAnew(cursor, steady)) return yield* this.#beginAnew(cursor);
    if (this.#distance(cursor, steady) === 0) return yield* this.#checkIdle(cursor);
    return yield* this.#readOn(cursor, steady);
  }

  *#readOn(cursor: LogCursor, head: number): Steps<CycleOutcome> {
    const { capacity, settleRecords } = this.#layout;
    const behind = this.#distance(cursor, head);
    const top = cursor.next + behind;
    const from = this.#firstWorthReading(cursor, top);
    const settled = Math.max(from, top - settleRecords);
    const mustConfirm = settled === from && settleRecords > 0;
    const wantedEnd = Math.min(mustConfirm ? top : settled, from + this.#chunk);
    const read = yield* this.#questions.read(from, wantedEnd);
    const records = mustConfirm ? yield* this.#confirmed(read) : read;

    const lookedAfter = yield* this.#questions.head();
    if (typeof lookedAfter === 'string') return this.#nothing({ fault: lookedAfter });
    const headAfter = yield* this.#questions.steady(lookedAfter, head);
    const advance = mod(headAfter - head, this.#range);
    if (this.#counts && advance > this.#range / 2) return this.#nothing({ more: true });
    this.#lastAdvance = advance;
    const topAfter = top + advance;
    const anchored = yield* this.#anchorStands(cursor, headAfter, topAfter);
    if (anchored === 'changed') return yield* this.#afterChange(cursor);
    if (anchored === 'began anew' || this.#provesNothing(cursor, records))
      return yield* this.#beginAnew(cursor);

    if (this.#looksOld(cursor, head, records)) {
      const look = yield* this.#lookSmaller(settleRecords);
      if (look === undefined) return this.#nothing({ more: true });
      if (look.run.length > 0 || look.headAt === 0) return this.#anew(cursor, look);
      const tip = yield* this.#questions.read(look.end, look.end + Math.min(settleRecords, look.headAt));
      if (tip.some((record) => !this.#isOld(record))) return this.#anew(cursor, look);
      // Records that say the same each lap are no reason to leave them out; unwritten slots are.
      const hasEmpty = records.some(({ words }) => isEmptyRecord(fingerprint(words)));
      if (hasEmpty || isEmptyRecord(look.anchor)) return this.#nothing({ more: true });
    }

    const end = from + records.length;
    const start = Math.max(from, topAfter - capacity + this.#guard);
    const more = end < top || advance > 0;
    if (start >= end) {
      if (!this.#counts || end === from) return this.#nothing({ more: more && end > from });
      return {
        cursor: { ...cursor, next: end, anchor: undefined },
        gap: { kind: 'overrun', lost: end - cursor.next, exact: true },
        records: [],
        more: true,
        fault: undefined,
      };
    }
    const believed = records.filter(({ position }) => position >= start);
    return {
      cursor: { ...cursor, next: end, anchor: fingerprint(believed.at(-1)?.words ?? []) },
      gap: start > cursor.next ? { kind: 'overrun', lost: start - cursor.next, exact: true } : undefined,
      records: believed,
      more,
      fault: undefined,
    };
  }

  /** With no step of the head the ring may still have gone round exactly, or begun anew and come as far as before. */
  *#checkIdle(cursor: LogCursor): Steps<CycleOutcome> {
    if (cursor.anchor === undefined) return this.#nothing({});
    const now = yield* this.#questions.contentAt(cursor.next - 1);
    if (now === cursor.anchor) return this.#nothing({});
    const head = yield* this.#questions.head();
    if (typeof head === 'string') return this.#nothing({ fault: head });
    // The head may have moved on between the two: then the next look sees by how much.
    if (this.#counts && this.#distance(cursor, head) >= this.#layout.capacity - this.#guard)
      return this.#nothing({ more: true });
    return yield* this.#afterChange(cursor);
  }

  *#anchorStands(
    cursor: LogCursor,
    headAfter: number,
    topAfter: number,
  ): Steps<'stands' | 'changed' | 'began anew'> {
    if (cursor.anchor === undefined) return 'stands';
    const now = yield* this.#questions.contentAt(cursor.next - 1);
    if (now === cursor.anchor) return 'stands';
    if (!this.#counts) return 'changed';
    // A counting head proves by itself how many were written; the anchor may have been one of those overwritten.
    const head = yield* this.#questions.head();
    const advance = typeof head === 'string' ? this.#range : mod(head - headAfter, this.#range);
    if (advance > this.#range / 2) return 'began anew';
    return topAfter + advance >= cursor.next + this.#layout.capacity - this.#guard ? 'stands' : 'began anew';
  }

  /** The last record taken no longer stands in its slot: the ring went round, or began anew. */
  *#afterChange(cursor: LogCursor): Steps<CycleOutcome> {
    const { capacity, settleRecords } = this.#layout;
    const look = yield* this.#lookSmaller(settleRecords);
    if (look === undefined) return this.#nothing({ fault: 'the log is written faster than it can be read' });
    if (this.#counts || look.stoppedAt === 'old') return this.#anew(cursor, look);

    const behind = this.#distance(cursor, look.headAt);
    const top = cursor.next + behind + (behind >= capacity - this.#guard ? 0 : capacity);
    const shift = top - settleRecords - look.end;
    const records = look.run.map((record) => ({ ...record, position: record.position + shift }));
    const end = look.end + shift;
    const start = records[0]?.position ?? end;
    return {
      cursor: { epoch: cursor.epoch, next: end, anchor: look.anchor },
      gap: { kind: 'overrun', lost: Math.max(0, start - cursor.next), exact: false },
      records,
      passedOver: look.besides,
      more: true,
      fault: undefined,
    };
  }

  *#beginAnew(cursor: LogCursor): Steps<CycleOutcome> {
    const look = yield* this.#lookSmaller(this.#layout.settleRecords);
    return look === undefined
      ? this.#nothing({ fault: 'the log is written faster than it can be read' })
      : this.#anew(cursor, look);
  }

  *#begin(): Steps<CycleOutcome> {
    const { onFirstStart, settleRecords } = this.#layout;
    const isAll = onFirstStart === 'all';
    if (!isAll && settleRecords > 0) yield { kind: 'settle' };
    const look = yield* this.#lookSmaller(isAll ? settleRecords : 0);
    if (look === undefined) return this.#nothing({ fault: 'the log is written faster than it can be read' });
    const besides = yield* this.#oldestIfQuiet(look);
    return {
      cursor: { next: look.end, epoch: 0, anchor: look.anchor },
      gap: undefined,
      records: isAll ? look.run : [],
      passedOver: [...look.besides, ...besides, ...(isAll ? [] : look.run)],
      more: true,
      fault: undefined,
    };
  }

  /** The record that is overwritten next is not delivered; what it says is kept, to know it again. */
  *#oldestIfQuiet(look: Look): Steps<readonly RingRecord[]> {
    const [oldest] = yield* this.#questions.read(look.headAt, look.headAt + 1);
    yield { kind: 'settle' };
    const head = yield* this.#questions.head();
    const [again] = yield* this.#questions.read(look.headAt, look.headAt + 1);
    if (oldest === undefined || again === undefined || head !== look.headAt) return [];
    return fingerprint(oldest.words) === fingerprint(again.words) ? [oldest] : [];
  }

  #anew(cursor: LogCursor, look: Look): CycleOutcome {
    const first = look.run[0]?.position ?? look.end;
    const isWhereItWas = mod(look.end - cursor.next, this.#range) === 0 && look.anchor === cursor.anchor;
    if (isWhereItWas && look.run.length === 0) return this.#nothing({});
    // A log that had no record yet has not begun anew when its first one comes.
    const wasEmpty =
      cursor.anchor !== undefined && isEmptyRecord(cursor.anchor) && look.stoppedAt !== 'overwritten';
    const lost = this.#counts && look.stoppedAt === 'overwritten' ? Math.max(0, first) : 0;
    return {
      cursor: { next: look.end, epoch: cursor.epoch + 1, anchor: look.anchor },
      gap: wasEmpty && lost === 0 ? undefined : { kind: 'restarted', lost, exact: false },
      records: look.run,
      passedOver: look.besides,
      more: true,
      fault: undefined,
    };
  }

  /** Fewer and fewer of the newest records, until the writer does not go round meanwhile. */
  *#lookSmaller(leaveOut: number): Steps<Look | undefined> {
    for (let size = this.#layout.capacity - this.#guard; size >= 1; size = Math.floor(size / 2)) {
      const look = yield* this.#look(size, leaveOut);
      if (look !== undefined) return look;
    }
    return undefined;
  }

  /**
   * The newest records of the ring but for `leaveOut`, back to where one was overwritten, is empty or was seen before.
   * Undefined when the writer went round or began anew meanwhile.
   */
  *#look(size: number, leaveOut: number): Steps<Look | undefined> {
    const { capacity } = this.#layout;
    const head = yield* this.#questions.head();
    if (typeof head === 'string') return undefined;
    // A slot head says nothing about laps: one is added so that no position is below 0.
    const top = this.#counts ? head : head + capacity;
    const end = Math.max(0, top - leaveOut);
    const anchor = yield* this.#questions.contentAt(end - 1);
    const from = Math.max(0, end - size);
    const records = yield* this.#questions.read(from, end);
    const headAfter = yield* this.#questions.head();
    if (typeof headAfter === 'string') return undefined;
    const advance = mod(headAfter - head, this.#range);
    if (advance >= capacity) return undefined;
    if ((yield* this.#questions.contentAt(end - 1)) !== anchor) return undefined;
    const last = records.at(-1);
    if (last !== undefined && fingerprint(last.words) !== anchor) return undefined;

    const whole = top + advance - capacity + this.#guard;
    let first = end;
    let stoppedAt: Look['stoppedAt'] = from === 0 && this.#counts ? 'start' : 'overwritten';
    for (const record of records.toReversed()) {
      if (record.position < whole || this.#isOld(record)) {
        stoppedAt = record.position < whole ? 'overwritten' : 'old';
        break;
      }
      first = record.position;
    }
    const run = records.filter(({ position }) => position >= first);
    const besides = records.filter(({ position }) => position < first && position >= whole);
    const look = { headAt: head, end, run, besides, stoppedAt, anchor };
    const unwritten = yield* this.#unwrittenTip(look, top);
    return unwritten === undefined ? look : { ...look, end: top, anchor: unwritten };
  }

  /**
   * In an empty ring those left out to settle are no records either: what stands in the last of them, when the PLC has had
   * its time to write and none is written.
   */
  *#unwrittenTip({ end, run, anchor }: Look, top: number): Steps<string | undefined> {
    if (end === top || run.length > 0 || !isEmptyRecord(anchor)) return undefined;
    yield { kind: 'settle' };
    const tip = (yield* this.#questions.read(end, top)).map(({ words }) => fingerprint(words));
    return tip.every(isEmptyRecord) ? tip.at(-1) : undefined;
  }

  /** Of the newest records those that read the same twice, and not as a lap ago. */
  *#confirmed(records: readonly RingRecord[]): Steps<readonly RingRecord[]> {
    const [first] = records;
    if (first === undefined) return records;
    yield { kind: 'settle' };
    const again = yield* this.#questions.read(first.position, first.position + records.length);
    const firstUnsure = records.findIndex(({ slot, words }, index) => {
      const content = fingerprint(words);
      const isOld = this.#seen.get(slot) === content && this.#patience < PATIENCE_CYCLES;
      return isOld || content !== fingerprint(again[index]?.words ?? []);
    });
    this.#patience = firstUnsure === 0 ? this.#patience + 1 : 0;
    return firstUnsure === -1 ? records : records.slice(0, firstUnsure);
  }

  /** Whether the head stepped back while everything before its new beginning is what was there before. */
  #looksOld(cursor: LogCursor, head: number, records: readonly RingRecord[]): boolean {
    const headThen = mod(cursor.next, this.#range);
    if (head >= headThen) return false;
    const boundary = cursor.next - headThen + this.#range;
    const before = records.filter(({ position }) => position < boundary);
    return (
      before.some((record) => this.#isOld(record)) &&
      before.every((record) => this.#isOld(record) || !this.#seen.has(record.slot))
    );
  }

  /** Zeros before zeros stand there also after a log was cleared. */
  #provesNothing({ anchor }: LogCursor, records: readonly RingRecord[]): boolean {
    const isUnwritten = anchor !== undefined && isEmptyRecord(anchor);
    return isUnwritten && records.some(({ words }) => isEmptyRecord(fingerprint(words)));
  }

  /** Never written, or what its slot held when it was last read. */
  #isOld({ slot, words }: RingRecord): boolean {
    const content = fingerprint(words);
    return isEmptyRecord(content) || this.#seen.get(slot) === content;
  }

  /**
   * A counter that stepped back has either passed its end or begun at 0. It passed the end when the way there is no
   * longer than what this PLC was seen to write; else thousands of losses would be reported of a PLC that restarted.
   */
  #hasBegunAnew(cursor: LogCursor, head: number): boolean {
    const { capacity, headRange } = this.#layout;
    if (!this.#counts || head >= mod(cursor.next, this.#range)) return false;
    // Slots would no longer follow each other behind the end of such a counter.
    if (headRange % capacity !== 0) return true;
    return this.#distance(cursor, head) > Math.max(2 * capacity, 4 * this.#lastAdvance);
  }

  #firstWorthReading(cursor: LogCursor, top: number): number {
    const { capacity } = this.#layout;
    const oldest = top - capacity + this.#guard;
    if (oldest <= cursor.next) return cursor.next;
    // What will be overwritten before it is read is not worth asking for.
    const hurry = this.#counts ? Math.min(this.#lastAdvance, Math.floor(capacity / 2)) : 0;
    return Math.min(oldest + hurry, top - 1);
  }

  get #counts(): boolean {
    return this.#layout.headCounts === 'records';
  }

  #distance(cursor: LogCursor, head: number): number {
    return mod(head - cursor.next, this.#range);
  }

  #nothing({ more = false, fault }: { more?: boolean; fault?: string }): CycleOutcome {
    return { cursor: this.#cursor, gap: undefined, records: [], more, fault };
  }
}
