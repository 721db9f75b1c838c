import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newLifespan } from '../../../../src/domain/session/lifespan.ts';
import { deadlinesOf } from '../../../../src/domain/session/session-deadlines.ts';
import type { SessionEvent } from '../../../../src/domain/session/session-event.ts';
import { acceptedEvents, restore, step } from '../../../../src/domain/session/session-machine.ts';
import {
  IDLE_SESSION,
  SESSION_STATES,
  sessionStateSchema,
  turnOf,
} from '../../../../src/domain/session/session-state.ts';
import { SeededRandom } from '../../../support/random.ts';
import { SessionDriver } from '../../../support/session-driver.ts';
import {
  confirmed,
  PLANNED,
  SOUND,
  transcript,
  UNDERSTOOD,
  workOrderAsked,
  writeAsked,
} from '../../../support/session-events.ts';
import { randomEvent, STATE_LIMITS, WatchedSession } from '../../../support/watched-session.ts';

const executing = () => new SessionDriver().take(transcript('tr_1'), UNDERSTOOD, PLANNED);
const confirming = (asked: SessionEvent) => new SessionDriver().take(transcript('tr_1'), UNDERSTOOD, asked);

describe('the session machine', () => {
  it('takes a spoken read from speech to completion', () => {
    const session = new SessionDriver().take({ type: 'speech_started' });
    expect(session.state.name).toBe('LISTENING');
    session.take(transcript('tr_1'));
    expect(session.state).toMatchObject({ name: 'PARSING', strategy: 'template', turn: { id: 'tr_1' } });
    session.take(UNDERSTOOD);
    expect(session.state.name).toBe('ROUTING');
    session.take(PLANNED);
    expect(session.state.name).toBe('EXECUTING');
    session.take({ type: 'completed' });
    expect(session.state.name).toBe('IDLE');
    expect(session.outcomes).toEqual([
      { kind: 'outcome', turnId: 'tr_1', outcome: 'COMPLETED', reason: 'done' },
    ]);
    expect(session.armed.size).toBe(0);
  });

  it('takes a wish that needs no parsing straight to routing', () => {
    const alarm = newLifespan(120_000);
    const session = new SessionDriver().take({ type: 'requested', turnId: 'tr_1', lifespan: alarm });
    expect(session.state).toMatchObject({ name: 'ROUTING', turn: { lifespan: { baseMs: 120_000 } } });
  });

  it('refuses an illegal event with a reason, and changes nothing', () => {
    expect(step(IDLE_SESSION, { type: 'completed' }, 0)).toEqual({
      ok: false,
      violation: {
        state: 'IDLE',
        event: 'completed',
        reason: 'IDLE accepts speech_started, keyword_heard, transcript, requested; not completed',
      },
    });
  });

  it('refuses a turn that is open already: it was sent again', () => {
    const session = new SessionDriver().take(transcript('tr_1'), UNDERSTOOD, { type: 'question_asked' });
    expect(session.try(transcript('tr_1'))?.reason).toBe('turn tr_1 is open already');
  });

  it('never executes without a plan, a retry of one or a consent', () => {
    for (const name of SESSION_STATES) {
      const accepted = acceptedEvents(name);
      if (name !== 'CONFIRMING' && name !== 'EXECUTING') expect(accepted).not.toContain('confirmed');
      if (name !== 'ROUTING') expect(accepted).not.toContain('planned');
      if (name !== 'ERROR_HANDLING') expect(accepted).not.toContain('retry');
    }
  });

  it('listens 30 s, parses 500 ms, routes 200 ms, confirms 60 s, and rests for ever', () => {
    const session = new SessionDriver();
    expect(session.armed.size).toBe(0);
    session.take({ type: 'keyword_heard' });
    expect(session.armed.get('listening')?.dueAtMs).toBe(30_000);
    session.take(transcript('tr_1'));
    expect(session.armed.get('parsing')?.dueAtMs).toBe(500);
    session.take(UNDERSTOOD);
    expect(session.armed.get('routing')?.dueAtMs).toBe(200);
    session.take(writeAsked('c1'));
    expect(session.armed.get('confirmation')?.dueAtMs).toBe(60_000);
    session.take(confirmed('c1'));
    expect(session.armed.get('execution')?.dueAtMs).toBe(30_000);
    session.take({ type: 'failed' });
    expect(session.armed.get('error_handling')?.dueAtMs).toBe(10_000);
  });

  it('can always be brought to rest, and every state but rest has a limit', () => {
    for (const name of SESSION_STATES.filter((each) => each !== 'IDLE')) {
      expect(acceptedEvents(name)).toContain('cancel');
      expect(STATE_LIMITS[name].length).toBeGreaterThan(0);
    }
  });

  it('ends no turn twice, and none that it did not open, whatever comes', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(200), (seed, length) => {
        const random = new SeededRandom(seed);
        const watched = new WatchedSession();
        for (let i = 0; i < length; i++) watched.apply(randomEvent(random, watched, `tr_${i}`));
        watched.runOut();
        const ended = watched.session.outcomes.map(({ turnId }) => turnId);
        expect(new Set(ended).size).toBe(ended.length);
      }),
    );
  });
});

