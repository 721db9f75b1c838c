import type { JsonValue } from '../../domain/json.ts';
import type { FactRef } from '../../domain/planning/evaluate-condition.ts';

/** `unknown` is not `none`: nobody has looked, or what was found cannot be believed. */
export type FactFound =
  | { readonly kind: 'known'; readonly value: JsonValue }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

/** What is remembered of people and machines, among what is in memory already: a look never waits. */
export interface FactView {
  look(ref: FactRef): FactFound;
}
