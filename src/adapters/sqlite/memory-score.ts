import { splitTerms } from './memory-frequencies.ts';

/** Of BM25, as FTS5 has them. */
const K1 = 1.2;
const B = 0.75;
/** What a term counts that stands around an episode, of one that stands in it. */
const AROUND = 0.5;

/** How much a term tells that `holding` of `episodes` hold; above 0. */
export function weightOf(holding: number, episodes: number): number {
  return Math.log(1 + Math.max(0, episodes - holding + 0.5) / (holding + 0.5));
}

/** BM25 of one episode for the terms in `weights`; 0 when it holds none. `usualLength` in terms. */
export function scoreOf(
  text: { readonly terms: string; readonly around: string },
  weights: ReadonlyMap<string, number>,
  usualLength: number,
): number {
  const found = new Map<string, number>();
  const terms = splitTerms(text.terms);
  const around = splitTerms(text.around);
  for (const term of terms) if (weights.has(term)) found.set(term, (found.get(term) ?? 0) + 1);
  for (const term of around) if (weights.has(term)) found.set(term, (found.get(term) ?? 0) + AROUND);
  const length = K1 * (1 - B + (B * (terms.length + around.length)) / Math.max(1, usualLength));
  let score = 0;
  for (const [term, times] of found)
    score += ((weights.get(term) ?? 0) * times * (K1 + 1)) / (times + length);
  return score;
}
