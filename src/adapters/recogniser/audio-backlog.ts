import { SAMPLE_RATE_HZ } from '../../app/ports/microphone.ts';
import type { WorkerFrame } from './worker-frames.ts';

/**
 * What waits for the recogniser's child, in order. Audio over the limit goes, oldest first, and the audio after the
 * hole says so; grammars, discards and questions stay. Nothing is handed out while more than the allowed audio is
 * with the child: what waits in a pipe cannot be dropped any more.
 */
export class AudioBacklog {
  readonly #maxQueuedSamples: number;
  readonly #maxInFlightSamples: number;
  #queue: WorkerFrame[] = [];
  #queuedSamples = 0;
  #inFlightSamples = 0;
  #droppedSamples = 0;
  #holeBefore = false;

  /** Both limits in milliseconds of audio. */
  constructor(options: { readonly maxQueuedMs: number; readonly maxInFlightMs: number }) {
    this.#maxQueuedSamples = samplesOf(options.maxQueuedMs);
    this.#maxInFlightSamples = samplesOf(options.maxInFlightMs);
  }

  get queuedMs(): number {
    return msOf(this.#queuedSamples);
  }

  get inFlight(): boolean {
    return this.#inFlightSamples > 0;
  }

  get droppedMs(): number {
    return msOf(this.#droppedSamples);
  }

  pushAudio(pcm: Int16Array, lostBefore: boolean): void {
    this.#queue.push({ kind: 'audio', pcm, lostBefore: lostBefore || this.#takeHole() });
    this.#queuedSamples += pcm.length;
    while (this.#queuedSamples > this.#maxQueuedSamples) this.#dropOldest();
  }

  pushControl(frame: Exclude<WorkerFrame, { kind: 'audio' }>): void {
    // What was said before a discard is forgotten anyway.
    if (frame.kind === 'discard') this.#forgetAudio();
    this.#queue.push(frame);
  }

  /** The next frame that may go to the child. */
  shift(): WorkerFrame | undefined {
    const [next] = this.#queue;
    if (next === undefined) return undefined;
    if (next.kind === 'audio') {
      if (this.#inFlightSamples > 0 && this.#inFlightSamples + next.pcm.length > this.#maxInFlightSamples)
        return undefined;
      this.#queuedSamples -= next.pcm.length;
      this.#inFlightSamples += next.pcm.length;
    }
    this.#queue.shift();
    return next;
  }

  heard(samples: number): void {
    this.#inFlightSamples = Math.max(0, this.#inFlightSamples - samples);
  }

  /** A child has gone with what it had: audio keeps waiting for the next one, questions and grammars do not. */
  childGone(): void {
    this.#inFlightSamples = 0;
    this.#queue = this.#queue.filter((frame) => frame.kind === 'audio');
    this.#markHole();
  }

  #dropOldest(): void {
    const at = this.#queue.findIndex((frame) => frame.kind === 'audio');
    const [victim] = this.#queue.splice(at, 1);
    if (victim?.kind !== 'audio') return;
    this.#queuedSamples -= victim.pcm.length;
    this.#droppedSamples += victim.pcm.length;
    this.#markHole();
  }

  #forgetAudio(): void {
    this.#queue = this.#queue.filter((frame) => frame.kind !== 'audio');
    this.#queuedSamples = 0;
  }

  #markHole(): void {
    const at = this.#queue.findIndex((frame) => frame.kind === 'audio');
    const next = this.#queue[at];
    if (next?.kind === 'audio') this.#queue[at] = { ...next, lostBefore: true };
    else this.#holeBefore = true;
  }

  #takeHole(): boolean {
    const hole = this.#holeBefore;
    this.#holeBefore = false;
    return hole;
  }
}

function samplesOf(ms: number): number {
  return (ms * SAMPLE_RATE_HZ) / 1_000;
}

function msOf(samples: number): number {
  return Math.round((samples * 1_000) / SAMPLE_RATE_HZ);
}
