import type { Language } from '../language/language.ts';

/** What mentions can be anchored to. */
export const ANCHOR_KINDS = ['machine', 'line', 'person', 'point'] as const;
export type AnchorKind = (typeof ANCHOR_KINDS)[number];

/** A stretch of a text that names something of the site: 张工, "the big pump", "line two", "P7". */
export interface Mention {
  readonly kind: AnchorKind;
  /** As it stands in the text. */
  readonly text: string;
  /** UTF-16 indices in the text; `end` is not included. */
  readonly start: number;
  readonly end: number;
  /** Whom or what it may be, the likeliest first; several where the name is not one's own: then somebody has to be asked. */
  readonly candidates: readonly string[];
  /** False for a name that is only like one of the site's, in letters or in sound: enough to find with, never to act on. */
  readonly exact: boolean;
}

/** Finds what a text names, from left to right, without overlaps. */
export type FindMentions = (text: string, language: Language) => readonly Mention[];
