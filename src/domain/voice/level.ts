/** The quietest level told apart: one step of 16 bits, in decibel below full scale. Digital silence counts as this. */
export const QUIETEST_DBFS = 20 * Math.log10(1 / 32_768);

/** Mean square of the samples, 0 to 1 (1: a square wave at full scale); 0 for none. */
export function power(pcm: Int16Array): number {
  if (pcm.length === 0) return 0;
  let sum = 0;
  for (const sample of pcm) sum += sample * sample;
  return sum / pcm.length / 32_768 ** 2;
}

/** A power in decibel below full scale, never under `QUIETEST_DBFS`. */
export function dbfs(meanSquare: number): number {
  return Math.max(QUIETEST_DBFS, 10 * Math.log10(meanSquare));
}

/** Loudness of a stretch of audio in decibel below full scale: a full-scale sine is -3.01. */
export function levelDbfs(pcm: Int16Array): number {
  return dbfs(power(pcm));
}
