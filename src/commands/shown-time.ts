/** A moment as the clocks of the zone show it, to the second: `2026-03-01 14:05:09`. */
export function shownTime(iso: string, timeZone: string): string {
  return new Date(iso).toLocaleString('sv-SE', { timeZone });
}

/** How far the zone is ahead of UTC at these moments, such as `+08:00`; two figures if daylight saving begins or ends between. */
export function shownOffset(isos: readonly string[], timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const offsets = isos.map((iso) => {
    const name = format.formatToParts(new Date(iso)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return name.replace('GMT', '') || '+00:00';
  });
  return [...new Set(offsets)].join(' to ');
}

/** Such as `3 min`, `5 h`, `12 days`. */
export function shownAge(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
