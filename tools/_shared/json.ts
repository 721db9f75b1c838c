import type { JsonObject, JsonValue } from '../../src/domain/json.ts';

/** Reading what a capability answered: each throws a TypeError for an answer of another shape. */

export function objectOf(value: JsonValue | undefined, what: string): JsonObject {
  if (!isObject(value)) throw new TypeError(`${what} is no object`);
  return value;
}

export function objectsOf(value: JsonValue | undefined, what: string): readonly JsonObject[] {
  if (!Array.isArray(value)) throw new TypeError(`${what} is no list`);
  return value.map((each: JsonValue) => objectOf(each, what));
}

export function textOf(value: JsonValue | undefined, what: string): string {
  if (typeof value !== 'string') throw new TypeError(`${what} is no text`);
  return value;
}

export function numberOf(value: JsonValue | undefined, what: string): number {
  if (typeof value !== 'number') throw new TypeError(`${what} is no number`);
  return value;
}

/** A text that may be missing. */
export function optionalText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each: JsonValue) => typeof each === 'string') : [];
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isScalar(value: JsonValue | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
