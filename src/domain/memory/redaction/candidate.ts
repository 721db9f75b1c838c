import type { DigitGroup } from './digit-groups.ts';
import type { NumberCue } from './number-cues.ts';

/** A stretch of a chain that may be one number. */
export interface Candidate {
  readonly groups: readonly DigitGroup[];
  readonly digits: string;
  /** How many digits each typed group has. */
  readonly sizes: string;
  readonly isSpoken: boolean;
  /** Written before the first digit: `+`, `(`. */
  readonly sign: string;
  readonly joints: readonly string[];
  readonly cue: NumberCue | undefined;
}

/** What a candidate is; `after` signs behind its last digit belong to it. */
export interface Hit {
  readonly kind: 'phone' | 'id' | 'card';
  readonly normalised: string;
  readonly after?: number;
}
