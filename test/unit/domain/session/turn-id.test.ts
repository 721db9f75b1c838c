import { describe, expect, it } from 'vitest';
import { newTurnId, turnIdFor } from '../../../../src/domain/session/turn-id.ts';

describe('a turn id', () => {
  it('is tr_ and 48 random bits', () => {
    const ids = new Set(Array.from({ length: 20_000 }, newTurnId));
    for (const id of ids) expect(id).toMatch(/^tr_[0-9a-f]{12}$/u);
    // 5 hexadecimal digits would have collided about 190 times.
    expect(ids.size).toBe(20_000);
  });

  it('of a client is kept when it has the right form, so that a command sent again has the same', () => {
    const own = newTurnId();
    expect(turnIdFor(own)).toBe(own);
    expect(turnIdFor(turnIdFor(own))).toBe(own);
  });

  it.each([
    undefined,
    '',
    'tr_8a3f2',
    'tr_8A3F2B8A3F2B',
    'tr_8a3f2b8a3f2b0',
    "tr_8a3f2b8a3f2'",
    'x tr_8a3f2b8a3f2b',
  ])('of the form %s is none, and a new one is made', (offered) => {
    expect(turnIdFor(offered)).toMatch(/^tr_[0-9a-f]{12}$/u);
    expect(turnIdFor(offered)).not.toBe(offered);
  });
});
