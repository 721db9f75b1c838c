import { nearest } from '../../runtime/nearest.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { checkValue, shown } from './check-value.ts';
import type { ToolError } from './tool-call.ts';
import type { ToolContract, ToolProperty } from './tool-contract.ts';
import { convertUnit, isKnownUnit, unitsLike } from './units.ts';
import { unsafeJson } from './unsafe-json.ts';

/** The names that exist for a kind of thing, such as the machines of the plant; undefined where they are not known here. */
export type NameLookup = (
  format: NonNullable<ToolProperty['format']>,
  args: JsonObject,
) => readonly string[] | undefined;

export type CheckedArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly error: ToolError };

type Fault = Pick<ToolError, 'message' | 'field' | 'hint'>;

/** Most bytes of all arguments together, as JSON. */
const MAX_ARGUMENT_BYTES = 64 * 1024;

/**
 * Untrusted arguments against the contract: unknown, missing, of the wrong type, outside a range, in a unit of something else.
 * What comes out is complete (defaults filled in) and in the contract's units.
 */
export function checkArguments(
  contract: ToolContract,
  args: unknown,
  names: NameLookup = () => undefined,
): CheckedArguments {
  const checked = fittingArguments(contract, args, names);
  return 'message' in checked
    ? { ok: false, error: { tool: contract.name, code: 'INPUT_INVALID', ...checked } }
    : { ok: true, args: checked.args };
}

function fittingArguments(
  { schema: { parameters } }: ToolContract,
  args: unknown,
  names: NameLookup,
): { readonly args: JsonObject } | Fault {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return { message: `arguments are an object, not ${shown(args)}` };
  const unsafe = unsafeJson(args);
  if (unsafe !== undefined) return { message: `arguments: ${unsafe}` };
  if (Buffer.byteLength(JSON.stringify(args)) > MAX_ARGUMENT_BYTES)
    return { message: `arguments are larger than ${MAX_ARGUMENT_BYTES} bytes` };

  const known = Object.keys(parameters.properties);
  const entries = new Map<string, unknown>(Object.entries(args));
  for (const key of entries.keys()) {
    if (known.includes(key)) continue;
    const near = nearest(key, known);
    const list = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
    return {
      field: key,
      message: `there is no argument "${key.slice(0, 60)}"`,
      hint: near === undefined ? list : `did you mean "${near}"?`,
    };
  }

  const result: Record<string, JsonValue> = {};
  for (const [key, property] of Object.entries(parameters.properties)) {
    const given = entries.get(key);
    if (given === undefined) {
      if (property.default !== undefined) result[key] = property.default;
      else if (parameters.required.includes(key))
        return { field: key, message: `${key} is missing: ${property.description.en}` };
      continue;
    }
    if (given === null) {
      if (!parameters.nullable.includes(key)) return { field: key, message: `${key} must not be null` };
      result[key] = null;
      continue;
    }
    const inUnit = withoutUnit(property, given);
    const checked = inUnit.ok ? checkValue(property, inUnit.value) : inUnit;
    if (!checked.ok) {
      const { message, hint } = checked;
      return { field: key, message: `${key}: ${message}`, ...(hint === undefined ? {} : { hint }) };
    }
    result[key] = checked.value;
  }
  return unknownName(parameters.properties, result, names) ?? { args: result };
}

type InUnit =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly hint?: string };

/** `{value, unit}` of a number becomes the number in the declared unit. */
function withoutUnit(property: ToolProperty, given: unknown): InUnit {
  const isNumeric = property.type === 'number' || property.type === 'integer';
  if (!isNumeric || typeof given !== 'object' || given === null || Array.isArray(given))
    return { ok: true, value: given };
  const value: unknown = Reflect.get(given, 'value');
  const unit: unknown = Reflect.get(given, 'unit');
  if (typeof value !== 'number' || typeof unit !== 'string' || Object.keys(given).length !== 2)
    return { ok: false, message: 'a number, or { value, unit }' };
  if (property.unit === undefined)
    return { ok: false, message: `has no unit, and ${shown(unit)} was given`, hint: 'give the number alone' };
  const converted = convertUnit(value, unit, property.unit);
  if (converted !== undefined) return { ok: true, value: converted };
  const fitting = `it is in ${property.unit}; known are ${unitsLike(property.unit).join(', ')}`;
  return isKnownUnit(unit)
    ? { ok: false, message: `${shown(unit)} measures something else`, hint: fitting }
    : { ok: false, message: `${shown(unit)} is no unit known here`, hint: fitting };
}

/** A spelling that names nothing; the nearest that does is offered. */
function unknownName(
  properties: Readonly<Record<string, ToolProperty>>,
  args: JsonObject,
  names: NameLookup,
): Fault | undefined {
  for (const [key, property] of Object.entries(properties)) {
    const format = property.type === 'array' ? property.items?.format : property.format;
    const given = args[key];
    if (format === undefined || given === undefined || given === null) continue;
    const valid = names(format, args);
    if (valid === undefined) continue;
    for (const name of Array.isArray(given) ? given : [given]) {
      if (typeof name !== 'string' || valid.includes(name)) continue;
      const near = nearest(name, valid);
      return {
        field: key,
        message: `${key}: there is no ${format} ${shown(name)}`,
        ...(near === undefined ? {} : { hint: `did you mean "${near}"?` }),
      };
    }
  }
  return undefined;
}