describe('listening', () => {
  it('ends after 30 s without speech', () => {
    const session = executing().take({ type: 'cancel' }, { type: 'keyword_heard' }, { type: 'speech_ended' });
    session.wait(29_999);
    expect(session.state.name).toBe('LISTENING');
    session.wait(1);
    expect(session.state.name).toBe('IDLE');
    expect(session.kinds()).toEqual(['sleep_microphone']);
  });

  it('goes back to sleep when 3 s of speech hold no keyword', () => {
    const session = new SessionDriver().take({ type: 'speech_started' }).wait(2999);
    expect(session.state.name).toBe('LISTENING');
    session.wait(1);
    expect(session.state.name).toBe('IDLE');
    expect(session.kinds()).toEqual(['sleep_microphone']);
  });

  it('is not kept awake by noise that starts again and again', () => {
    const session = new SessionDriver().take({ type: 'speech_started' }).wait(2000);
    session.take({ type: 'speech_started' }).wait(1000);
    expect(session.state.name).toBe('IDLE');
    const bursts = new SessionDriver().take({ type: 'speech_started' }, { type: 'speech_ended' });
    while (bursts.state.name === 'LISTENING' && bursts.nowMs < 60_000) {
      bursts.take({ type: 'speech_started' }).wait(1000).take({ type: 'speech_ended' }).wait(1000);
    }
    expect(bursts.nowMs).toBeLessThanOrEqual(32_000);
  });

  it('stays awake for speech with a keyword, and cuts one utterance at 15 s', () => {
    const session = new SessionDriver().take({ type: 'speech_started' }).wait(1000);
    session.take({ type: 'keyword_heard' }).wait(13_999);
    expect(session.kinds()).toEqual([]);
    session.wait(1);
    expect(session.state.name).toBe('LISTENING');
    expect(session.kinds()).toEqual(['cut_utterance']);
  });

  it('wants no keyword in the answer to a question', () => {
    const session = new SessionDriver().take(transcript('tr_1'), UNDERSTOOD, { type: 'question_asked' });
    session.take({ type: 'speech_started' }).wait(5000);
    expect(session.state.name).toBe('LISTENING');
  });
});

