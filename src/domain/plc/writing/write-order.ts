import type { Decoded } from '../decode.ts';
import type { PointRef } from '../point-ref.ts';
import type { PointValue } from '../reading.ts';
import type { InterlockVerdict } from './evaluate-interlock.ts';

/** Whether the site lets the program write: `commissioning` goes through everything but the write itself. */
export const WRITE_MODES = ['off', 'commissioning', 'on'] as const;
export type WriteMode = (typeof WRITE_MODES)[number];

export interface WriteOrder {
  readonly ref: PointRef;
  /** In the point's unit; for a point with an enum its text in either language does too. */
  readonly value: PointValue;
  /** What the point showed when the order was confirmed: if it shows something else now, nothing is written. */
  readonly expected?: PointValue;
  /** Who asks, 1 to 200 characters. */
  readonly by: string;
  /** What for, 1 to 200 characters. */
  readonly because: string;
}

/**
 * What became of an order, and why.
 * `verified` the PLC shows what was asked; `simulated` everything was in order and nothing was sent; `mismatch` it was sent
 * and the PLC shows something else; `refused` nothing was changed; `unknown` it was sent and cannot be seen.
 */
export type WriteVerdict =
  | { readonly status: 'verified'; readonly reason: 'as_asked' | 'settled_by_reading' }
  | { readonly status: 'simulated'; readonly reason: 'commissioning' }
  | {
      readonly status: 'mismatch';
      /** `not_carried_out`: no answer came and the old value is still there; it may yet arrive late. */
      readonly reason: 'unchanged' | 'other_value' | 'other_bits_changed' | 'not_carried_out';
    }
  | { readonly status: 'refused'; readonly reason: RefusalReason }
  | { readonly status: 'unknown'; readonly reason: 'broadcast' | 'write_only' | 'unreadable' };

/** In the order in which they are looked for. */
export type RefusalReason =
  | 'writes_off'
  | 'unattributed'
  | 'unknown_point'
  | 'read_only'
  | ValueFault
  | 'device_busy'
  | 'cancelled'
  | 'interlock_unmet'
  | 'interlock_unknown'
  | 'present_unreadable'
  /** An expected present value was given for a point that cannot be read. */
  | 'present_unknowable'
  | 'present_changed'
  | 'audit_failed'
  /** The readings that it was decided on have become too old. */
  | 'too_late'
  | 'not_sent'
  | 'device_refused'
  /** The device cannot write single bits, and the register cannot be read to keep the others. */
  | 'bit_unwritable';

export type ValueFault =
  | 'wrong_type'
  | 'unknown_enum_value'
  | 'below_minimum'
  | 'above_maximum'
  | 'not_encodable';

export type WriteOutcome = WriteVerdict & {
  /** Ties the order to its entries in the audit. */
  readonly id: string;
  readonly ref: PointRef;
  /** What happened, in English, for the log and the audit. */
  readonly detail: string;
  readonly asked: PointValue;
  /** What the registers can hold of it, once that is known. */
  readonly written?: PointValue;
  /** Whether `written` is not just what was asked. */
  readonly isRounded: boolean;
  /** What the point showed before. */
  readonly before?: Decoded;
  /** What it showed last. */
  readonly found?: Decoded;
  /** The condition that kept it from being written. */
  readonly condition?: InterlockVerdict;
  /** Whether the audit has the outcome; if not, the order counts as unfinished there. */
  readonly isRecorded: boolean;
};
