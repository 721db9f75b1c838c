import { randomBytes } from 'node:crypto';
import { z } from 'zod';

const PATTERN = /^tr_[0-9a-f]{12}$/u;

/** A client's own id, where it is refused rather than replaced when it has another form. */
export const turnIdSchema = z
  .string('given once')
  .regex(PATTERN, '"tr_" and 12 of the digits 0 to 9 and a to f, new for each turn');

/** 48 random bits: two in a hundred equal ids are to be expected only near 3 million turns, one in two near 20 million. */
export function newTurnId(): string {
  return `tr_${randomBytes(6).toString('hex')}`;
}

/**
 * The id of a turn: the client's own when it has the right form, so that a command which is sent again keeps its id and is
 * answered from the report of the first; else a new one.
 */
export function turnIdFor(offered: string | undefined): string {
  return offered !== undefined && PATTERN.test(offered) ? offered : newTurnId();
}