describe('parsing and routing', () => {
  it('falls back to keywords after 500 ms, and after 80 ms more it has not understood', () => {
    const session = new SessionDriver().take(transcript('tr_1')).wait(499);
    expect(session.state).toMatchObject({ strategy: 'template' });
    session.wait(1);
    expect(session.state).toMatchObject({ name: 'PARSING', strategy: 'keyword' });
    expect(session.kinds()).toEqual(['parse_by_keyword']);
    session.wait(80);
    expect(session.state.name).toBe('LISTENING');
    expect(session.outcomes).toMatchObject([{ outcome: 'FAILED', reason: 'not_understood' }]);
  });

  it('tries keywords at once when no template fits', () => {
    const session = new SessionDriver().take(transcript('tr_1'), { type: 'not_understood' });
    expect(session.state).toMatchObject({ name: 'PARSING', strategy: 'keyword' });
    session.take({ type: 'not_understood' });
    expect(session.state.name).toBe('LISTENING');
  });

  it('takes the fallback route after 200 ms, and gives up after 200 ms more', () => {
    const session = new SessionDriver().take(transcript('tr_1'), UNDERSTOOD).wait(200);
    expect(session.state).toMatchObject({ name: 'ROUTING', planner: { kind: 'fallback' } });
    expect(session.kinds()).toEqual(['route_by_fallback']);
    session.wait(200);
    expect(session.state.name).toBe('IDLE');
    expect(session.outcomes).toMatchObject([{ outcome: 'FAILED', reason: 'no_route' }]);
  });

  it('plans again twice, then takes the fallback route', () => {
    const session = new SessionDriver().take(transcript('tr_1'), UNDERSTOOD);
    session.take({ type: 'planning_started', limitMs: 2000 }, { type: 'plan_failed' });
    expect(session.effects).toContainEqual({ kind: 'plan_again', turnId: 'tr_1', retry: 1 });
    session.wait(2000);
    expect(session.effects).toContainEqual({ kind: 'plan_again', turnId: 'tr_1', retry: 2 });
    session.take({ type: 'plan_failed' });
    expect(session.kinds()).toEqual(['route_by_fallback']);
    expect(session.try({ type: 'planning_started', limitMs: 2000 })).toBeDefined();
    session.take(PLANNED);
    expect(session.state.name).toBe('EXECUTING');
  });

  it('begins a plan only when it is valid, its tools are READY, and 1.8 times its estimate is left', () => {
    const routing = () => new SessionDriver().take(transcript('tr_1'), UNDERSTOOD);
    const refusal = (check: Partial<typeof SOUND>) =>
      routing().try({ type: 'planned', check: { ...SOUND, ...check } })?.reason;
    expect(refusal({ schemaValid: false })).toBe('the plan does not pass its schema');
    const tools = [
      { tool: 'read-value', state: 'READY' },
      { tool: 'export-report', state: 'UNHEALTHY' },
      { tool: 'send-message', state: undefined },
    ];
    expect(refusal({ tools })).toBe(
      'export-report is UNHEALTHY, not READY; send-message is unknown, not READY',
    );
    // 300,000 ms are left: 166,666 × 1.8 = 299,998.8, and 166,667 × 1.8 = 300,000.6.
    expect(refusal({ estimateMs: 166_666 })).toBeUndefined();
    expect(refusal({ estimateMs: 166_667 })).toBe(
      '300000 ms are left of the lifespan, not more than 1.8 times the 166667 ms that it is expected to take',
    );
    expect(refusal({ estimateMs: 166_667, pendingConfirmations: 1 })).toBeUndefined();
    const late = routing();
    late.nowMs = 100;
    const check = { ...SOUND, estimateMs: 166_666 };
    expect(late.try({ type: 'planned', check })).toBeDefined();
    expect(late.state.name).toBe('ROUTING');
  });

  it('says that 200 ms are 360 ms with the margin, not 360 s', () => {
    const session = new SessionDriver().take(transcript('tr_1'), UNDERSTOOD);
    expect(session.try({ type: 'planned', check: { ...SOUND, estimateMs: 200 } })).toBeUndefined();
  });
});

describe('a question', () => {
  const asked = () => new SessionDriver().take(transcript('tr_1'), UNDERSTOOD, { type: 'question_asked' });

  it('keeps its turn open until it is answered, and both end as the answer does', () => {
    const session = asked();
    expect(session.outcomes).toEqual([]);
    session.take(transcript('tr_2'), { type: 'understood', answers: true }, PLANNED, { type: 'completed' });
    expect(session.outcomes).toMatchObject([
      { turnId: 'tr_2', outcome: 'COMPLETED' },
      { turnId: 'tr_1', outcome: 'COMPLETED' },
    ]);
  });

  it('is abandoned when something else is wanted', () => {
    const session = asked().take(transcript('tr_2'), UNDERSTOOD);
    expect(session.outcomes).toMatchObject([{ turnId: 'tr_1', outcome: 'ABANDONED', reason: 'superseded' }]);
    expect(session.state).toMatchObject({ name: 'ROUTING', turn: { id: 'tr_2', joined: [] } });
  });

  it('stays open when the answer is not understood', () => {
    const session = asked().take(transcript('tr_2'), { type: 'not_understood' }, { type: 'not_understood' });
    expect(session.outcomes).toMatchObject([{ turnId: 'tr_2', outcome: 'FAILED' }]);
    expect(session.state).toMatchObject({ name: 'LISTENING', asked: { id: 'tr_1' } });
  });

  it('is abandoned after 30 s', () => {
    const session = asked().wait(30_000);
    expect(session.state.name).toBe('IDLE');
    expect(session.outcomes).toMatchObject([{ turnId: 'tr_1', outcome: 'ABANDONED', reason: 'unanswered' }]);
  });

  it('cannot be answered where none is open', () => {
    const session = new SessionDriver().take(transcript('tr_1'));
    expect(session.try({ type: 'understood', answers: true })?.reason).toBe(
      'no question is open that it could answer',
    );
  });

  it('cannot be followed by questions without end', () => {
    const session = asked();
    let violation: unknown;
    for (let i = 2; violation === undefined && i < 100; i++) {
      session.take(transcript(`tr_${i}`), { type: 'understood', answers: true });
      violation = session.try({ type: 'question_asked' });
    }
    expect(violation).toMatchObject({ reason: '16 turns have gone on with one another, and no more may' });
  });
});

