/** Zero crossings of the sinc on each side, counted at the lower of the two rates. */
const HALF_WIDTH = 24;
/** Kaiser's shape: stop band near -80 dB (Kaiser 1974, beta = 0.1102 (A - 8.7)). */
const KAISER_BETA = 7.9;
/** Share of the lower Nyquist frequency where the filter is down by half, so that its skirt ends at Nyquist. */
const CUTOFF = 0.93;

/**
 * Mono signed 16 bit audio from one sample rate to another, by a Kaiser-windowed sinc: level kept up to 0.86 of the
 * lower Nyquist frequency, what would fold back is at least 60 dB down. Both rates are whole hertz above zero
 * (RangeError otherwise).
 */
export function resample(pcm: Int16Array, fromHz: number, toHz: number): Int16Array {
  for (const rateHz of [fromHz, toHz])
    if (!Number.isInteger(rateHz) || rateHz < 1)
      throw new RangeError(`a sample rate is a whole number of hertz above 0, got ${rateHz}`);
  if (fromHz === toHz) return pcm.slice();
  const divisor = greatestCommonDivisor(fromHz, toHz);
  const phases = toHz / divisor;
  const step = fromHz / divisor;
  const bandwidth = CUTOFF * Math.min(1, toHz / fromHz);
  const reach = Math.ceil(HALF_WIDTH / bandwidth);
  const filters: (Float64Array | undefined)[] = new Array(phases);
  const out = new Int16Array(Math.floor((pcm.length * toHz) / fromHz));
  for (let i = 0; i < out.length; i += 1) {
    const position = i * step;
    const centre = Math.floor(position / phases);
    const phase = position % phases;
    filters[phase] ??= filterAt(phase / phases, bandwidth, reach);
    out[i] = clamp(filtered(pcm, centre - reach + 1, filters[phase]));
  }
  return out;
}

function filtered(pcm: Int16Array, first: number, filter: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < filter.length; k += 1) sum += (pcm[first + k] ?? 0) * (filter[k] ?? 0);
  return sum;
}

/** Taps for a point `fraction` of a sample after the centre; they add up to 1, so that the level stays. */
function filterAt(fraction: number, bandwidth: number, reach: number): Float64Array {
  const taps = new Float64Array(2 * reach);
  let sum = 0;
  for (let k = 0; k < taps.length; k += 1) {
    const x = k - reach + 1 - fraction;
    const tap = sinc(x * bandwidth) * kaiser(x / reach);
    taps[k] = tap;
    sum += tap;
  }
  return taps.map((tap) => tap / sum);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel0(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel0(KAISER_BETA);
}

/** Modified Bessel function of order zero by its power series. */
function bessel0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-12; k += 1) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function clamp(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value)));
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
