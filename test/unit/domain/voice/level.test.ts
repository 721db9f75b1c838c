import { describe, expect, it } from 'vitest';
import { levelDbfs, QUIETEST_DBFS } from '../../../../src/domain/voice/level.ts';
import { LevelHistory } from '../../../../src/domain/voice/level-history.ts';
import { tone } from '../../../support/tones.ts';

describe('levelDbfs', () => {
  it('is 0 for a square wave at full scale and -3 for a sine', () => {
    expect(levelDbfs(new Int16Array(100).fill(-32_768))).toBe(0);
    expect(levelDbfs(tone(1_000, 16_000, 1, 1))).toBeCloseTo(-3.01, 2);
    expect(levelDbfs(tone(1_000, 16_000, 1, 0.1))).toBeCloseTo(-23.01, 2);
  });

  it('is one step of 16 bits for digital silence and for no sound at all', () => {
    expect(levelDbfs(new Int16Array(100))).toBe(QUIETEST_DBFS);
    expect(levelDbfs(new Int16Array(0))).toBe(QUIETEST_DBFS);
    expect(QUIETEST_DBFS).toBeCloseTo(-90.31, 2);
  });
});

describe('LevelHistory', () => {
  it('knows no floor in the first half second', () => {
    const history = new LevelHistory();
    history.push(tone(100, 16_000, 0.48, 0.01));
    expect(history.floorDbfs()).toBeUndefined();
    expect(history.aboveFloorDb([{ fromSample: 0, toSample: 1_600 }])).toBeUndefined();
    history.push(tone(100, 16_000, 0.02, 0.01));
    expect(history.floorDbfs()).toBeCloseTo(-43.0, 1);
  });

  it('measures words over the noise between them', () => {
    const history = new LevelHistory();
    history.push(tone(100, 16_000, 1, 0.01));
    history.push(tone(400, 16_000, 2, 0.1));
    history.push(tone(100, 16_000, 0.5, 0.01));
    expect(history.aboveFloorDb([{ fromSample: 16_000, toSample: 48_000 }])).toBeCloseTo(20, 1);
    expect(history.aboveFloorDb([{ fromSample: 0, toSample: 16_000 }])).toBeCloseTo(0, 1);
  });

  it('forgets the noise of more than ten seconds ago', () => {
    const history = new LevelHistory();
    history.push(tone(100, 16_000, 5, 0.01));
    history.push(tone(100, 16_000, 10, 0.1));
    expect(history.floorDbfs()).toBeCloseTo(-23.0, 1);
  });

  it('has nothing to say about audio that has left its memory or never was', () => {
    const history = new LevelHistory();
    history.push(tone(100, 16_000, 31, 0.01));
    expect(history.aboveFloorDb([{ fromSample: 0, toSample: 8_000 }])).toBeUndefined();
    expect(history.aboveFloorDb([])).toBeUndefined();
    expect(history.aboveFloorDb([{ fromSample: 32 * 16_000, toSample: 33 * 16_000 }])).toBeUndefined();
  });
});