describe('a confirmation', () => {
  it('runs out 60 s after its question was heard first, and unheard 60 s after it was asked', () => {
    const session = confirming(writeAsked('c1')).wait(40_000).take({ type: 'question_heard' });
    expect(session.wait(59_999).state.name).toBe('CONFIRMING');
    expect(session.try({ type: 'question_heard' })?.reason).toMatch(/heard before/u);
    expect(session.wait(1).state.name).toBe('IDLE');
    expect(confirming(writeAsked('c1')).wait(60_000).state.name).toBe('IDLE');
  });

  it('stops the lifespan of its task from its beginning, whenever its question was heard', () => {
    const session = confirming(writeAsked('c1')).wait(40_000).take({ type: 'question_heard' });
    session.wait(50_000).take(confirmed('c1'));
    expect(turnOf(session.state)?.startedAtMs).toBe(90_000);
  });

  it('takes silence for no: an open confirmation that runs out is cancelled', () => {
    const session = confirming(writeAsked('c1')).wait(59_999);
    expect(session.state.name).toBe('CONFIRMING');
    session.wait(1);
    expect(session.state).toMatchObject({ name: 'IDLE', parked: [] });
    expect(session.outcomes).toMatchObject([{ outcome: 'CANCELLED', reason: 'not_confirmed' }]);
    expect(session.effects).toContainEqual({ kind: 'say', note: 'not_confirmed', turnId: 'tr_1' });
  });

  it.each(['physical', 'dangerous'] as const)('is never parked when it is %s, whatever it says', (risk) => {
    const session = confirming({
      type: 'confirmation_needed',
      confirmation: { id: 'c1', risk, parkable: true },
      pendingConfirmations: 1,
    });
    session.wait(60_000);
    expect(session.outcomes).toMatchObject([{ outcome: 'CANCELLED' }]);
  });

  it('of a work order is parked after 60 s, leaves the station free, and is abandoned after 30 min', () => {
    const session = confirming(workOrderAsked('c1')).wait(60_000);
    expect(session.state.name).toBe('IDLE');
    expect(session.effects).toContainEqual({ kind: 'park', turnId: 'tr_1', confirmationId: 'c1' });
    session.take(transcript('tr_2'), UNDERSTOOD, PLANNED, { type: 'completed' });
    expect(session.outcomes).toMatchObject([{ turnId: 'tr_2', outcome: 'COMPLETED' }]);
    session.wait(30 * 60_000 - 60_001);
    expect(session.outcomes).toHaveLength(1);
    session.wait(1);
    expect(session.outcomes[1]).toMatchObject({ turnId: 'tr_1', outcome: 'ABANDONED', reason: 'unanswered' });
    expect(session.effects).toContainEqual({ kind: 'say', note: 'parked_expired', turnId: 'tr_1' });
  });

  it('that is parked is taken up again, and ends with the turn that took it up', () => {
    const session = confirming(workOrderAsked('c1')).wait(60_000).take(transcript('tr_2'), UNDERSTOOD);
    session.take({ type: 'resume_parked', confirmationId: 'c1' });
    expect(session.state).toMatchObject({ name: 'CONFIRMING', confirmation: { id: 'c1' }, parked: [] });
    session.take(confirmed('c1'), { type: 'completed' });
    expect(session.outcomes.map(({ turnId, outcome }) => [turnId, outcome])).toEqual([
      ['tr_2', 'COMPLETED'],
      ['tr_1', 'COMPLETED'],
    ]);
  });

  it('is parked at most five times; a sixth is cancelled', () => {
    const session = new SessionDriver();
    for (let i = 1; i <= 6; i++)
      session.take(transcript(`tr_${i}`), UNDERSTOOD, workOrderAsked(`c${i}`)).wait(60_000);
    expect(session.state.parked).toHaveLength(5);
    expect(session.outcomes).toMatchObject([{ turnId: 'tr_6', outcome: 'CANCELLED' }]);
  });

  it('leads on only by its own id, and only while the plan may still be begun', () => {
    const session = confirming(writeAsked('c1'));
    expect(session.try(confirmed('c0'))?.reason).toBe('confirmation c0 is not the open one, c1');
    const check = { ...SOUND, tools: [{ tool: 'write-value', state: 'OPEN' }] };
    expect(session.try({ type: 'confirmed', confirmationId: 'c1', check })?.reason).toBe(
      'write-value is OPEN, not READY',
    );
    session.take(confirmed('c1'));
    expect(session.state.name).toBe('EXECUTING');
  });

  it('is an interrupt while executing: said twice, it is no second one', () => {
    const session = confirming(writeAsked('c1')).take(confirmed('c1', 'tr_2'));
    const before = session.state;
    session.take(confirmed('c1', 'tr_3'));
    expect(session.state).toEqual(before);
    expect(session.outcomes).toMatchObject([{ turnId: 'tr_3', outcome: 'COMPLETED' }]);
    expect(session.try(confirmed('c9'))?.reason).toBe('confirmation c9 is not open');
  });

  it('dies when the ground under it changes', () => {
    const session = confirming(writeAsked('c1')).take({ type: 'ground_changed' });
    expect(session.state.name).toBe('IDLE');
    expect(session.outcomes).toMatchObject([{ outcome: 'CANCELLED', reason: 'ground_changed' }]);
    expect(session.try(confirmed('c1'))).toBeDefined();
  });

  it('stands still for the lifespan and the watchdog', () => {
    const session = confirming(writeAsked('c1'));
    session.nowMs = 50_000;
    session.take(confirmed('c1'));
    expect(deadlinesOf(session.state)).toEqual([
      { id: 'execution', dueAtMs: 80_000 },
      { id: 'watchdog', dueAtMs: 95_000 },
      { id: 'lifespan', dueAtMs: 350_000 },
    ]);
  });

  it('is kept open by no noise', () => {
    const session = confirming(writeAsked('c1'));
    for (let i = 0; i < 70; i++) {
      session.wait(1000).try({ type: 'speech_started' });
      session.try({ type: 'speech_ended' });
    }
    expect(session.outcomes).toMatchObject([{ outcome: 'CANCELLED' }]);
  });
});

