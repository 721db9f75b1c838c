import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { SessionContext } from '../../../../src/app/engine/session-context.ts';

describe('the context of a session', () => {
  it('follows its work through every await, and three hundred at once never mix', async () => {
    const context = new SessionContext();
    const work = async (n: number): Promise<boolean> => {
      const ids = { sessionId: `session ${n}`, turnId: `turn ${n}`, station: `station ${n % 7}` };
      return context.run(ids, async () => {
        for (let step = 0; step < n % 13; step += 1) {
          await nextTurn();
          if (context.current() !== ids) return false;
        }
        return (await Promise.all([nextTurn(), nextTurn()]).then(() => context.current())) === ids;
      });
    };
    const kept = await Promise.all(Array.from({ length: 300 }, (_, n) => work(n)));
    expect(kept.filter((isKept) => !isKept)).toEqual([]);
  });

  it('gives each log line the session, turn and station it belongs to, and nothing outside of a turn', () => {
    const context = new SessionContext();
    expect(context.fields()).toEqual({});
    const ids = { sessionId: 's', turnId: 't', station: 'line-1' };
    expect(context.run(ids, () => context.fields())).toEqual({
      session_id: 's',
      turn_id: 't',
      station: 'line-1',
    });
    expect(context.current()).toBeUndefined();
  });
});
