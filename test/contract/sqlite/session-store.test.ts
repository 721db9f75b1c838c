import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Database } from '../../../src/adapters/sqlite/database.ts';
import { STATE_MIGRATIONS } from '../../../src/adapters/sqlite/state-migrations.ts';
import type { SessionChange } from '../../../src/app/ports/session-store.ts';
import { SessionDriver } from '../../support/session-driver.ts';
import { PLANNED, transcript, UNDERSTOOD } from '../../support/session-events.ts';
import { actionRecord, messageRecord, sessionRecord } from '../../support/session-records.ts';
import { openState, scratchDirectory } from '../../support/state-site.ts';

let directory: ReturnType<typeof scratchDirectory>;
let state: Awaited<ReturnType<typeof openState>>;

beforeEach(async () => {
  directory = scratchDirectory();
  state = await openState(directory.path);
});
afterEach(async () => {
  await state.database.close();
  directory.remove();
});

async function restart(): Promise<void> {
  await state.database.close();
  state = await openState(directory.path);
}

async function rowsIn(table: string): Promise<number> {
  const [row] = await state.database.all(
    z.object({ count: z.int() }),
    `SELECT count(*) AS count FROM ${table}`,
  );
  return row?.count ?? 0;
}

/** A change that touches everything that a change can. */
function fullChange(id: string): SessionChange {
  return {
    session: sessionRecord(id, {
      userId: 'wang',
      state: new SessionDriver().take(transcript('tr_1'), UNDERSTOOD, PLANNED).state,
      open: { kind: 'choice', of: ['oven-1', '烤炉二'] },
      meta: { language: 'zh' },
      memoryRefs: ['fact-1'],
    }),
    actions: [
      actionRecord(`${id}-a`, id, {
        status: 'done',
        result: { value: 181.5, text: 'it said "181.5"\u0000\n' },
        compensation: { tool: 'write-value', args: { value: 180 } },
      }),
      actionRecord(`${id}-b`, id, {
        step: 2,
        status: 'failed',
        dependsOn: [`${id}-a`],
        bindings: { value: { action: `${id}-a`, field: 'value' } },
        error: { tool: 'read-value', code: 'TOOL_TIMEOUT', message: 'no answer', hint: 'look at the cable' },
      }),
    ],
    messages: [messageRecord(1, '一号炉的温度'), messageRecord(2, '181.5')],
    outbox: [
      { id: `${id}-out`, channel: 'mail', body: { to: 'zhang' }, expiresAt: '2026-02-01T00:00:00.000Z' },
    ],
    memory: [{ fact: 'oven 1 runs hot' }],
    audit: [
      { kind: 'action.begun', detail: { action: `${id}-a` } },
      { kind: 'action.ended', detail: { action: `${id}-a` } },
    ],
    turn: { turnId: `tr-${id}`, report: { answer: '181.5' } },
  };
}

