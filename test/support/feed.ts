import type { AudioFrame } from '../../src/app/ports/microphone.ts';
import type { Recogniser } from '../../src/app/ports/recogniser.ts';
import { eventually } from './eventually.ts';

const FRAME_SAMPLES = 320;

export function frameOf(pcm: Int16Array, gapBefore = false): AudioFrame {
  return { pcm, arrivedAtMs: Number(process.hrtime.bigint()) / 1e6, gapBefore };
}

/** Gives a recogniser audio as fast as it takes it, in frames of 20 ms, without its backlog running over. */
export async function feed(
  recogniser: Recogniser,
  pcm: Int16Array,
  options: { readonly gapAtMs?: number } = {},
): Promise<void> {
  const gapAt = options.gapAtMs === undefined ? -1 : Math.floor(options.gapAtMs / 20) * FRAME_SAMPLES;
  for (let at = 0; at < pcm.length; at += FRAME_SAMPLES) {
    if ((recogniser.health().figures?.['backlog_ms'] ?? 0) > 1_000)
      await eventually('the recogniser takes audio', () => backlogMs(recogniser) < 200, 30_000);
    recogniser.accept(frameOf(pcm.slice(at, at + FRAME_SAMPLES), at === gapAt));
  }
}

function backlogMs(recogniser: Recogniser): number {
  return recogniser.health().figures?.['backlog_ms'] ?? 0;
}
