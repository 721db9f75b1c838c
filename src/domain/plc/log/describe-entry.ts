import type { Language } from '../../language/language.ts';
import type { PointValue } from '../reading.ts';
import type { PlantLog } from './plant-log.ts';

interface EntryWords {
  readonly code: number | null;
  readonly values: Readonly<Record<string, PointValue | null>>;
}

const SIGNIFICANT_DIGITS = 4;
/** The field that most PLCs have in every record; with those that have nothing to tell it stays 0. */
const COMMON_FIELD = 'value';

/**
 * What a record says, in one line: the text of its code, or the bare number of one that the plant file does not name.
 * Numbers with a fraction have four significant digits; a field `value` that is 0 is left out.
 */
export function describeRecord(
  { code, values }: EntryWords,
  log: PlantLog | undefined,
  language: Language,
): string {
  const word = language === 'zh' ? '代码' : 'code';
  const known = code === null ? undefined : log?.codes.get(code);
  const named = known?.text[language] ?? (code === null ? undefined : `${word} ${code}`);
  const told = Object.entries(values).filter(([key, value]) => key !== COMMON_FIELD || value !== 0);
  const parts = told.map(([key, value]) => {
    const unit = log?.values.get(key)?.unit?.[language];
    const name = key === COMMON_FIELD && language === 'zh' ? '数值' : key;
    return `${name} ${value === null ? '?' : shown(value)}${unit === undefined ? '' : ` ${unit}`}`;
  });
  const detail = parts.join(', ');
  if (named === undefined) return detail;
  return detail === '' ? named : `${named} (${detail})`;
}

function shown(value: PointValue): string {
  return typeof value === 'number' && !Number.isInteger(value)
    ? String(Number(value.toPrecision(SIGNIFICANT_DIGITS)))
    : String(value);
}
