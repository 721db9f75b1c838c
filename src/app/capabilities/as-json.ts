import { type JsonObject, jsonObjectSchema } from '../../domain/json.ts';

/** A value as it goes over a wire: what is undefined is left out. Throws for what JSON does not hold. */
export function asJson(value: object): JsonObject {
  return jsonObjectSchema.parse(JSON.parse(JSON.stringify(value)));
}
