import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  acceptedEvents,
  FAILURES_BEFORE_GIVING_UP,
  IDLE_SESSION,
  SESSION_EVENTS,
  SESSION_STATES,
  type SessionEvent,
  type SessionState,
  STATE_LIMIT_MS,
  step,
} from '../../../../src/domain/session/session-machine.ts';

function run(events: readonly SessionEvent[]): SessionState {
  let state: SessionState = IDLE_SESSION;
  for (const event of events) {
    const result = step(state, event, 'tr_1');
    if (!result.ok) throw new Error(result.violation.reason);
    state = result.state;
  }
  return state;
}

describe('the session machine', () => {
  it('takes a spoken read from speech to completion', () => {
    const before = run(['speech_started', 'transcript', 'understood', 'planned']);
    expect(before).toEqual({ name: 'EXECUTING', turnId: 'tr_1', failures: 0 });
    expect(step(before, 'completed')).toEqual({
      ok: true,
      state: { name: 'IDLE', turnId: undefined, failures: 0 },
      effects: [
        { kind: 'deadline', afterMs: undefined },
        { kind: 'outcome', turnId: 'tr_1', outcome: 'COMPLETED' },
      ],
    });
  });

  it('listens 30 s, parses 500 ms, routes 200 ms, confirms 60 s, and rests for ever', () => {
    expect(STATE_LIMIT_MS).toMatchObject({
      IDLE: undefined,
      LISTENING: 30_000,
      PARSING: 500,
      ROUTING: 200,
      CONFIRMING: 60_000,
    });
  });

  it('goes back to rest when nobody speaks', () => {
    expect(run(['speech_started', 'timeout']).name).toBe('IDLE');
  });

  it('takes silence for no: an open confirmation that runs out is cancelled', () => {
    const confirming = run(['transcript', 'understood', 'confirmation_needed']);
    const result = step(confirming, 'timeout');
    expect(result.ok && result.effects).toContainEqual({
      kind: 'outcome',
      turnId: 'tr_1',
      outcome: 'CANCELLED',
    });
  });

  it('waits for the answer to a question it asked, and the task is not over', () => {
    const routing = run(['transcript', 'understood']);
    const result = step(routing, 'question_asked');
    expect(result.ok && result.state.name).toBe('LISTENING');
    expect(result.ok && result.effects).toEqual([{ kind: 'deadline', afterMs: 30_000 }]);
  });

  it('gives up at the third failure', () => {
    const twice: SessionEvent[] = [
      'transcript',
      'understood',
      'planned',
      'failed',
      'retry',
      'failed',
      'retry',
      'failed',
    ];
    const state = run(twice);
    expect(state.failures).toBe(FAILURES_BEFORE_GIVING_UP);
    expect(step(state, 'retry').ok).toBe(false);
    expect(step(state, 'gave_up').ok).toBe(true);
  });

  it('refuses an illegal event with a reason, and changes nothing', () => {
    expect(step(IDLE_SESSION, 'confirmed')).toEqual({
      ok: false,
      violation: {
        state: 'IDLE',
        event: 'confirmed',
        reason: 'IDLE accepts speech_started, transcript; not confirmed',
      },
    });
  });

  it('refuses a transcript without a turn id', () => {
    expect(step(IDLE_SESSION, 'transcript').ok).toBe(false);
  });

  it('never confirms or executes out of a state that was not asked to', () => {
    for (const name of SESSION_STATES) {
      if (name !== 'CONFIRMING') expect(acceptedEvents(name)).not.toContain('confirmed');
      if (name !== 'ROUTING') expect(acceptedEvents(name)).not.toContain('planned');
    }
  });

  it('can always be brought to rest, and every state but rest has a limit', () => {
    for (const name of SESSION_STATES.filter((each) => each !== 'IDLE')) {
      expect(STATE_LIMIT_MS[name]).toBeGreaterThan(0);
      expect(acceptedEvents(name)).toContain('timeout');
      if (name !== 'PARSING') expect(acceptedEvents(name)).toContain('cancel');
    }
  });

  it('ends no turn twice, and none that it did not open, whatever comes', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...SESSION_EVENTS), { maxLength: 200 }), (events) => {
        let state = IDLE_SESSION;
        const opened = new Set<string>();
        const ended: string[] = [];
        for (const [index, event] of events.entries()) {
          const turnId = `tr_${index}`;
          const result = step(state, event, turnId);
          if (!result.ok) continue;
          if (event === 'transcript') opened.add(turnId);
          for (const effect of result.effects) if (effect.kind === 'outcome') ended.push(effect.turnId);
          state = result.state;
          expect(state.turnId === undefined).toBe(state.name === 'IDLE' || state.name === 'LISTENING');
        }
        expect(new Set(ended).size).toBe(ended.length);
        for (const turnId of ended) expect(opened.has(turnId)).toBe(true);
      }),
    );
  });
});
