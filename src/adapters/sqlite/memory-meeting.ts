const ZERO = 48;
const NINE = 57;
/** Weights are told apart to a thousandth. */
const STEPS = 1000;
/** Above every arrival, and small enough that a weight before it stays exact in a double. */
const ARRIVALS = 2 ** 32;

/** The numbers of a JSON array of whole ones above 0. */
export function arrivalsIn(text: string): number[] {
  const found: number[] = [];
  let arrival = 0;
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      arrival = arrival * 10 + code - ZERO;
      continue;
    }
    if (arrival > 0) found.push(arrival);
    arrival = 0;
  }
  return found;
}

/**
 * The arrivals of walks, with what weighs in each, the heaviest first, and of equal ones the newest. Each walk is a JSON array in
 * falling order, read digit by digit: parsing thousands of numbers into values and maps takes longer than SQLite takes to find them.
 */
export function heaviest(
  walks: readonly { readonly arrivals: string; readonly weight: number }[],
  byArrival: boolean,
): number[] {
  const read = walks.map(({ arrivals, weight }) => ({ arrivals: arrivalsIn(arrivals), weight }));
  const newest = read.reduce((most, { arrivals }) => Math.max(most, arrivals[0] ?? 0), 0);
  const weights = new Float64Array(newest + 1);
  const met: number[] = [];
  for (const { arrivals, weight } of read) {
    for (const arrival of arrivals) {
      const before = weights[arrival] ?? 0;
      if (before === 0) met.push(arrival);
      weights[arrival] = before + weight;
    }
  }
  const keys = Float64Array.from(met, (arrival) =>
    byArrival ? arrival : Math.round((weights[arrival] ?? 0) * STEPS) * ARRIVALS + arrival,
  );
  return Array.from(keys.sort().reverse(), (key) => key % ARRIVALS);
}
