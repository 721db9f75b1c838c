import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import type { JsonObject } from '../json.ts';

const REDACTED = '[redacted]';
const MAX_VALUE_CHARACTERS = 500;

/** Arguments as they may be written down: what the contract keeps back is replaced, what is long is cut short. */
export function redactArguments(args: JsonObject, redact: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => {
      if (redact.includes(key)) return [key, REDACTED];
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [key, text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : value];
    }),
  );
}

/** Twelve hexadecimal digits that tell equal inputs from others without showing them. */
export function inputDigest(args: JsonObject, redact: readonly string[]): string {
  return createHash('sha256')
    .update(canonicalJson(redactArguments(args, redact)))
    .digest('hex')
    .slice(0, 12);
}
