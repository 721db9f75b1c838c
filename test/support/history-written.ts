import type { Sample } from '../../src/domain/history/sample.ts';

export const WRITTEN_START_MS = Date.UTC(2026, 0, 15);
export const WRITTEN_POINTS = 4;

/** Sample number `n` of the writer, over four points, a second apart for each of them. */
export function writtenSample(n: number, bootId: string): Sample {
  const atMs = WRITTEN_START_MS + Math.floor(n / WRITTEN_POINTS) * 1000;
  return {
    ref: { machine: 'm', point: `p${n % WRITTEN_POINTS}` },
    value: ((n * 7919) % 1000) / 10,
    quality: n % 97 === 0 ? 'stale' : 'good',
    atMs,
    clock: 'synced',
    bootId,
    monotonicMs: atMs - WRITTEN_START_MS,
    seq: n,
  };
}
