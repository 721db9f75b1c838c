import { didYouMean } from '../../runtime/nearest.ts';
import { type JsonValue, jsonValueSchema } from '../json.ts';
import type { ToolProperty } from './tool-contract.ts';

/** A value that fits its declaration, or why it does not. */
export type CheckedValue =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly message: string; readonly hint?: string };

/** Most characters of a string whose declaration sets no limit. */
export const DEFAULT_MAX_LENGTH = 2000;
/** Most items of an array whose declaration sets no limit. */
export const DEFAULT_MAX_ITEMS = 100;

const EMAIL = /^[^\s@<>(),;:\\"[\]]{1,64}@[^\s@<>(),;:\\"[\]]{1,255}$/u;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/u;
/** All control characters but tab, line feed and carriage return: no name and no message has them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/u;

/** Holds one value, in the declared unit already, against its declaration: type, enum, range, length, items. */
export function checkValue(property: ToolProperty, value: unknown): CheckedValue {
  const typed = checkType(property, value);
  if (!typed.ok) return typed;
  return checkEnum(property, typed.value) ?? typed;
}

function refused(message: string, hint?: string): CheckedValue {
  return { ok: false, message, ...(hint === undefined ? {} : { hint }) };
}

function checkType(property: ToolProperty, value: unknown): CheckedValue {
  switch (property.type) {
    case 'string':
      return checkString(property, value);
    case 'number':
    case 'integer':
      return checkNumber(property, value);
    case 'boolean':
      if (typeof value === 'boolean') return { ok: true, value };
      return refused(
        `true or false, not ${shown(value)}`,
        value === 'true' || value === 'false' ? `leave the quotes out: ${value}` : undefined,
      );
    case 'scalar':
      return checkScalar(property, value);
    case 'array':
      return checkArray(property, value);
    case 'object':
      return asJson(value, isObject(value), 'an object');
  }
}

/** Whichever of a text, a number or a truth the point takes that it is for. */
function checkScalar(property: ToolProperty, value: unknown): CheckedValue {
  switch (typeof value) {
    case 'string':
      return checkString(property, value);
    case 'number':
      return checkNumber(property, value);
    case 'boolean':
      return { ok: true, value };
    default:
      return refused(`a text, a number, true or false, not ${shown(value)}`);
  }
}

function checkString(property: ToolProperty, value: unknown): CheckedValue {
  if (typeof value !== 'string')
    return refused(
      `a text, not ${shown(value)}`,
      typeof value === 'number' || typeof value === 'boolean' ? `put it in quotes: "${value}"` : undefined,
    );
  const least = property.min_length ?? 0;
  const most = property.max_length ?? DEFAULT_MAX_LENGTH;
  const length = [...value.slice(0, 2 * most + 2)].length;
  if (length > most) return refused(`at most ${most} characters, not ${value.length}`);
  if (length < least)
    return refused(length === 0 ? 'a text that is not empty' : `at least ${least} characters, not ${length}`);
  if (CONTROL.test(value)) return refused('a text without control characters');
  if (property.format === 'email' && !EMAIL.test(value))
    return refused('an e-mail address such as zhang@example.com');
  if (property.format === 'date-time' && !(DATE_TIME.test(value) && !Number.isNaN(Date.parse(value))))
    return refused('a date or a time such as 2026-03-01T12:00:00Z');
  return { ok: true, value };
}

function checkNumber(property: ToolProperty, value: unknown): CheckedValue {
  const kind = property.type === 'integer' ? 'a whole number' : 'a number';
  const inUnit = property.unit === undefined ? kind : `${kind} of ${property.unit}`;
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    const plain = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
    return refused(
      `${inUnit}, not ${shown(value)}`,
      plain ? `leave the quotes out: ${Number(value)}` : undefined,
    );
  }
  if (property.type === 'integer' && !Number.isSafeInteger(value)) return refused(`${inUnit}, not ${value}`);
  const { minimum, maximum } = property;
  if ((minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum)) {
    const range =
      minimum === undefined
        ? `at most ${maximum}`
        : maximum === undefined
          ? `at least ${minimum}`
          : `from ${minimum} to ${maximum}`;
    return refused(`${inUnit} ${range}, not ${value}`);
  }
  return { ok: true, value };
}

function checkArray(property: ToolProperty, value: unknown): CheckedValue {
  if (!Array.isArray(value)) return refused(`a list, not ${shown(value)}`, `write [${shown(value)}]`);
  const most = property.max_items ?? DEFAULT_MAX_ITEMS;
  if (value.length > most) return refused(`at most ${most} items, not ${value.length}`);
  const { items } = property;
  const checked: JsonValue[] = [];
  for (const [index, item] of value.entries()) {
    const found: CheckedValue =
      items === undefined
        ? asJson(item, true, 'a value')
        : checkType({ type: items.type, format: items.format, description: property.description }, item);
    if (!found.ok) return { ...found, message: `item ${index + 1}: ${found.message}` };
    checked.push(found.value);
  }
  return { ok: true, value: checked };
}

function checkEnum(property: ToolProperty, value: JsonValue): CheckedValue | undefined {
  const words = property.enum;
  if (words === undefined || words.some((word) => word === value)) return undefined;
  const near = typeof value === 'string' ? didYouMean(value, words.map(String)) : '';
  return refused(`one of ${words.join(', ')}, not ${shown(value)}`, near === '' ? undefined : near.trim());
}

function asJson(value: unknown, fits: boolean, wanted: string): CheckedValue {
  const parsed = fits ? jsonValueSchema.safeParse(value) : undefined;
  return parsed?.success === true
    ? { ok: true, value: parsed.data }
    : refused(`${wanted}, not ${shown(value)}`);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SHOWN_CHARACTERS = 40;

/** A value as a message may quote it. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string')
    return value.length > SHOWN_CHARACTERS ? `"${value.slice(0, SHOWN_CHARACTERS)}…"` : `"${value}"`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