describe('executing', () => {
  it('runs out after 30 s: the calls are aborted and counted against their tools', () => {
    const session = executing().wait(30_000);
    expect(session.state).toMatchObject({ name: 'ERROR_HANDLING', turn: { failures: 1 } });
    expect(session.kinds()).toEqual(['abort', 'count_timeout']);
  });

  it('gives up at the third failure', () => {
    const session = executing().take({ type: 'failed' }, { type: 'retry' }, { type: 'failed' });
    expect(session.kinds()).toEqual([]);
    session.take({ type: 'retry' }, { type: 'failed' });
    expect(session.effects).toContainEqual({ kind: 'escalate', turnId: 'tr_1', failures: 3 });
    expect(session.try({ type: 'retry' })?.reason).toBe(
      '3 failures are the limit: only gave_up or cancel is left',
    );
    session.take({ type: 'gave_up' });
    expect(session.outcomes).toMatchObject([{ outcome: 'FAILED', reason: 'gave_up' }]);
  });

  it('a turn that hangs is ended after 45 s and rolled back, wherever it is', () => {
    const session = executing().wait(30_000).take({ type: 'retry' });
    expect(session.state.name).toBe('EXECUTING');
    session.wait(15_000);
    expect(session.state.name).toBe('IDLE');
    expect(session.kinds()).toEqual(['abort', 'roll_back', 'say', 'outcome']);
    expect(session.outcomes).toMatchObject([{ outcome: 'FAILED', reason: 'hung' }]);
  });

  it('each call shortens the lifespan, and a task whose lifespan is over is abandoned aloud', () => {
    const session = executing();
    for (let i = 0; i < 9; i++) session.take({ type: 'call_finished' });
    expect(session.state).toMatchObject({ turn: { lifespan: { toolCalls: 9 } } });
    expect(session.armed.get('lifespan')).toEqual({ id: 'lifespan', dueAtMs: 60_000 });
    // Confirmations keep the turn from the watchdog; its lifespan goes on counting between them.
    session.wait(29_000).take(writeAsked('c1')).wait(10_000).take(confirmed('c1')).wait(29_000);
    session.take(writeAsked('c2')).wait(50_000);
    expect(session.state.name).toBe('CONFIRMING');
    session.take(confirmed('c2')).wait(2000);
    expect(session.state.name).toBe('IDLE');
    expect(session.outcomes).toMatchObject([{ outcome: 'ABANDONED', reason: 'lifespan_over' }]);
    expect(session.effects).toContainEqual({ kind: 'say', note: 'lifespan_over', turnId: 'tr_1' });
  });

  it('is cancelled at once, and what runs is aborted', () => {
    const session = executing().take({ type: 'cancel' });
    expect(session.effects).toContainEqual({ kind: 'abort', turnId: 'tr_1', why: 'cancelled' });
    expect(session.outcomes).toMatchObject([{ outcome: 'CANCELLED' }]);
  });

  it('goes on while another utterance is carried out beside it', () => {
    const session = executing().take({ type: 'interrupt', turnId: 'tr_2' });
    expect(session.outcomes).toMatchObject([{ turnId: 'tr_2', outcome: 'COMPLETED' }]);
    expect(session.state).toMatchObject({ name: 'EXECUTING', turn: { id: 'tr_1' } });
  });
});

