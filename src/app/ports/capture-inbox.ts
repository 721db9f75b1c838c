import type { Capture } from '../../domain/memory/capture.ts';

/** A happening that is on disk and not remembered yet. */
export interface WaitingCapture {
  readonly arrival: number;
  readonly capture: Capture;
}

/**
 * What happened and waits to be remembered. It was written together with what it tells of, so that a crash loses neither; it
 * leaves once memory has it. Rejects with EdgeError STATE_DB_FAILED or STATE_DB_BUSY.
 */
export interface CaptureInbox {
  /** The oldest, at most `limit`. */
  waiting(limit: number): Promise<readonly WaitingCapture[]>;
  add(capture: Capture): Promise<void>;
  /** Memory has these, or will never take them. */
  done(arrivals: readonly number[]): Promise<void>;
  count(): Promise<number>;
}
