import { randomInt } from 'node:crypto';

const MAX_TRANSACTION_ID = 0xffff;
/** An answer may come late by as many requests as this and is still told apart. */
const NOT_REUSED_WITHIN = 4_096;

/**
 * Transaction ids of one connection to a device, over all the links it goes through. Drawn at random: a device that
 * counts on, or a gateway that mixes up its clients, must not hit the id of the next request.
 */
export class TransactionIds {
  readonly #recent = new Set<number>();

  /** 1 to 65535; 0 is left out, being what a careless device puts into a frame that nobody asked for. */
  next(): number {
    let id = randomInt(1, MAX_TRANSACTION_ID + 1);
    while (this.#recent.has(id)) id = randomInt(1, MAX_TRANSACTION_ID + 1);
    this.#recent.add(id);
    // A set hands out its members in the order in which they came.
    for (const oldest of this.#recent) {
      if (this.#recent.size <= NOT_REUSED_WITHIN) break;
      this.#recent.delete(oldest);
    }
    return id;
  }
}
