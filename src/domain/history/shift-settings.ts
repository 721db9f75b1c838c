import { z } from 'zod';

export const WEEKDAY_KEYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const clock = z.string().regex(/^([01]?\d|2[0-3]):[0-5]\d$/u, 'a time of day such as "06:00", in quotes');
const date = z.string().refine((text) => daysBetween(text).length > 0, {
  error: 'a day such as "2026-10-01", or the first and the last: "2026-10-01..2026-10-07"',
});

const shift = z.strictObject({
  names: z
    .strictObject({ en: z.array(z.string().min(1)).min(1), zh: z.array(z.string().min(1)).min(1) })
    .describe('what people call it; the first of a language is the one that is said'),
  starts: clock,
  ends: clock.optional().describe('unless given, when the next shift of the day begins'),
  days: z
    .array(z.enum(WEEKDAY_KEYS))
    .min(1)
    .default([...WEEKDAY_KEYS])
    .describe('the days on which it begins'),
});

const calendar = z.strictObject({
  times: z.array(shift).min(1).max(24),
  holidays: z.array(date).max(400).default([]).describe('days on which no shift begins'),
});

/** The shifts of a site: when they begin, or all of them with names, days and holidays. */
export const shiftSettingsSchema = z.union([z.array(clock).max(24), calendar]);
export type ShiftSettings = z.infer<typeof shiftSettingsSchema>;

const DAY_MS = 86_400_000;
const MAX_DAYS = 366;

/** Each day of `2026-10-01` or `2026-10-01..2026-10-07` as `YYYY-MM-DD`; none when it is not written so. */
export function daysBetween(text: string): readonly string[] {
  const [, first = '', last = first] = /^(\d{4}-\d\d-\d\d)(?:\.\.(\d{4}-\d\d-\d\d))?$/u.exec(text) ?? [];
  const [fromMs, toMs] = [startOf(first), startOf(last)];
  const count = (toMs - fromMs) / DAY_MS + 1;
  if (!(count >= 1 && count <= MAX_DAYS)) return [];
  return Array.from({ length: count }, (_, i) => new Date(fromMs + i * DAY_MS).toISOString().slice(0, 10));
}

/** NaN for a day that the calendar does not have: JavaScript would run it on into the next month. */
function startOf(day: string): number {
  const ms = Date.parse(`${day}T00:00Z`);
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(day) ? ms : Number.NaN;
}
