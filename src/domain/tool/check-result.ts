import type { JsonObject, JsonValue } from '../json.ts';
import { checkValue, shown } from './check-value.ts';
import type { ToolContract } from './tool-contract.ts';
import { unsafeJson } from './unsafe-json.ts';

export type CheckedResult =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly message: string };

/** What a handler answered against the contract's response: every field declared and fitting, all of it within its size. */
export function checkResult(contract: ToolContract, result: unknown): CheckedResult {
  const { properties, required, nullable } = contract.schema.response;
  if (typeof result !== 'object' || result === null || Array.isArray(result))
    return { ok: false, message: `the result is an object, not ${shown(result)}` };
  const unsafe = unsafeJson(result);
  if (unsafe !== undefined) return { ok: false, message: `result: ${unsafe}` };
  const most = contract.sandbox.max_output_bytes;
  if (Buffer.byteLength(JSON.stringify(result)) > most)
    return { ok: false, message: `the result is larger than ${most} bytes (sandbox.max_output_bytes)` };

  const checked: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(result)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property === undefined)
      return { ok: false, message: `result.${key.slice(0, 60)} is not declared in schema.response` };
    if (value === null && nullable.includes(key)) {
      checked[key] = null;
      continue;
    }
    const found = checkValue(property, value);
    if (!found.ok) return { ok: false, message: `result.${key}: ${found.message}` };
    checked[key] = found.value;
  }
  const missing = required.find((key) => !Object.hasOwn(checked, key));
  return missing === undefined
    ? { ok: true, result: checked }
    : { ok: false, message: `result.${missing} is missing` };
}
