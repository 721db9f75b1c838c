import { describe, expect, it } from 'vitest';
import { RoundTrips } from '../../../../src/adapters/modbus/round-trips.ts';

describe('round trips', () => {
  it('have no figures before the first answer', () => {
    expect(new RoundTrips().percentileMs(0.5)).toBeUndefined();
  });

  it('are judged by the last 128 of them', () => {
    const trips = new RoundTrips();
    for (let index = 0; index < 50; index += 1) trips.add(9_999);
    for (let ms = 128; ms >= 1; ms -= 1) trips.add(ms);
    expect(trips.percentileMs(0.5)).toBe(64);
    expect(trips.percentileMs(0.95)).toBe(122);
    trips.add(1);
    expect(trips.percentileMs(1)).toBe(127);
  });
});
