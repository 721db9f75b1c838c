/**
 * In: an ALSA device, recorded by `arecord`. Out: audio frames of 20 ms. The daemon wires it to the recogniser.
 * arecord is watched: it is started again, with growing pauses, when it ends, stalls or is not installed yet.
 */
import type { AudioFrame, Microphone } from '../../app/ports/microphone.ts';
import { SAMPLE_RATE_HZ } from '../../app/ports/microphone.ts';
import { backoffMs } from '../../runtime/backoff.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Unsubscribe } from '../../runtime/service.ts';
import { type Arecord, arecordInstalled, startArecord } from './arecord.ts';
import { FrameCutter } from './frame-cutter.ts';

export interface ArecordMicrophoneOptions {
  /** An ALSA name such as `plughw:CARD=Device`: by card name, since numbers change at a restart. */
  readonly device: string;
  /** Replaces the environment of arecord (PATH, ALSA_CONFIG_PATH). */
  readonly env?: NodeJS.ProcessEnv;
  /** A recording that brings nothing for this long is started again. Default 2 s. */
  readonly stallMs?: number;
  /** Nothing but zeros for this long is reported: a microphone that hears always has some noise. Default 5 s. */
  readonly zeroMs?: number;
}

export interface MicrophoneContext {
  readonly logger: Logger;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
}

const BACKOFF = { baseMs: 500, maxMs: 15_000 };
/** A recording that lasted this long has earned a quick restart. */
const STEADY_AFTER_MS = 10_000;

export class ArecordMicrophone implements Microphone {
  readonly name = 'microphone';
  readonly #device: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #stallMs: number;
  readonly #zeroMs: number;
  readonly #logger: Logger;
  readonly #clocks: Clocks;
  readonly #scheduler: Scheduler;
  readonly #listeners = new Set<(frame: AudioFrame) => void>();
  readonly #cutter = new FrameCutter();
  #running = false;
  #arecord: Arecord | undefined;
  #why: string | undefined;
  #begunAtMs = 0;
  #bytesAtMs = 0;
  #attempt = 0;
  #zeroSamples = 0;
  #heardBefore = false;
  #gap = false;
  #restarts = 0;
  #overruns = 0;
  #frames = 0;
  #cancelTimers = new Set<Cancel>();
  #settleStart: (() => void) | undefined;
  #gone: (() => void) | undefined;

  constructor(options: ArecordMicrophoneOptions, context: MicrophoneContext) {
    this.#device = options.device;
    this.#env = options.env ?? process.env;
    this.#stallMs = options.stallMs ?? 2_000;
    this.#zeroMs = options.zeroMs ?? 5_000;
    this.#logger = context.logger.child({ part: this.name });
    this.#clocks = context.clocks;
    this.#scheduler = context.scheduler;
  }

  /** Resolves with the first frame or the first failure, which is then tried again. */
  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#running = true;
    const settled = new Promise<void>((resolve) => {
      this.#settleStart = resolve;
    });
    await this.#record();
    await settled;
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#running = false;
    this.#cancelAll();
    this.#settle();
    const arecord = this.#arecord;
    if (arecord === undefined) return;
    const gone = new Promise<void>((resolve) => {
      this.#gone = resolve;
    });
    arecord.stop();
    this.#after(deadlineMs / 2, () => arecord.kill());
    await gone;
    this.#cancelAll();
  }

  health(): Health {
    return {
      ...this.#status(),
      figures: { restarts: this.#restarts, overruns: this.#overruns, frames: this.#frames },
    };
  }

  onFrame(listener: (frame: AudioFrame) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #record(): Promise<void> {
    const installed = await arecordInstalled(this.#env);
    if (!this.#running) return;
    if (!installed) {
      this.#failed('arecord is not installed: install the package alsa-utils');
      return;
    }
    this.#begunAtMs = this.#clocks.monotonicMs();
    this.#bytesAtMs = this.#begunAtMs;
    this.#cutter.reset();
    this.#arecord = startArecord(this.#device, this.#env, {
      onBytes: (bytes) => this.#onBytes(bytes),
      onComplaint: (text) => this.#onComplaint(text),
      onExit: (why) => this.#onExit(why),
    });
    this.#watch(this.#arecord);
  }

  #onBytes(bytes: Buffer): void {
    if (!this.#running) return;
    const arrivedAtMs = this.#clocks.monotonicMs();
    this.#bytesAtMs = arrivedAtMs;
    for (const pcm of this.#cutter.push(bytes)) {
      this.#zeroSamples = pcm.every((sample) => sample === 0) ? this.#zeroSamples + pcm.length : 0;
      if (this.#why !== undefined) this.#logger.info({ device: this.#device }, 'the microphone is back');
      this.#why = undefined;
      const frame = { pcm, arrivedAtMs, gapBefore: this.#gap };
      this.#gap = false;
      this.#heardBefore = true;
      this.#frames += 1;
      for (const listener of this.#listeners) listener(frame);
    }
    this.#settle();
  }

  #onComplaint(text: string): void {
    if (!text.includes('overrun!!!')) return;
    this.#overruns += 1;
    this.#gap = true;
    this.#logger.warn({ device: this.#device }, 'arecord lost audio: this machine is too busy');
  }

  #onExit(why: string): void {
    this.#arecord = undefined;
    this.#gone?.();
    if (this.#running) this.#failed(this.#why ?? why);
  }

  #failed(why: string): void {
    this.#why = why;
    // The first frame ever follows no other, so nothing is missing before it.
    this.#gap = this.#heardBefore;
    this.#zeroSamples = 0;
    if (this.#clocks.monotonicMs() - this.#begunAtMs > STEADY_AFTER_MS) this.#attempt = 0;
    const delayMs = backoffMs(this.#attempt, BACKOFF);
    this.#attempt += 1;
    this.#logger.warn(
      { device: this.#device, why, delayMs },
      'the microphone has gone and will be tried again',
    );
    this.#after(delayMs, () => {
      this.#restarts += 1;
      void this.#record();
    });
    this.#settle();
  }

  #watch(arecord: Arecord): void {
    this.#after(this.#stallMs / 4, () => {
      if (this.#arecord !== arecord) return;
      if (this.#clocks.monotonicMs() - this.#bytesAtMs >= this.#stallMs) {
        this.#why = `arecord brought no sound for ${this.#stallMs} ms`;
        arecord.kill();
      } else this.#watch(arecord);
    });
  }

  #settle(): void {
    this.#settleStart?.();
    this.#settleStart = undefined;
  }

  #after(delayMs: number, run: () => void): void {
    const cancel = this.#scheduler.after(delayMs, () => {
      this.#cancelTimers.delete(cancel);
      run();
    });
    this.#cancelTimers.add(cancel);
  }

  #cancelAll(): void {
    for (const cancel of this.#cancelTimers) cancel();
    this.#cancelTimers.clear();
  }

  #status(): Pick<Health, 'status' | 'detail'> {
    if (!this.#running) return { status: 'off', detail: 'not started' };
    if (this.#why !== undefined) return { status: 'down', detail: `${this.#device}: ${this.#why}` };
    if (!this.#heardBefore) return { status: 'starting', detail: `opening ${this.#device}` };
    const zeroMs = (this.#zeroSamples * 1_000) / SAMPLE_RATE_HZ;
    if (zeroMs >= this.#zeroMs)
      return {
        status: 'degraded',
        detail: `${this.#device} brings nothing but zeros: is it muted or unplugged?`,
      };
    return { status: 'ok', detail: `recording from ${this.#device}` };
  }
}
