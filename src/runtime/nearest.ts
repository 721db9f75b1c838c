import { distance } from 'fastest-levenshtein';

/** The candidate that is spelled most like `word`, when at most half of its letters differ; ties go to the first. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = Math.floor(word.length / 2) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= fewest) continue;
    // Two letters swapped are one slip, however many edits it takes to mend them.
    const edits = isSwapped(word, candidate) ? 1 : distance(word, candidate);
    if (edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

function isSwapped(word: string, candidate: string): boolean {
  if (word.length !== candidate.length) return false;
  const first = [...word].findIndex((letter, index) => letter !== candidate[index]);
  const rest = first + 2;
  return (
    first >= 0 &&
    word[first] === candidate[first + 1] &&
    word[first + 1] === candidate[first] &&
    word.slice(rest) === candidate.slice(rest)
  );
}

/** ` Did you mean "x"?` with its leading space, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const best = nearest(word, candidates);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}
