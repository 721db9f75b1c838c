import { distance } from 'fastest-levenshtein';

/** The candidate that is spelled most like `word`, when at most half of its letters differ; ties go to the first. */
export function nearestOf(word: string, candidates: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let fewest = Math.floor(word.length / 2) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= fewest) continue;
    const edits = distance(word, candidate);
    if (edits < fewest) {
      fewest = edits;
      nearest = candidate;
    }
  }
  return nearest;
}
