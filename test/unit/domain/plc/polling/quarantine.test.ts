import { describe, expect, it } from 'vitest';
import { Quarantine } from '../../../../../src/domain/plc/polling/quarantine.ts';
import { registerPlant } from '../../../../support/register-plant.ts';

const MINUTE = 60_000;
const points = registerPlant([{ address: 10, type: 'float32' }, { address: 20 }]).points();
const [float, word] = points;
if (float === undefined || word === undefined) throw new Error('no points');

describe('the quarantine of refused points', () => {
  it('knows which registers must not be touched', () => {
    const quarantine = new Quarantine();
    quarantine.hold(float, 'exception 2', 0);
    expect(quarantine.touches('holding', 0, 9)).toBe(false);
    expect(quarantine.touches('holding', 0, 10)).toBe(true);
    expect(quarantine.touches('holding', 11, 30)).toBe(true);
    expect(quarantine.touches('holding', 12, 30)).toBe(false);
    expect(quarantine.touches('input', 0, 30)).toBe(false);
  });

  it('lets a point be tried after a minute, then after twice as long each time, an hour at most', () => {
    const quarantine = new Quarantine();
    let nowMs = 0;
    const waits: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      quarantine.hold(float, 'exception 2', nowMs);
      const heldAtMs = nowMs;
      while (quarantine.due(nowMs, 9).length === 0) nowMs += MINUTE;
      waits.push((nowMs - heldAtMs) / MINUTE);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  it('names the longest overdue first, and no more than are wanted', () => {
    const quarantine = new Quarantine();
    quarantine.hold(word, 'exception 2', 0);
    quarantine.hold(float, 'exception 2', 10);
    expect(quarantine.due(MINUTE + 5, 9)).toEqual([word]);
    expect(quarantine.due(MINUTE + 10, 1)).toEqual([word]);
    expect(quarantine.due(MINUTE + 10, 9)).toEqual([word, float]);
  });

  it('begins anew with a point that was released', () => {
    const quarantine = new Quarantine();
    quarantine.hold(float, 'exception 2', 0);
    quarantine.hold(float, 'exception 2', 0);
    quarantine.release(float);
    expect(quarantine.has(float)).toBe(false);
    quarantine.hold(float, 'exception 2', 0);
    expect(quarantine.due(MINUTE, 9)).toEqual([float]);
  });
});
