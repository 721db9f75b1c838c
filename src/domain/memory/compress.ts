import type { Language } from '../language/language.ts';
import { deedsOf } from './compress/deeds-of.ts';
import { entitiesOf } from './compress/entities-of.ts';
import { summaryOf } from './compress/summary-of.ts';
import type { Deed, Entity } from './episode.ts';
import type { Mention } from './mention.ts';
import type { SaidAt } from './words/day-phrases.ts';

/** What is kept beside a text to find and to read it by. It says less than the text, never more. */
export interface Compressed {
  /** At most 200 characters, all of them words of the text in their order. */
  readonly summary: string;
  readonly entities: readonly Entity[];
  readonly deeds: readonly Deed[];
}

const MAX_ENTITIES = 40;

/** Always the same for the same text; `mentions` are those of this text. */
export function compress(
  text: string,
  mentions: readonly Mention[],
  language: Language,
  said: SaidAt,
): Compressed {
  const placed = entitiesOf(text, mentions, language, said);
  const seen = new Set<string>();
  const entities = placed
    .map(({ entity }) => entity)
    .filter(({ kind, text: name, id }) => {
      const key = `${kind}:${id ?? name}`;
      return !seen.has(key) && seen.add(key);
    });
  return {
    summary: summaryOf(text, language, placed),
    entities: entities.slice(0, MAX_ENTITIES),
    deeds: deedsOf(text, language, placed, said),
  };
}
