import type { Language } from '../../language/language.ts';
import type { PointValue } from '../reading.ts';
import type { PlantLog } from './plant-log.ts';

interface EntryWords {
  readonly code: number | null;
  readonly values: Readonly<Record<string, PointValue | null>>;
}

/** What a record says, in one line: the text of its code, or the bare number of one that the plant file does not name. */
export function describeRecord(
  { code, values }: EntryWords,
  log: PlantLog | undefined,
  language: Language,
): string {
  const word = language === 'zh' ? '代码' : 'code';
  const known = code === null ? undefined : log?.codes.get(code);
  const named = known?.text[language] ?? (code === null ? undefined : `${word} ${code}`);
  const parts = Object.entries(values).map(([key, value]) => {
    const unit = log?.values.get(key)?.unit?.[language];
    return `${key} ${value === null ? '?' : value}${unit === undefined ? '' : ` ${unit}`}`;
  });
  const detail = parts.join(', ');
  if (named === undefined) return detail;
  return detail === '' ? named : `${named} (${detail})`;
}
