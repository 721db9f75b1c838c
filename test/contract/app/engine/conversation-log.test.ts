import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConversationLog } from '../../../../src/app/engine/conversation-log.ts';
import type { LiveSession } from '../../../../src/app/engine/live-session.ts';
import { SessionHouse } from '../../../../src/app/engine/session-house.ts';
import { TurnScope } from '../../../../src/app/engine/turn-scope.ts';
import { PLAIN_EVIDENCE } from '../../../../src/domain/gate/evidence.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { beginTask } from '../../../../src/domain/session/ledger.ts';
import { newLifespan } from '../../../../src/domain/session/lifespan.ts';
import { decodeSummary } from '../../../../src/domain/session/rolling-summary.ts';
import type { RoutingDecision } from '../../../../src/domain/session/routing-decision.ts';
import { WINDOW_TOKENS } from '../../../../src/domain/session/sub-contexts.ts';
import { silentLogger } from '../../../../src/runtime/logger.ts';
import { HandTime } from '../../../support/hand-time.ts';
import { actionRecord } from '../../../support/session-records.ts';
import { openState, scratchDirectory } from '../../../support/state-site.ts';

let directory: ReturnType<typeof scratchDirectory>;
let state: Awaited<ReturnType<typeof openState>>;
let house: SessionHouse;
let log: ConversationLog;

beforeEach(async () => {
  directory = scratchDirectory();
  state = await openState(directory.path);
  const time = new HandTime();
  const logger = silentLogger();
  house = new SessionHouse({
    store: state.sessions,
    audit: state.audit,
    clocks: time,
    scheduler: time,
    logger,
    onEffect: () => undefined,
  });
  log = new ConversationLog({
    store: state.sessions,
    clocks: time,
    logger,
    names: ['oven one', '一号烤炉'],
    language: 'en',
  });
});
afterEach(async () => {
  house.close();
  await state.database.close();
  directory.remove();
});

/** One turn of a conversation; resolves when it is on disk. */
async function turn(
  session: LiveSession,
  n: number,
  text: string,
  answer: string,
  decision?: RoutingDecision,
): Promise<void> {
  const id = `tr_${String(n).padStart(12, '0')}`;
  const scope = new TurnScope({
    id,
    text,
    language: 'en',
    startedAtMs: 0,
    beganAtMs: 0,
    caller: {
      origin: 'voice',
      station: session.station,
      sessionId: session.id,
      turnId: id,
      role: 'operator',
      person: undefined,
    },
    evidence: PLAIN_EVIDENCE,
  });
  scope.decision = decision;
  log.turn(session, scope, {
    turn_id: id,
    session_id: session.id,
    station: session.station,
    heard: text,
    intent: 'read_point',
    slots: {},
    outcome: 'COMPLETED',
    answer,
    readings: [],
    steps: [],
    duration_ms: 1,
  });
  await session.commit();
}

const LONG =
  'this part of the talk is about nothing that anybody would want to keep for later, and goes on. ';

/** Small talk that has no word in common with that of another turn. */
function talkOf(n: number): string {
  const letter = (at: number): string => String.fromCodePoint(97 + (Math.floor(at) % 26));
  return Array.from(
    { length: 40 },
    (_, word) => `${letter(n)}${letter(n / 26)}z${letter(word)}${letter(word / 26)}`,
  ).join(' ');
}

