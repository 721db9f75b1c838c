import type { Episode } from './episode.ts';
import type { IndexTerms } from './recall/index-terms.ts';

/**
 * How much two texts say the same, 0 to 1: the shared words as a share of all (Jaccard). Texts with different numbers, codes or names,
 * or of which one denies, say different things however alike they are.
 */
export function likenessOf(one: Episode, other: Episode, terms: IndexTerms): number {
  if (factsIn(one) !== factsIn(other) || denials(one) !== denials(other)) return 0;
  const words = [one, other].map(({ text }) => new Set(terms.words(text).map(({ term }) => term)));
  const [first = new Set<string>(), second = new Set<string>()] = words;
  const shared = [...first].filter((word) => second.has(word)).length;
  const all = first.size + second.size - shared;
  return all === 0 ? 0 : shared / all;
}

function factsIn({ text, entities }: Episode): string {
  const ids = entities.flatMap(({ kind, id }) =>
    id === undefined || kind === 'date' ? [] : [`${kind}:${id}`],
  );
  return [...new Set(ids), ...(text.match(/\d+(?:\.\d+)?/gu) ?? [])].toSorted().join(' ');
}

function denials({ text }: Episode): number {
  return (text.match(/\b(?:not|never|no longer)\b|n't\b|不|没|未/giu) ?? []).length;
}
