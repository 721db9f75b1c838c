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
