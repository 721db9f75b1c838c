const ZERO = 48;
const NINE = 57;
const MOST_TERMS = 32;
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
 * The arrivals of walks, the heaviest by the weights of their terms first and of equal ones the newest; or simply the newest first. Each walk is a JSON array,
 * read digit by digit and met with the others by sorting plain numbers: values, maps and a place for each arrival that there could
 * be take longer than SQLite takes to find them.
 */
export function heaviest(
  walks: readonly { readonly arrivals: string; readonly term: number }[],
  weights: readonly number[],
  byArrival: boolean,
): number[] {
  const places = Float64Array.from(
    walks.flatMap(({ arrivals, term }) => arrivalsIn(arrivals).map((arrival) => arrival * MOST_TERMS + term)),
  ).sort();
  const keys = new Float64Array(places.length);
  let met = 0;
  let before = 0;
  let last = 0;
  let weight = 0;
  const end = (): void => {
    if (before > 0) keys[met++] = byArrival ? before : Math.round(weight * STEPS) * ARRIVALS + before;
    weight = 0;
  };
  for (const place of places) {
    // Two walks of one term may have met the same.
    if (place === last) continue;
    last = place;
    const arrival = Math.floor(place / MOST_TERMS);
    if (arrival !== before) end();
    before = arrival;
    weight += weights[place % MOST_TERMS] ?? 0;
  }
  end();
  return Array.from(keys.subarray(0, met).sort().reverse(), (key) => key % ARRIVALS);
}
