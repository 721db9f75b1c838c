import type { Service, Unsubscribe } from '../../runtime/service.ts';

/** Samples per second of all audio inside the daemon: mono, signed 16 bit. */
export const SAMPLE_RATE_HZ = 16_000;

export interface AudioFrame {
  readonly pcm: Int16Array;
  /** Monotonic time at which the last sample of the frame had arrived. */
  readonly arrivedAtMs: number;
  /** True when samples were lost between the frame before and this one. */
  readonly gapBefore: boolean;
}

export interface Microphone extends Service {
  onFrame(listener: (frame: AudioFrame) => void): Unsubscribe;
}
