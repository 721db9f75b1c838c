import type { JsonObject, JsonValue } from '../../domain/json.ts';

/** Deeper than any result; far from what overflows the stack of those who walk it later. */
export const MAX_DEPTH = 64;

/** Why this is no value to hand on: a key that reaches an object's prototype, or too deep. Takes what JSON.parse gave. */
export function faultOf(value: JsonValue, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return `it is nested more than ${MAX_DEPTH} deep`;
  if (isList(value)) {
    for (const item of value) {
      const fault = faultOf(item, depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return 'it has a key named "__proto__"';
    const fault = faultOf(value[key] ?? null, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}
