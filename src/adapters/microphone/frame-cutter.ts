import { SAMPLE_RATE_HZ } from '../../app/ports/microphone.ts';

/** 20 ms. */
const FRAME_SAMPLES = SAMPLE_RATE_HZ / 50;
const FRAME_BYTES = FRAME_SAMPLES * 2;

/** Cuts little-endian 16 bit bytes, however they arrive, into frames of 20 ms. */
export class FrameCutter {
  #rest: Buffer = Buffer.alloc(0);

  push(bytes: Buffer): Int16Array[] {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: Int16Array[] = [];
    let at = 0;
    for (; at + FRAME_BYTES <= all.length; at += FRAME_BYTES) {
      const pcm = new Int16Array(FRAME_SAMPLES);
      new Uint8Array(pcm.buffer).set(all.subarray(at, at + FRAME_BYTES));
      frames.push(pcm);
    }
    this.#rest = Buffer.from(all.subarray(at));
    return frames;
  }

  /** Forgets a piece of a frame: what follows comes from another recording. */
  reset(): void {
    this.#rest = Buffer.alloc(0);
  }
}
