import type { Spoken } from '../language/language.ts';

/** The directory of people, as far as a plan needs it. */
export interface PeopleView {
  /** By id, name or nickname, with or without a title. */
  find(spoken: string): PersonFound;
}

export type PersonFound =
  /** `exact` is false for a name that is only like theirs: enough to ask with, never to act on. */
  | { readonly kind: 'one'; readonly person: { readonly id: string }; readonly exact: boolean }
  | {
      readonly kind: 'many';
      readonly candidates: readonly { readonly id: string; readonly names: Spoken }[];
    }
  | { readonly kind: 'none'; readonly nearest: string | undefined };
