import { randomInt } from 'node:crypto';

const MAX_TRANSACTION_ID = 0xffff;
/** An answer may come late by as many requests as this and is still told apart. */
const NOT_REUSED_WITHIN = 4_096;

/**
 * Transaction ids of one connection to a device, over all the links it goes through. Drawn at random: a device that
 * counts on, or a gateway that mixes up its clients, must not hit the id of the next request.
 */
export class TransactionIds {
  /** In the order in which they were drawn, the oldest at `#drawn`; 0 where there was none yet. */
  readonly #recent = new Uint16Array(NOT_REUSED_WITHIN);
  readonly #isRecent = new Uint8Array(MAX_TRANSACTION_ID + 1);
  #drawn = 0;

  /** 1 to 65535; 0 is left out, being what a careless device puts into a frame that nobody asked for. */
  next(): number {
    let id = randomInt(1, MAX_TRANSACTION_ID + 1);
    while (this.#isRecent[id] === 1) id = randomInt(1, MAX_TRANSACTION_ID + 1);
    this.#isRecent[this.#recent[this.#drawn] ?? 0] = 0;
    this.#recent[this.#drawn] = id;
    this.#isRecent[id] = 1;
    this.#drawn = (this.#drawn + 1) % NOT_REUSED_WITHIN;
    return id;
  }
}
