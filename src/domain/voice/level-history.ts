import { dbfs, power } from './level.ts';

/** Samples in one measured frame: 20 ms at 16 kHz, about two periods of the lowest voice. */
const FRAME_SAMPLES = 320;
const FRAMES_PER_SECOND = 50;
/** Audio that the history keeps: the longest utterance and its run-up. */
const KEPT_FRAMES = 30 * FRAMES_PER_SECOND;
const FLOOR_FRAMES = 10 * FRAMES_PER_SECOND;
/** Fewer frames say nothing about the room yet. */
const FEWEST_FLOOR_FRAMES = FRAMES_PER_SECOND / 2;
/** A talker pauses more than a tenth of the time; machines do not. */
const FLOOR_SHARE = 0.1;

/**
 * Loudness of a 16 kHz stream in frames of 20 ms, and how far a stretch of it stands out from the noise floor:
 * the level that a tenth of the last 10 s stayed under. Positions are samples since the beginning of the stream.
 */
export class LevelHistory {
  readonly #powers = new Float64Array(KEPT_FRAMES);
  readonly #partial = new Int16Array(FRAME_SAMPLES);
  #partialSamples = 0;
  #frames = 0;

  push(pcm: Int16Array): void {
    let at = 0;
    while (at < pcm.length) {
      const take = Math.min(FRAME_SAMPLES - this.#partialSamples, pcm.length - at);
      this.#partial.set(pcm.subarray(at, at + take), this.#partialSamples);
      this.#partialSamples += take;
      at += take;
      if (this.#partialSamples < FRAME_SAMPLES) return;
      this.#powers[this.#frames % KEPT_FRAMES] = power(this.#partial);
      this.#frames += 1;
      this.#partialSamples = 0;
    }
  }

  /** Decibel below full scale; undefined before the first half second. */
  floorDbfs(): number | undefined {
    const count = Math.min(this.#frames, FLOOR_FRAMES);
    if (count < FEWEST_FLOOR_FRAMES) return undefined;
    const recent = this.#powersOf(this.#frames - count, this.#frames).sort();
    return dbfs(recent[Math.floor(count * FLOOR_SHARE)] ?? 0);
  }

  /**
   * Mean loudness of the stretches over the noise floor, decibel. Undefined when no floor is known yet or no whole
   * frame of the stretches is still kept (30 s).
   */
  aboveFloorDb(stretches: readonly { fromSample: number; toSample: number }[]): number | undefined {
    const floor = this.floorDbfs();
    if (floor === undefined) return undefined;
    let sum = 0;
    let count = 0;
    for (const { fromSample, toSample } of stretches) {
      const first = Math.ceil(fromSample / FRAME_SAMPLES);
      const powers = this.#powersOf(first, Math.floor(toSample / FRAME_SAMPLES));
      for (const value of powers) sum += value;
      count += powers.length;
    }
    return count === 0 ? undefined : dbfs(sum / count) - floor;
  }

  #powersOf(firstFrame: number, endFrame: number): Float64Array {
    const first = Math.max(0, firstFrame, this.#frames - KEPT_FRAMES);
    const end = Math.min(endFrame, this.#frames);
    const powers = new Float64Array(Math.max(0, end - first));
    for (let i = 0; i < powers.length; i += 1) powers[i] = this.#powers[(first + i) % KEPT_FRAMES] ?? 0;
    return powers;
  }
}
