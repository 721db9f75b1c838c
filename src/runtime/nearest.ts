import { distance } from 'fastest-levenshtein';

/** The candidate that is spelled most like `word`, when at most half of its letters differ; ties go to the first. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = Math.floor(word.length / 2) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= fewest) continue;
    const edits = distance(word, candidate);
    if (edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

/** ` Did you mean "x"?` with its leading space, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const best = nearest(word, candidates);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}
