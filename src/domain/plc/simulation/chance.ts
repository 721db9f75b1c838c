/**
 * Chance that depends on nothing but its place: the same seed, place and moment give the same number, in whatever order
 * and however often it is asked for.
 */

/** 0 to below 1, by three rounds of the finaliser of MurmurHash3 (Austin Appleby, public domain). */
export function chanceAt(seed: number, place: number, moment: number): number {
  const low = moment >>> 0;
  const high = Math.floor(moment / 2 ** 32) >>> 0;
  return mixed(mixed(mixed(seed ^ 0x9e3779b9) ^ place) ^ low ^ Math.imul(high, 0x85ebca6b)) / 2 ** 32;
}

/** A number of the standard normal distribution (Box and Muller, 1958). */
export function noiseAt(seed: number, place: number, moment: number): number {
  const first = chanceAt(seed, place * 2, moment);
  const second = chanceAt(seed, place * 2 + 1, moment);
  return Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second);
}

function mixed(word: number): number {
  let hash = word >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
