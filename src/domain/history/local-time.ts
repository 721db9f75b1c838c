/** A day of the calendar and a time of it, as the clocks on the wall of one zone show them. */
export interface LocalTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31; days beyond the month's end run on into the next. */
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}

/** What the clocks of the zone (an IANA name, such as `Europe/Berlin`) show. Throws RangeError on a zone nobody knows. */
export function localTime(atMs: number, timeZone: string): LocalTime & { readonly second: number } {
  const parts = new Map<string, number>(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: string): number => parts.get(name) ?? 0;
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  };
}

/**
 * The moment at which the clocks of the zone show this. A time that daylight saving skips is the moment of the change; of
 * one that comes twice it is the first.
 */
export function momentOf(local: LocalTime, timeZone: string): number {
  const shownMs = Date.UTC(local.year, local.month - 1, local.day, local.hour, local.minute);
  // Zones are less than a day from UTC, and no zone changes twice within two days: one of the two offsets is in force.
  const [before, after] = [
    offsetMs(shownMs - 86_400_000, timeZone),
    offsetMs(shownMs + 86_400_000, timeZone),
  ];
  const candidates = [shownMs - before, shownMs - after].filter(
    (ms) => shownMs - ms === offsetMs(ms, timeZone),
  );
  if (candidates.length > 0) return Math.min(...candidates);
  return changeBetween(shownMs - Math.max(before, after), shownMs - Math.min(before, after), timeZone);
}

/** How far the zone is ahead of UTC at a moment. */
function offsetMs(atMs: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = localTime(atMs, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

function changeBetween(fromMs: number, toMs: number, timeZone: string): number {
  const before = offsetMs(fromMs - 1000, timeZone);
  let [low, high] = [fromMs - 1000, toMs];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offsetMs(middle, timeZone) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** Monday is 1, Sunday 7. */
export function weekdayOf({ year, month, day }: Pick<LocalTime, 'year' | 'month' | 'day'>): number {
  return ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7) + 1;
}