describe('a long conversation', () => {
  it('holds in memory what fits into its windows, and keeps all of it on disk', async () => {
    const session = house.of('line-1');
    await turn(session, 0, 'what was the temperature of oven one yesterday', 'It was 181.5 degrees at most.');
    for (let n = 1; n <= 60; n += 1) await turn(session, n, talkOf(n), LONG.repeat(3));

    const tokensOf = (source: 'main' | 'voice'): number =>
      session.messages.filter((each) => each.source === source).reduce((sum, { tokens }) => sum + tokens, 0);
    expect(tokensOf('voice')).toBeLessThanOrEqual(WINDOW_TOKENS.voice);
    expect(tokensOf('main')).toBeLessThanOrEqual(WINDOW_TOKENS.main);
    expect(tokensOf('main')).toBeGreaterThan(WINDOW_TOKENS.main / 2);
    // "Yesterday" is an anchor: it stays, however much is said after it.
    expect(session.messages[0]?.content).toContain('yesterday');

    const stored = await state.sessions.session(session.id);
    expect(stored?.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 122 }, (_, n) => n + 1));
  });

  it('leaves behind in a summary what was named, measured and decided, and has it after a restart', async () => {
    const session = house.of('line-1');
    await turn(session, 0, 'read the temperature of oven one', 'oven one is at 181.5 degrees.');
    await turn(session, 1, 'export that', 'I exported it.');
    for (let n = 2; n <= 12; n += 1) await turn(session, n, 'thanks', 'You are welcome.');
    const stored = await state.sessions.session(session.id);
    expect(decodeSummary(stored?.session.summary ?? '')).toMatchObject({
      entities: ['oven one'],
      figures: [expect.stringContaining('181.5')],
      decisions: expect.arrayContaining(['I exported it']),
    });
  });

  it('gives no number twice when the newest of it did not fit', async () => {
    const session = house.of('line-1');
    for (let n = 0; n < 40; n += 1) await turn(session, n, `not yesterday ${LONG}`, 'No.');
    await turn(session, 40, LONG.repeat(40), 'Yes.');
    await turn(session, 41, 'thanks', 'You are welcome.');
    const stored = await state.sessions.session(session.id);
    expect(stored?.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 84 }, (_, n) => n + 1));
    expect(stored?.messages.at(-1)?.content).toBe('You are welcome.');
  });

  it('has a window of its own for alarms, which drives nothing out of the talk and out of its summary', async () => {
    const session = house.of('line-1');
    await turn(session, 0, 'read the temperature of oven one', 'oven one is at 181.5 degrees.');
    for (let n = 0; n < 60; n += 1) log.alarm(session, `High alarm from oven: ${n}. ${LONG.repeat(30)}`);
    await session.kept;
    const alarms = session.messages.filter(({ source }) => source === 'alarm');
    expect(alarms.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(WINDOW_TOKENS.alarm);
    expect(alarms.at(-1)?.content).toMatch(/^High alarm from oven: 59\. .{1400,1500}…$/u);
    expect(session.messages.filter(({ source }) => source !== 'alarm')).toMatchObject([
      { source: 'voice', content: 'read the temperature of oven one' },
      { source: 'main', content: 'oven one is at 181.5 degrees.' },
    ]);
    expect(session.record.summary).toBe('');
    expect((await state.sessions.session(session.id))?.messages).toHaveLength(62);
  });

  it('keeps the evidence of a diagnosis, and of no other action, in a window of its own', async () => {
    const session = house.of('line-1');
    const action = (tool: string, result: JsonObject) => ({ tool, turnId: 'tr_0', result });
    const finding = { point: 'temperature', en: 'temperature is 95, above 80', zh: '温度为95' };
    log.evidence(session, action('read-value', { readings: [] }));
    log.evidence(session, { tool: 'diagnose', turnId: 'tr_0' });
    log.evidence(
      session,
      action('diagnose', {
        machine: 'oven-1',
        findings: [finding],
        events: [{ at: '2026-11-30T08:00:00Z', en: 'door opened', zh: null }],
      }),
    );
    log.evidence(session, action('diagnose', { cause: 'another form' }));
    await turn(session, 0, 'what is wrong with oven one', 'The temperature is above its usual range.');
    expect(session.messages.map(({ source, role, content }) => [source, role, content])).toEqual([
      ['diagnosis', 'tool', 'oven-1. temperature is 95, above 80. 2026-11-30T08:00:00Z door opened.'],
      ['diagnosis', 'tool', '{"cause":"another form"}'],
      ['voice', 'person', 'what is wrong with oven one'],
      ['main', 'assistant', 'The temperature is above its usual range.'],
    ]);
  });

  it('keeps the question that is open whatever is said after it, and for as long as it is open', async () => {
    const session = house.of('line-1');
    session.apply({ type: 'transcript', turnId: 'tr_000000000000', lifespan: newLifespan() });
    session.apply({ type: 'understood', answers: false });
    session.apply({ type: 'question_asked' });
    await turn(session, 0, 'zzzz', 'Which machine?');
    for (let n = 1; n <= 60; n += 1) await turn(session, n, talkOf(n), LONG.repeat(3));
    expect(session.messages.slice(0, 2).map(({ content }) => content)).toEqual(['zzzz', 'Which machine?']);
    session.apply({ type: 'cancel' });
    await turn(session, 61, talkOf(61), LONG.repeat(3));
    expect(session.messages.map(({ content }) => content)).not.toContain('Which machine?');
  });

  it.each(['cancelled', 'held'] as const)('keeps what a step was that is %s', async (status) => {
    const session = house.of('line-1');
    const asked = 'tr_000000000000';
    const action = actionRecord('a1', session.id, { turnId: asked, status });
    session.take({ ledger: { ...session.ledger, actions: [action] }, changed: [action] });
    await turn(session, 0, 'zzzz', 'Cancelled.', { by: 'export', kind: 'plan', tools: ['export-report'] });
    for (let n = 1; n <= 60; n += 1) await turn(session, n, talkOf(n), LONG.repeat(3));
    expect(session.messages.slice(0, 3).map(({ content }) => content)).toEqual([
      'zzzz',
      'route export: plan export-report',
      'Cancelled.',
    ]);
    session.take({ ledger: beginTask(session.ledger), changed: [] });
    await turn(session, 61, talkOf(61), LONG.repeat(3));
    expect(session.messages.map(({ turnId }) => turnId)).not.toContain(asked);
  });

  it('keeps in the main window what was decided, and never says of it in a summary that it was done', async () => {
    const session = house.of('line-1');
    const decision = { by: 'write', kind: 'denied', tools: ['write-value', 'x'.repeat(500)] };
    for (let n = 0; n <= 12; n += 1) await turn(session, n, 'thanks', 'You are welcome.', decision);
    expect(session.messages.slice(0, 3)).toMatchObject([
      { source: 'voice', role: 'person' },
      {
        source: 'main',
        role: 'tool',
        content: expect.stringMatching(/^route write: denied write-value, x+$/u),
      },
      { source: 'main', role: 'assistant' },
    ]);
    expect(session.messages[1]?.content).toHaveLength(200);
    expect(decodeSummary(session.record.summary)).toMatchObject({ turns: 12, decisions: [] });
  });

  it('keeps what was heard apart from what was answered', async () => {
    const session = house.of('line-1');
    await turn(session, 0, 'read the temperature of oven one', 'oven one is at 181.5 degrees.');
    expect(session.messages.map(({ role, source }) => [role, source])).toEqual([
      ['person', 'voice'],
      ['assistant', 'main'],
    ]);
  });
});