describe('a change of a session', () => {
  it('comes back after a restart as it was: state, ledger, messages, outbox, turn and audit', async () => {
    const id = randomUUID();
    const change = fullChange(id);
    expect(await state.sessions.commit(change)).toBe('committed');
    await restart();
    expect(await state.sessions.session(id)).toEqual({
      session: change.session,
      actions: change.actions,
      messages: change.messages,
      unreadable: 0,
    });
    expect(await state.outbox.waiting('mail', 10)).toMatchObject([change.outbox?.[0] ?? {}]);
    expect(await state.sessions.answeredTurn(`tr-${id}`)).toEqual({ answer: '181.5' });
    expect(await state.sessions.timeline(id, 10)).toMatchObject([
      { kind: 'action.begun', detail: { action: `${id}-a`, session_id: id } },
      { kind: 'action.ended', detail: { action: `${id}-a`, session_id: id } },
    ]);
    expect(await rowsIn('memory_draft')).toBe(1);
    expect(await state.audit.firstBreak()).toBeUndefined();
  });

  it('is written wholly or not at all when two writers start from the same version', async () => {
    const id = randomUUID();
    await state.sessions.commit({ session: sessionRecord(id) });
    const writer = (name: string): SessionChange => ({
      session: sessionRecord(id, { version: 2, summary: name }),
      actions: [actionRecord(`action of ${name}`, id)],
      messages: [messageRecord(1, name)],
      outbox: [{ id: name, channel: 'mail', body: {} }],
      memory: [{ by: name }],
      audit: [{ kind: 'session.change', detail: { by: name } }],
      turn: { turnId: name, report: {} },
    });
    const names = ['first', 'second', 'third'];
    const outcomes = await Promise.all(names.map((name) => state.sessions.commit(writer(name))));
    expect(outcomes).toEqual(['committed', 'conflict', 'conflict']);

    const stored = await state.sessions.session(id);
    expect(stored?.session.summary).toBe('first');
    expect(stored?.actions.map((action) => action.id)).toEqual(['action of first']);
    expect(stored?.messages.map(({ content }) => content)).toEqual(['first']);
    expect((await state.outbox.waiting('mail', 10)).map((message) => message.id)).toEqual(['first']);
    expect((await state.sessions.timeline(id, 10)).map(({ detail }) => detail['by'])).toEqual(['first']);
    expect(await state.sessions.answeredTurn('second')).toBeUndefined();
    expect(await rowsIn('memory_draft')).toBe(1);
    expect(await state.audit.firstBreak()).toBeUndefined();
  });

  it('is right also when another program writes the same file in between', async () => {
    const other = await openState(directory.path);
    const [mine, theirs] = [randomUUID(), randomUUID()];
    await state.sessions.commit(fullChange(mine));
    expect(await other.sessions.commit(fullChange(theirs))).toBe('committed');
    // The audit now ends with what the other one wrote, and a session is further than this one knows.
    const next = (id: string, version: number): SessionChange => ({
      session: sessionRecord(id, { version }),
      audit: [{ kind: 'session.change', detail: { version } }],
    });
    expect(
      await Promise.all([state.sessions.commit(next(theirs, 1)), state.sessions.commit(next(mine, 2))]),
    ).toEqual(['conflict', 'committed']);
    expect(await state.sessions.commit(next(theirs, 2))).toBe('committed');
    expect(await other.sessions.commit(next(theirs, 2))).toBe('conflict');
    await other.database.close();
    expect((await state.sessions.session(theirs))?.session.version).toBe(2);
    expect(await rowsIn('audit')).toBe(2 * (fullChange(mine).audit?.length ?? 0) + 2);
    expect(await state.audit.firstBreak()).toBeUndefined();
  });

  it('is refused when the version is too new, or the session is not there any more', async () => {
    const id = randomUUID();
    expect(await state.sessions.commit({ session: sessionRecord(id, { version: 2 }) })).toBe('conflict');
    await state.sessions.commit({ session: sessionRecord(id) });
    expect(await state.sessions.commit({ session: sessionRecord(id, { version: 3 }) })).toBe('conflict');
    expect(await state.sessions.commit({ session: sessionRecord(id) })).toBe('conflict');
    expect(await state.sessions.commit({ session: sessionRecord(id, { version: 2 }) })).toBe('committed');
  });

  it('updates an action and a message where they stand instead of adding them again', async () => {
    const id = randomUUID();
    await state.sessions.commit({
      session: sessionRecord(id),
      actions: [actionRecord('one', id), actionRecord('two', id, { step: 2 })],
      messages: [messageRecord(1, 'before')],
    });
    const running = actionRecord('one', id, { status: 'running' });
    await state.sessions.commit({
      session: sessionRecord(id, { version: 2 }),
      actions: [running],
      messages: [messageRecord(1, 'after')],
    });
    const stored = await state.sessions.session(id);
    expect(stored?.actions).toEqual([running, actionRecord('two', id, { step: 2 })]);
    expect(stored?.messages).toEqual([messageRecord(1, 'after')]);
  });

  it('keeps the order of what an older program wrote', async () => {
    await state.database.close();
    directory.remove();
    directory = scratchDirectory();
    const file = join(directory.path, 'state.db');
    const older = await Database.open(file, STATE_MIGRATIONS.slice(0, 6), new Date());
    const id = randomUUID();
    await older.database.write(async (writer) => {
      await writer.run('INSERT INTO session (id, station, version, touched, body) VALUES (?, ?, 1, 1, ?)', [
        id,
        'voice',
        JSON.stringify(sessionRecord(id)),
      ]);
      for (const [step, name] of ['second of the alphabet', 'first'].entries())
        await writer.run('INSERT INTO action (id, session_id, status, body) VALUES (?, ?, ?, ?)', [
          name,
          id,
          'pending',
          JSON.stringify(actionRecord(name, id, { step: step + 1 })),
        ]);
      for (const seq of [2, 1])
        await writer.run('INSERT INTO session_message (session_id, seq, body) VALUES (?, ?, ?)', [
          id,
          seq,
          JSON.stringify(messageRecord(seq, `${seq}`)),
        ]);
    });
    await older.database.close();
    state = await openState(directory.path);
    const stored = await state.sessions.session(id);
    expect(stored?.actions.map((action) => action.id)).toEqual(['second of the alphabet', 'first']);
    expect(stored?.messages.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(await state.sessions.commit({ session: sessionRecord(id, { version: 2 }) })).toBe('committed');
  });

  it('lets versions that follow each other wait together', async () => {
    const id = randomUUID();
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map((version) => state.sessions.commit({ session: sessionRecord(id, { version }) })),
    );
    expect(outcomes).toEqual(Array(4).fill('committed'));
    expect((await state.sessions.session(id))?.session.version).toBe(4);
  });

  it('shares one transaction with others that wait', async () => {
    const before = state.database.health().figures?.['transactions'] ?? 0;
    const ids = Array.from({ length: 200 }, () => randomUUID());
    await Promise.all(ids.map((id) => state.sessions.commit(fullChange(id))));
    expect((state.database.health().figures?.['transactions'] ?? 0) - before).toBe(1);
    expect(await rowsIn('action')).toBe(400);
    expect(await state.audit.firstBreak()).toBeUndefined();
  });

  it('is written without one that the database refuses', async () => {
    const [good, bad] = [randomUUID(), randomUUID()];
    const outcomes = await Promise.allSettled([
      state.sessions.commit({ session: sessionRecord(good) }),
      state.sessions.commit({
        session: sessionRecord(bad),
        messages: [{ ...messageRecord(1, 'x'), seq: 1.5 }],
      }),
    ]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: 'committed' },
      { status: 'rejected', reason: { code: 'STATE_DB_FAILED' } },
    ]);
    expect(await state.sessions.session(bad)).toBeUndefined();
  });

  it('cannot take over an action of another session', async () => {
    const id = randomUUID();
    expect(() =>
      state.sessions.commit({ session: sessionRecord(id), actions: [actionRecord('a', 'another')] }),
    ).toThrow(/of session another/);
  });

  it('is refused when 2000 wait, and everything that waited is written', async () => {
    const waiting = Array.from({ length: 2000 }, () =>
      state.sessions.commit({ session: sessionRecord(randomUUID()) }),
    );
    await expect(state.sessions.commit({ session: sessionRecord(randomUUID()) })).rejects.toMatchObject({
      code: 'STATE_DB_BUSY',
      retry: 'safe',
    });
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['committed']));
  });

  it('is through before the audit that waited before it', async () => {
    let audited = 0;
    const entries = Array.from({ length: 2000 }, (_, n) =>
      state.audit.append('turn.started', { n }).then(() => {
        audited += 1;
      }),
    );
    await entries[0];
    const auditedBefore = audited;
    await state.sessions.commit({ session: sessionRecord(randomUUID()) });
    expect(audited - auditedBefore).toBeLessThanOrEqual(2 * 256);
    await Promise.all(entries);
    expect(await state.audit.firstBreak()).toBeUndefined();
  });

  it('rejects when the database is closed', async () => {
    await state.database.close();
    await expect(state.sessions.commit({ session: sessionRecord(randomUUID()) })).rejects.toMatchObject({
      code: 'STATE_DB_FAILED',
    });
    state = await openState(directory.path);
  });
});

