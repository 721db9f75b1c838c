/** Quieter than this is silence: the speech programs emit exact zeros around the words. */
const SILENT_BELOW = 16;

/**
 * Takes signed 16 bit mono samples in pieces of any size and gives them back without the silence before the first and
 * after the last sound. Silence between sounds is held until the sound after it arrives.
 */
export class SilenceTrimmer {
  #oddByte: Buffer = Buffer.alloc(0);
  #held: Buffer[] = [];
  #started = false;

  /** What can be played now; may be empty. */
  push(piece: Buffer): Buffer {
    const joined = Buffer.concat([this.#oddByte, piece]);
    const whole = joined.subarray(0, joined.length - (joined.length % 2));
    this.#oddByte = joined.subarray(whole.length);

    const end = endOfSound(whole);
    if (end === 0) {
      if (this.#started && whole.length > 0) this.#held.push(whole);
      return Buffer.alloc(0);
    }
    const begin = this.#started ? 0 : startOfSound(whole);
    const playable = Buffer.concat([...this.#held, whole.subarray(begin, end)]);
    this.#started = true;
    this.#held = end < whole.length ? [whole.subarray(end)] : [];
    return playable;
  }
}

function startOfSound(samples: Buffer): number {
  let at = 0;
  while (at < samples.length && Math.abs(samples.readInt16LE(at)) < SILENT_BELOW) at += 2;
  return at;
}

function endOfSound(samples: Buffer): number {
  let at = samples.length;
  while (at > 0 && Math.abs(samples.readInt16LE(at - 2)) < SILENT_BELOW) at -= 2;
  return at;
}
