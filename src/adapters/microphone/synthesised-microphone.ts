/**
 * In: sound that the program makes itself. Out: audio frames of 20 ms in real time, silence between. A demo wires it
 * where the machine has no microphone.
 */
import type { AudioFrame, Microphone } from '../../app/ports/microphone.ts';
import { SAMPLE_RATE_HZ } from '../../app/ports/microphone.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Health, Unsubscribe } from '../../runtime/service.ts';

const FRAME_MS = 20;
const FRAME_SAMPLES = (SAMPLE_RATE_HZ * FRAME_MS) / 1_000;
/** A machine that stood still longer than this goes on from now instead of catching up. */
const MAX_CATCH_UP_MS = 500;

interface Sound {
  readonly pcm: Int16Array;
  readonly ended: () => void;
  at: number;
}

export class SynthesisedMicrophone implements Microphone {
  readonly name = 'microphone';
  readonly #clocks: Clocks;
  readonly #scheduler: Scheduler;
  readonly #listeners = new Set<(frame: AudioFrame) => void>();
  readonly #sounds: Sound[] = [];
  #nextAtMs = 0;
  #gap = false;
  #cancel: Cancel | undefined;

  constructor(context: { readonly clocks: Clocks; readonly scheduler: Scheduler }) {
    this.#clocks = context.clocks;
    this.#scheduler = context.scheduler;
  }

  start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#nextAtMs = this.#clocks.monotonicMs() + FRAME_MS;
    this.#tickLater();
    return Promise.resolve();
  }

  /** Sounds that have not ended count as ended. */
  stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    for (const sound of this.#sounds.splice(0)) sound.ended();
    return Promise.resolve();
  }

  health(): Health {
    return this.#cancel === undefined
      ? { status: 'off', detail: 'not started' }
      : { status: 'ok', detail: 'no microphone: hears what the program speaks into it' };
  }

  onFrame(listener: (frame: AudioFrame) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Plays 16 kHz mono after what is still playing; resolves when its last sample has been heard. */
  play(pcm: Int16Array): Promise<void> {
    return new Promise((resolve) => {
      this.#sounds.push({ pcm, at: 0, ended: resolve });
    });
  }

  #tickLater(): void {
    this.#cancel = this.#scheduler.after(Math.max(0, this.#nextAtMs - this.#clocks.monotonicMs()), () => {
      const nowMs = this.#clocks.monotonicMs();
      if (nowMs - this.#nextAtMs > MAX_CATCH_UP_MS) {
        this.#nextAtMs = nowMs;
        this.#gap = true;
      }
      for (; this.#nextAtMs <= nowMs && this.#cancel !== undefined; this.#nextAtMs += FRAME_MS)
        this.#emit(nowMs);
      if (this.#cancel !== undefined) this.#tickLater();
    });
  }

  #emit(arrivedAtMs: number): void {
    const pcm = new Int16Array(FRAME_SAMPLES);
    const ended: (() => void)[] = [];
    let filled = 0;
    for (
      let sound = this.#sounds[0];
      sound !== undefined && filled < FRAME_SAMPLES;
      sound = this.#sounds[0]
    ) {
      const piece = sound.pcm.subarray(sound.at, sound.at + FRAME_SAMPLES - filled);
      pcm.set(piece, filled);
      filled += piece.length;
      sound.at += piece.length;
      if (sound.at < sound.pcm.length) break;
      this.#sounds.shift();
      ended.push(sound.ended);
    }
    const frame = { pcm, arrivedAtMs, gapBefore: this.#gap };
    this.#gap = false;
    for (const listener of this.#listeners) listener(frame);
    for (const tell of ended) tell();
  }
}
