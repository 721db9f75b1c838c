/** A sine of `peak` (1: full scale). */
export function tone(frequencyHz: number, rateHz: number, seconds: number, peak = 0.5): Int16Array {
  return Int16Array.from({ length: Math.round(rateHz * seconds) }, (_, i) =>
    Math.round(32_767 * peak * Math.sin((2 * Math.PI * frequencyHz * i) / rateHz)),
  );
}

/** Amplitude (1: full scale) of one frequency in the audio, over a Hann window (Goertzel's sum at one point). */
export function amplitudeAt(pcm: Int16Array, frequencyHz: number, rateHz: number): number {
  let re = 0;
  let im = 0;
  let weight = 0;
  pcm.forEach((sample, i) => {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / pcm.length);
    const angle = (2 * Math.PI * frequencyHz * i) / rateHz;
    re += sample * window * Math.cos(angle);
    im += sample * window * Math.sin(angle);
    weight += window;
  });
  return (2 * Math.hypot(re, im)) / weight / 32_768;
}

export function decibel(ratio: number): number {
  return 20 * Math.log10(ratio);
}
