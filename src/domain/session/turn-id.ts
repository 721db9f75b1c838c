import { randomBytes } from 'node:crypto';

const PATTERN = /^tr_[0-9a-f]{12}$/u;

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
