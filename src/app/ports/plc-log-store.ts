import type { LogCursor, LogGap } from '../../domain/plc/log/log-follower.ts';
import type { LogRef } from '../../domain/plc/log/plant-log.ts';
import type { PointValue } from '../../domain/plc/reading.ts';

/** When an entry came to this node: by its wall clock, and its place in the order of this boot. */
export interface ArrivalStamp {
  /** Unix time of this node, milliseconds. */
  readonly arrivedAtMs: number;
  readonly bootId: string;
  readonly seq: number;
}

/** Which clock `atMs` is by: the PLC's, set right by its measured offset; the PLC's as it stands; or arrival here. */
export type TimeSource = 'corrected' | 'plc' | 'arrival';

interface EntryBase extends ArrivalStamp {
  readonly ref: LogRef;
  /** The moment by which entries are searched, Unix time, milliseconds. */
  readonly atMs: number;
}

export interface NewLogRecord extends EntryBase {
  readonly kind: 'record';
  readonly epoch: number;
  readonly position: number;
  readonly slot: number;
  /** The registers as they were read, four hexadecimal digits each. */
  readonly raw: string;
  readonly atSource: TimeSource;
  /** What the PLC's clock showed, as the PLC wrote it; null when the registers hold no time. */
  readonly plcTime: string | null;
  /** That time as a moment, if the clock's zone is what the plant file says. */
  readonly plcAtMs: number | null;
  /** Node minus PLC as measured before, milliseconds; null when the PLC shows no clock. */
  readonly clockOffsetMs: number | null;
  readonly correctedAtMs: number | null;
  readonly sequence: number | null;
  readonly code: number | null;
  readonly values: Readonly<Record<string, PointValue | null>>;
  /** Fields whose registers make no sense; each is null. */
  readonly badFields: readonly string[];
}

/** Records were lost, or the PLC began its log anew; stands before the first record after it. */
export interface NewLogGap extends EntryBase, Omit<LogGap, 'kind'> {
  readonly kind: LogGap['kind'];
}

export type NewLogEntry = NewLogRecord | NewLogGap;

/** Ids grow in the order in which entries were kept, over all logs. */
export type PlcLogRecord = NewLogRecord & { readonly id: number };
export type PlcLogEntry = NewLogEntry & { readonly id: number };

/** What is known of a log from before. */
export interface KeptLog {
  readonly cursor: LogCursor | undefined;
  /** The content that was last read from each slot. */
  readonly seen: readonly (readonly [slot: number, content: string])[];
  /** Of the newest record. */
  readonly lastSequence: number | null;
}

export interface LogQuery {
  /** All logs of the machine without `log`, all of the plant without both. */
  readonly machine?: string | undefined;
  readonly log?: string | undefined;
  /** Both ends included, Unix time, milliseconds. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly limit: number;
}

export interface CodeCount {
  readonly ref: LogRef;
  /** Null for records without a readable code. */
  readonly code: number | null;
  readonly count: number;
  readonly lastAtMs: number;
}

export interface LogRetention {
  /** Entries that arrived before are removed. */
  readonly keepAfterMs: number;
  /** More than so many of the log are removed, the oldest first. */
  readonly keepRecords: number;
  /** So many of the newest are never removed: by them the ring's old content is known again. */
  readonly keepNewest: number;
}

/** Where PLC log records are kept. Rejects with the EdgeErrors of its database. */
export interface PlcLogStore {
  load(ref: LogRef, capacity: number): Promise<KeptLog>;
  /** Keeps the entries and how far the log has been read, both or neither. */
  append(ref: LogRef, cursor: LogCursor, entries: readonly NewLogEntry[]): Promise<void>;
  /** The oldest `limit` entries of a time, oldest first. */
  between(query: LogQuery): Promise<readonly PlcLogEntry[]>;
  /** The newest `limit` entries, oldest first. */
  latest(query: LogQuery): Promise<readonly PlcLogEntry[]>;
  /** Most frequent first. */
  countByCode(query: Omit<LogQuery, 'limit'>): Promise<readonly CodeCount[]>;
  /**
   * The oldest entries that a consumer has not acknowledged. A new consumer begins with the oldest that is kept, or with
   * what comes from now on.
   */
  unhandled(consumer: string, limit: number, begin: 'oldest' | 'now'): Promise<readonly PlcLogEntry[]>;
  acknowledge(consumer: string, upToId: number): Promise<void>;
  /** Removes what is older or more than is to be kept, handled or not; resolves with how many. */
  prune(ref: LogRef, retention: LogRetention): Promise<number>;
}