describe('an answered turn', () => {
  it('is known again after a restart, so that its retransmission does nothing', async () => {
    const id = randomUUID();
    await state.sessions.commit({
      session: sessionRecord(id),
      turn: { turnId: 'tr_8a3f2', report: { answer: '好' } },
    });
    await restart();
    expect(await state.sessions.answeredTurn('tr_8a3f2')).toEqual({ answer: '好' });
    expect(await state.sessions.answeredTurn('tr_8a3f3')).toBeUndefined();
  });
});

describe('what is kept of sessions', () => {
  it('lists the one used last first, and as live only those that are not archived', async () => {
    const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
    for (const id of [a, b, c]) await state.sessions.commit({ session: sessionRecord(id) });
    await state.sessions.commit({ session: sessionRecord(a, { version: 2 }) });
    await state.sessions.commit({
      session: sessionRecord(b, { version: 2, archivedAt: '2026-01-03T00:00:00.000Z' }),
    });
    expect((await state.sessions.list(10)).map(({ id }) => id)).toEqual([b, a, c]);
    expect((await state.sessions.live(10)).map(({ session }) => session.id)).toEqual([a, c]);
    expect((await state.sessions.live(1)).map(({ session }) => session.id)).toEqual([a]);
  });

  it('reports a damaged row and loads the rest', async () => {
    const [good, bad] = [randomUUID(), randomUUID()];
    await state.sessions.commit(fullChange(good));
    await state.sessions.commit(fullChange(bad));
    await state.database.write((writer) =>
      writer.run("UPDATE session SET body = 'torn {' WHERE id = ?", [bad]),
    );
    await state.database.write((writer) =>
      writer.run(`UPDATE action SET body = json_set(body, '$.status', 'perhaps') WHERE id = ?`, [
        `${good}-b`,
      ]),
    );
    const live = await state.sessions.live(10);
    expect(live.map(({ session, actions, unreadable }) => [session.id, actions.length, unreadable])).toEqual([
      [good, 1, 1],
    ]);
    expect(await state.sessions.session(bad)).toBeUndefined();
    expect((await state.sessions.list(10)).map(({ id }) => id)).toEqual([good]);
  });

  it('removes those archived long ago with all that is theirs, and nothing else', async () => {
    const ids = Array.from({ length: 250 }, () => randomUUID());
    const kept = randomUUID();
    await Promise.all([...ids, kept].map((id) => state.sessions.commit(fullChange(id))));
    const archivedAt = '2026-01-03T00:00:00.000Z';
    await Promise.all(
      ids.map((id) => state.sessions.commit({ session: sessionRecord(id, { version: 2, archivedAt }) })),
    );
    expect(await state.sessions.prune(archivedAt)).toBe(0);
    expect(await state.sessions.prune('2026-01-03T00:00:00.001Z')).toBe(250);
    expect((await state.sessions.list(1000)).map(({ id }) => id)).toEqual([kept]);
    expect([await rowsIn('action'), await rowsIn('session_message'), await rowsIn('turn')]).toEqual([
      2, 2, 1,
    ]);
    // What has to be delivered and what an auditor reads stay.
    expect([await rowsIn('outbox'), await rowsIn('audit')]).toEqual([251, 502]);
    expect(await state.sessions.answeredTurn(`tr-${kept}`)).toBeDefined();
  });
});
