import { didYouMean } from '../../../runtime/nearest.ts';
import { decodeRegisters } from '../decode.ts';
import { encodeRegisters, valueRange } from '../encode.ts';
import { isBitTable } from '../modbus-request.ts';
import type { PlantPoint } from '../plant-model.ts';
import { isIntegerType, isNumericType, type PointType } from '../point-encoding.ts';
import type { PointValue } from '../reading.ts';
import type { ValueFault } from './write-order.ts';

/** Decimal digits that survive a float whatever they are (FLT_DIG and DBL_DIG of C). */
const FLOAT32_DIGITS = 6;
const FLOAT64_DIGITS = 15;

export type WritableValue =
  | {
      readonly ok: true;
      /** As it will be read back. */
      readonly value: PointValue;
      /** The registers; for a bit of a register that bit alone; for a coil 0 or 1. */
      readonly words: readonly number[];
      /** Whether the registers cannot hold all the digits that were asked for. */
      readonly isRounded: boolean;
    }
  | { readonly ok: false; readonly reason: ValueFault; readonly detail: string };

/** The value as the point's registers take it, or why it must not be written there. */
export function writableValue(point: PlantPoint, asked: PointValue): WritableValue {
  const named = withoutEnumText(point, asked);
  if (!named.ok) return named;
  const { value } = named;
  const { encoding } = point;
  if (typeof value !== expectedTypeOf(point))
    return fault('wrong_type', `${JSON.stringify(asked)} is no ${expectedTypeOf(point)}`);
  if (typeof value === 'number') {
    const outside = outsideLimits(point, value, value);
    if (outside !== undefined) return outside;
    const { min, max } = valueRange(encoding);
    if (!(value >= min && value <= max))
      return fault('not_encodable', `${value} is outside ${min} to ${max}, which is what the registers hold`);
  }
  if (isBitTable(point.table)) return { ok: true, value, words: [value === true ? 1 : 0], isRounded: false };
  const encoded = encodeRegisters(value, encoding);
  if (!encoded.ok) return fault('not_encodable', encoded.reason);
  const held = decodeRegisters(encoded.words, encoding);
  if (held.quality === 'bad')
    return fault('not_encodable', `${JSON.stringify(asked)} would mean "no value": ${held.detail}`);
  if (typeof value === 'number' && typeof held.value === 'number') {
    const isRounded = !areSameDigits(value, held.value, encoding.type);
    // The encoding may round over a limit.
    const outside = isRounded ? outsideLimits(point, held.value, value) : undefined;
    return outside ?? { ok: true, value: held.value, words: encoded.words, isRounded };
  }
  if (held.value !== value)
    return fault('not_encodable', `the registers would hold ${JSON.stringify(held.value)} instead`);
  return { ok: true, value, words: encoded.words, isRounded: false };
}

/** The value that an enum text in either language stands for; any other value as it is, when the enum has it. */
export function withoutEnumText(
  { ref, enumTexts, encoding }: PlantPoint,
  asked: PointValue,
): { readonly ok: true; readonly value: PointValue } | (WritableValue & { readonly ok: false }) {
  if (enumTexts.size === 0) return { ok: true, value: asked };
  const all = [...enumTexts.values()].flatMap(({ en, zh }) => [en, zh]);
  if (typeof asked !== 'string') {
    if (enumTexts.has(Number(asked))) return { ok: true, value: asked };
    return fault('unknown_enum_value', `${asked} has no text in the enum of ${ref.machine}.${ref.point}`);
  }
  const raw = [...enumTexts].filter(([, { en, zh }]) => en === asked || zh === asked).map(([value]) => value);
  const [value] = raw;
  if (value === undefined)
    return fault(
      'unknown_enum_value',
      `${ref.machine}.${ref.point} is never ${JSON.stringify(asked)}.${didYouMean(asked, all)}`,
    );
  if (raw.length > 1)
    return fault('unknown_enum_value', `${JSON.stringify(asked)} is the text of ${raw.join(' and ')}`);
  return { ok: true, value: encoding.type === 'bool' ? value === 1 : value };
}

function expectedTypeOf({ encoding }: PlantPoint): 'number' | 'boolean' | 'string' {
  if (isNumericType(encoding.type)) return 'number';
  return encoding.type === 'bool' ? 'boolean' : 'string';
}

function outsideLimits(
  { writeMin, writeMax, encoding }: PlantPoint,
  value: number,
  asked: number,
): (WritableValue & { readonly ok: false }) | undefined {
  if (!Number.isFinite(value)) return fault('not_encodable', `${value} is not a finite number`);
  const rounded =
    value === asked
      ? ''
      : `, as which ${asked} would be written (${isIntegerType(encoding.type) ? `steps of ${Math.abs(encoding.scale)}` : encoding.type}),`;
  if (writeMin !== undefined && value < writeMin)
    return fault('below_minimum', `${value}${rounded} is below write_min ${writeMin}`);
  if (writeMax !== undefined && value > writeMax)
    return fault('above_maximum', `${value}${rounded} is above write_max ${writeMax}`);
  return undefined;
}

/**
 * Whether the registers hold what was asked for: a whole-number type within the steps of its scale, a float to as many
 * digits as were given, and at least to those that it always keeps (23.1 is 23.100000381 in a float32).
 */
function areSameDigits(asked: number, held: number, type: PointType): boolean {
  if (asked === held) return true;
  if (isIntegerType(type)) return Number(asked.toPrecision(15)) === held;
  const given = asked.toExponential().replace(/e.*$/, '').replace(/\D/g, '').length;
  const digits = Math.max(given, type === 'float32' ? FLOAT32_DIGITS : FLOAT64_DIGITS);
  return Number(held.toPrecision(digits)) === Number(asked.toPrecision(digits));
}

function fault(reason: ValueFault, detail: string): WritableValue & { readonly ok: false } {
  return { ok: false, reason, detail };
}
