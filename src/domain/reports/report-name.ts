import { localTime, momentOf } from '../history/local-time.ts';

/** What the name of a report tells. */
export interface ReportName {
  /** Wall time, milliseconds since 1970, to the minute. */
  readonly atMs: number;
  readonly kind: string;
  readonly title: string;
  /** Ties it to the intent that it was made for. */
  readonly mark: string;
  readonly format: 'xlsx' | 'csv';
}

const NAME =
  /^(\d{4})-(\d{2})-(\d{2})_(\d{2})-(\d{2})_([a-z][a-z-]{0,30})_([\p{L}\p{N}-]{1,60})_([0-9a-f]{12})\.(xlsx|csv)$/u;
const MAX_TITLE_CHARACTERS = 40;

/** `2026-03-05_14-12_history_machine-twelve_0123456789ab.xlsx`, in the time of the site; safe on every file system. */
export function reportName({ atMs, kind, title, mark, format }: ReportName, timeZone: string): string {
  const { year, month, day, hour, minute } = localTime(atMs, timeZone);
  const two = (value: number): string => String(value).padStart(2, '0');
  const words = [...title.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '-')]
    .slice(0, MAX_TITLE_CHARACTERS)
    .join('')
    .replace(/^-+|-+$/gu, '');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return `${date}_${two(hour)}-${two(minute)}_${kind}_${words === '' ? 'report' : words}_${mark}.${format}`;
}

/** Undefined for a name that no report has. */
export function parseReportName(name: string, timeZone: string): ReportName | undefined {
  const [, year, month, day, hour, minute, kind, title, mark, format] = NAME.exec(name) ?? [];
  if (kind === undefined || title === undefined || mark === undefined) return undefined;
  const atMs = momentOf(
    {
      year: Number(year),
      month: Number(month),
      day: Number(day),
      hour: Number(hour),
      minute: Number(minute),
    },
    timeZone,
  );
  return { atMs, kind, title: title.replaceAll('-', ' '), mark, format: format === 'csv' ? 'csv' : 'xlsx' };
}
