import { closest, distance } from 'fastest-levenshtein';

/** The candidate that a mistyped word most likely meant, or undefined when none is near (more than half of it wrong). */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const best = closest(word, candidates);
  return distance(word, best) <= Math.max(1, Math.ceil(Math.max(word.length, best.length) / 2))
    ? best
    : undefined;
}

/** ` Did you mean "x"?` with its leading space, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const best = nearest(word, candidates);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}
