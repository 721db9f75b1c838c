import { terminalLine } from './terminal-text.ts';

/** A value as the daemon reports it. */
interface ReportedValue {
  readonly value: number | boolean | string;
  readonly unit?: string | undefined;
  readonly meaning?: string | undefined;
  readonly decimals?: number | undefined;
}

/** Any number of 32 bits is told apart by so many digits. */
const FLOAT32_DIGITS = 9;

/** A value for a person: as the device map names or rounds it, with its unit. */
export function shownValue({ value, unit, meaning, decimals }: ReportedValue): string {
  const text = meaning ?? (typeof value === 'number' ? shownNumber(value, decimals) : String(value));
  const clean = terminalLine(text);
  return unit === undefined || meaning !== undefined ? clean : `${clean} ${unit}`;
}

/** With so many decimals; without, a number of 32 bits in the fewest digits that mean it: 0.1 and not 0.10000000149011612. */
export function shownNumber(value: number, decimals: number | undefined): string {
  if (decimals !== undefined) {
    const text = value.toFixed(decimals);
    return Number(text) === 0 ? text.replace('-', '') : text;
  }
  if (Number.isInteger(value) || Math.fround(value) !== value) return String(value);
  for (let digits = 1; digits < FLOAT32_DIGITS; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(FLOAT32_DIGITS)));
}