describe('deadlines', () => {
  it('of a state follow from it alone, so that a restored one is armed again', () => {
    const session = executing();
    const again = sessionStateSchema.parse(JSON.parse(JSON.stringify(session.state)));
    expect(new Map(deadlinesOf(again).map((each) => [each.id, each]))).toEqual(session.armed);
  });

  it('that do not run bring nothing', () => {
    const session = executing();
    const stale = { id: 'parsing', dueAtMs: 500 } as const;
    expect(session.try({ type: 'timeout', deadline: stale })?.reason).toBe(
      'no deadline parsing at 500 runs in EXECUTING',
    );
    const old = { id: 'execution', dueAtMs: 1 } as const;
    expect(session.try({ type: 'timeout', deadline: old })).toBeDefined();
  });
});

describe('after a restart', () => {
  it('an open confirmation is dead, said so, and offered again by "continue"', () => {
    const { state, effects } = restore(confirming(writeAsked('c1')).state);
    expect(state).toEqual(IDLE_SESSION);
    expect(effects).toEqual([
      { kind: 'outcome', turnId: 'tr_1', outcome: 'ABANDONED', reason: 'interrupted' },
      { kind: 'say', note: 'interrupted', turnId: 'tr_1' },
      { kind: 'offer_to_continue', was: 'CONFIRMING', turnIds: ['tr_1'], confirmationIds: ['c1'] },
    ]);
  });

  it('a turn that was carried out is at rest, and so are the parked ones', () => {
    const session = confirming(workOrderAsked('c1'))
      .wait(60_000)
      .take(transcript('tr_2'), UNDERSTOOD, PLANNED);
    const { state, effects } = restore(session.state);
    expect(state).toEqual(IDLE_SESSION);
    expect(effects).toContainEqual({
      kind: 'offer_to_continue',
      was: 'EXECUTING',
      turnIds: ['tr_2', 'tr_1'],
      confirmationIds: ['c1'],
    });
  });

  it('a session at rest has nothing to say', () => {
    expect(restore(IDLE_SESSION)).toEqual({ ok: true, state: IDLE_SESSION, effects: [] });
    expect(turnOf(IDLE_SESSION)).toBeUndefined();
  });
});
