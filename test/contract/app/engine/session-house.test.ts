import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveSession } from '../../../../src/app/engine/live-session.ts';
import { SessionHouse } from '../../../../src/app/engine/session-house.ts';
import type { AuditKind } from '../../../../src/app/ports/audit.ts';
import type { SessionEffect } from '../../../../src/domain/session/session-effect.ts';
import { silentLogger } from '../../../../src/runtime/logger.ts';
import { eventually } from '../../../support/eventually.ts';
import { HandTime } from '../../../support/hand-time.ts';
import { PLANNED, transcript, UNDERSTOOD } from '../../../support/session-events.ts';
import { actionRecord } from '../../../support/session-records.ts';
import { openState, scratchDirectory } from '../../../support/state-site.ts';

const MINUTE_MS = 60_000;

let directory: ReturnType<typeof scratchDirectory>;
let state: Awaited<ReturnType<typeof openState>>;
let time: HandTime;
let effects: SessionEffect[];
let house: SessionHouse;

function open(): SessionHouse {
  return new SessionHouse({
    store: state.sessions,
    audit: state.audit,
    clocks: time,
    scheduler: time,
    logger: silentLogger(),
    onEffect: (_session, effect) => effects.push(effect),
  });
}

beforeEach(async () => {
  directory = scratchDirectory();
  state = await openState(directory.path);
  time = new HandTime();
  effects = [];
  house = open();
});
afterEach(async () => {
  house.close();
  await state.database.close();
  directory.remove();
});

async function noted(session: LiveSession, kind: AuditKind): Promise<readonly unknown[]> {
  await session.commit();
  return (await state.sessions.timeline(session.id, 100)).flatMap((entry) =>
    entry.kind === kind ? [entry.detail] : [],
  );
}

describe('a session of the house', () => {
  it('refuses an illegal event, writes it into the audit, and stays as it was', async () => {
    const session = house.of('line-1');
    const before = session.state;
    expect(session.apply(PLANNED)).toBe(false);
    expect(session.state).toEqual(before);
    expect(await noted(session, 'session.violation')).toMatchObject([
      { station: 'line-1', state: 'IDLE', event: 'planned', session_id: session.id },
    ]);
    expect(session.apply(transcript('tr_0123456789ab'))).toBe(true);
  });

  it.each([
    ['before it was understood', [transcript('tr_0123456789ab')]],
    ['before it was planned', [transcript('tr_0123456789ab'), UNDERSTOOD]],
    ['while it is carried out', [transcript('tr_0123456789ab'), UNDERSTOOD, PLANNED]],
  ])('is brought back to rest by its timers alone when a turn hangs %s', async (_when, events) => {
    const session = house.of('line-1');
    for (const event of events) expect(session.apply(event)).toBe(true);
    time.pass(MINUTE_MS);
    expect(session.state.name).toBe('IDLE');
    expect(await noted(session, 'turn.outcome')).toMatchObject([
      { turn_id: 'tr_0123456789ab', outcome: 'FAILED' },
    ]);
  });

  it('is archived when nobody has used it for 15 minutes: on disk with its end, in memory no more', async () => {
    const session = house.of('line-1');
    await session.commit();
    time.pass(15 * MINUTE_MS - 1);
    expect(house.of('line-1')).toBe(session);
    time.pass(15 * MINUTE_MS);
    expect(house.byId(session.id)).toBeUndefined();
    expect(time.timers).toBe(0);
    const kept = await eventually('it is archived on disk', async () => {
      const stored = await state.sessions.session(session.id);
      return stored?.session.archivedAt === undefined ? undefined : stored;
    });
    expect(kept.session).toMatchObject({ id: session.id, station: 'line-1' });
    expect(await state.sessions.live(10)).toEqual([]);
    expect((await state.sessions.timeline(session.id, 10)).map(({ kind }) => kind)).toContain(
      'session.archived',
    );
    expect(house.of('line-1').id).not.toBe(session.id);
  });

  it('is found again by its station after a restart, and by no other', async () => {
    const session = house.of('line-1');
    session.say({
      turnId: 'tr_0123456789ab',
      role: 'person',
      source: 'voice',
      content: 'read the temperature',
      tokens: 4,
      isProtected: false,
    });
    await session.commit();
    house.close();
    house = open();
    await house.restore();
    expect(house.of('line-1')).toMatchObject({ id: session.id });
    expect(house.of('line-1').messages.map(({ content }) => content)).toEqual(['read the temperature']);
    expect(house.of('line-2').id).not.toBe(session.id);
  });

  it('that another writer has changed is let go, named with what it had not stored, and taken up from the disk', async () => {
    const loser = house.of('line-1');
    await loser.commit();
    const other = open();
    await other.restore();
    const winner = other.of('line-1');
    const action = actionRecord('a-1', loser.id, { status: 'pending', turnId: 'tr_0123456789ab' });
    winner.take({ ledger: { ...winner.ledger, actions: [action] }, changed: [action] });
    await winner.commit();
    other.close();

    expect(loser.apply(transcript('tr_0123456789cd'))).toBe(true);
    loser.say({
      turnId: 'tr_0123456789cd',
      role: 'person',
      source: 'voice',
      content: 'read the pressure',
      tokens: 4,
      isProtected: false,
    });
    loser.note('action.planned', { turn_id: 'tr_0123456789cd' });
    await expect(loser.commit()).rejects.toMatchObject({ code: 'SESSION_CONFLICT' });
    await expect(loser.commit()).rejects.toMatchObject({ code: 'SESSION_CONFLICT' });
    expect(time.timers).toBe(1);

    await house.takingUp('line-1');
    const next = house.of('line-1');
    expect(next).not.toBe(loser);
    expect(next).toMatchObject({ id: loser.id, state: { name: 'IDLE' }, actions: [{ id: 'a-1' }] });
    expect([...next.suspended]).toEqual(['a-1']);
    expect(next.apply(transcript('tr_0123456789ef'))).toBe(true);
    await next.commit();
    expect(await state.sessions.session(loser.id)).toMatchObject({
      session: { version: 3, archivedAt: undefined },
    });
    expect(await state.audit.entries('session.conflict', 10)).toMatchObject([
      {
        detail: {
          session_id: loser.id,
          station: 'line-1',
          messages: 1,
          actions: [],
          entries: [{ kind: 'action.planned', detail: { turn_id: 'tr_0123456789cd' } }],
        },
      },
    ]);
  });

  it('has an id that says nothing of its station, person or time, and that two never share', () => {
    const ids = Array.from({ length: 500 }, (_, n) => house.of(`line-${n}`).id);
    expect(new Set(ids).size).toBe(500);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
  });
});
