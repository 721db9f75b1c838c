import type { Recording, VirtualSoundCard } from './virtual-sound-card.ts';

const LOUD_FROM = 150;
const SAMPLES_PER_MS = 16;

/** When the speaker was heard, on the monotonic clock, from the moment `listenToSpeaker` resolved. */
export interface SpeakerEar {
  /** Time of arrival of the first audible sample since `forget`, or undefined. */
  readonly firstSoundAtMs: number | undefined;
  readonly lastSoundAtMs: number | undefined;
  /** How long there was sound since `forget`, in milliseconds of audible samples. */
  readonly audibleMs: number;
  forget(): void;
  stop(): Promise<Buffer>;
}

export async function listenToSpeaker(card: VirtualSoundCard): Promise<SpeakerEar> {
  let first: number | undefined;
  let last: number | undefined;
  let audible = 0;
  const recording: Recording = card.recordSpeaker((chunk, atMs) => {
    const count = Math.floor(chunk.length / 2);
    for (let i = 0; i < count; i += 1) {
      if (Math.abs(chunk.readInt16LE(2 * i)) < LOUD_FROM) continue;
      first ??= atMs;
      last = atMs - (count - 1 - i) / SAMPLES_PER_MS;
      audible += 1;
    }
  });
  await recording.ready;
  return {
    get firstSoundAtMs() {
      return first;
    },
    get lastSoundAtMs() {
      return last;
    },
    get audibleMs() {
      return audible / SAMPLES_PER_MS;
    },
    forget() {
      first = undefined;
      last = undefined;
      audible = 0;
    },
    stop: () => recording.stop(),
  };
}
