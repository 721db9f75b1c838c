import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DEADLINES, deadlinesOf } from '../../../../src/domain/session/session-deadlines.ts';
import { sessionStateSchema } from '../../../../src/domain/session/session-state.ts';
import { SeededRandom } from '../../../support/random.ts';
import { randomEvent, STATE_LIMITS, WatchedSession } from '../../../support/watched-session.ts';

it('a million random events: no illegal state, no lost deadline, and every session ends', {
  timeout: 60_000,
}, () => {
  const random = new SeededRandom(20_240_611);
  const reached = new Set<string>();
  const fired = new Set<string>();
  for (let events = 0; events < 1_000_000; ) {
    const watched = new WatchedSession();
    for (const end = events + 1 + random.below(500); events < end; events++) {
      watched.session.nowMs += random.pick([0, 0, 1, 50, 400, 5000]);
      const event = randomEvent(random, watched, `tr_${events}`);
      if (event.type === 'timeout') fired.add(event.deadline.id);
      watched.apply(event);
      reached.add(watched.session.state.name);
      if (events % 100 === 0) sessionStateSchema.parse(watched.session.state);
    }
    watched.runOut();
  }
  expect([...reached].sort()).toEqual(Object.keys(STATE_LIMITS).sort());
  expect([...fired].sort()).toEqual([...DEADLINES].sort());
});

it('a state that was stored comes back as it was', () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(60), (seed, length) => {
      const random = new SeededRandom(seed);
      const watched = new WatchedSession();
      for (let i = 0; i < length; i++) watched.apply(randomEvent(random, watched, `tr_${i}`));
      const { state } = watched.session;
      const again = sessionStateSchema.parse(JSON.parse(JSON.stringify(state)));
      expect(again).toEqual(state);
      expect(deadlinesOf(again)).toEqual(deadlinesOf(state));
      watched.runOut();
    }),
  );
});
