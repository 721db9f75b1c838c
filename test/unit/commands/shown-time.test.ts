import { describe, expect, it } from 'vitest';
import { shownOffset, shownTime } from '../../../src/commands/shown-time.ts';

describe('a moment for a person', () => {
  it('is what the clocks of the site show', () => {
    expect(shownTime('2026-03-01T16:05:09.500Z', 'Asia/Shanghai')).toBe('2026-03-02 00:05:09');
  });

  it('has the distance of the zone from UTC, twice where it changes', () => {
    expect(shownOffset(['2026-03-01T16:00:00Z', '2026-07-01T16:00:00Z'], 'Asia/Shanghai')).toBe('+08:00');
    expect(shownOffset(['2026-03-01T16:00:00Z'], 'UTC')).toBe('+00:00');
    expect(shownOffset(['2026-03-29T00:00:00Z', '2026-03-29T12:00:00Z'], 'Europe/Berlin')).toBe(
      '+01:00 to +02:00',
    );
  });
});
