/** What a look at a log asks, and what becomes of it. */

export type LogRequest =
  | { readonly kind: 'head' }
  /** Slots side by side: `slot + count` is at most the capacity. */
  | { readonly kind: 'records'; readonly slot: number; readonly count: number }
  /** Give the PLC the time it may take to write a record whose head it has moved already. */
  | { readonly kind: 'settle' };

/** Words of the head's registers as one number, or of the records, record after record; nothing for `settle`. */
export type LogAnswer = number | readonly number[] | undefined;

/** How far a log has been read. */
export interface LogCursor {
  /** Position of the next record: slot = position modulo capacity. */
  readonly next: number;
  /** How often the log was seen to begin anew. */
  readonly epoch: number;
  /** What stood in the slot before `next`; undefined when it was overwritten before it could be read. */
  readonly anchor: string | undefined;
}

export interface RingRecord {
  readonly position: number;
  readonly slot: number;
  readonly words: readonly number[];
}

/**
 * `overrun`: records were overwritten before they could be read, `lost` of them. `restarted`: the PLC began its log anew;
 * `lost` is what is known to be lost of the new one. Not `exact` means at least so many.
 */
export interface LogGap {
  readonly kind: 'overrun' | 'restarted';
  readonly lost: number;
  readonly exact: boolean;
}

export interface CycleOutcome {
  /** Where to go on; the present cursor when nothing was found, undefined before the first. */
  readonly cursor: LogCursor | undefined;
  /** Comes before the records. */
  readonly gap: LogGap | undefined;
  readonly records: readonly RingRecord[];
  /** Read, and none of the caller's: what was there before the first start. */
  readonly passedOver?: readonly RingRecord[];
  /** Whether there is more to read at once. */
  readonly more: boolean;
  /** Why the log cannot be followed as it is. */
  readonly fault: string | undefined;
}
