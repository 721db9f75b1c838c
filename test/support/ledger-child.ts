/**
 * A program that carries out small plans in several sessions at once, with `state.db` in DIRECTORY and a file of effects
 * beside it that stands for the world: what is in it cannot be undone, and twice is once too often. Begins where the one
 * before it was killed, says on stdout what was committed, and lives until it is killed.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionChange } from '../../src/app/ports/session-store.ts';
import type { Action } from '../../src/domain/session/action.ts';
import type { SessionRecord } from '../../src/domain/session/session-record.ts';
import { actionRecord, messageRecord, sessionRecord } from './session-records.ts';
import { openState } from './state-site.ts';

/** Actions of a plan. */
const STEPS = 3;
/** Plans that are carried out at once. */
const AT_ONCE = 4;

const [directory = ''] = process.argv.slice(2);
const effects = join(directory, 'effects');
const { sessions } = await openState(directory);

async function commit(change: SessionChange): Promise<void> {
  const { id, version } = change.session;
  if ((await sessions.commit(change)) !== 'committed') throw new Error(`${id} ${version} met a conflict`);
  writeSync(1, `committed ${id} ${version}\n`);
}

function isInTheWorld(key: string): boolean {
  return existsSync(effects) && readFileSync(effects, 'utf8').split('\n').includes(key);
}

/** Carries out what a session's ledger still holds; `planned` is nothing for a session that is not there yet. */
async function carryOut(before: SessionRecord | undefined, planned: readonly Action[]): Promise<void> {
  const id = before?.id ?? randomUUID();
  let session = before;
  const next = (done: number): SessionRecord => {
    session = sessionRecord(id, { version: (session?.version ?? 0) + 1, meta: { done } });
    return session;
  };
  let actions = planned;
  if (actions.length === 0) {
    actions = Array.from({ length: STEPS }, (_, index) =>
      actionRecord(`${id}.${index + 1}`, id, { step: index + 1, idempotencyKey: `${id}.${index + 1}` }),
    );
    await commit({
      session: next(0),
      actions,
      audit: [{ kind: 'action.planned', detail: { actions: STEPS } }],
    });
  }
  for (const action of actions) {
    if (action.status === 'done') continue;
    const done = action.step;
    if (action.status === 'pending') {
      const running = { ...action, status: 'running' } as const;
      await commit({
        session: next(done - 1),
        actions: [running],
        audit: [{ kind: 'action.begun', detail: { id: action.id } }],
      });
    }
    // One that was begun before the kill is looked for first: it is never simply done again.
    if (action.status === 'pending' || !isInTheWorld(action.idempotencyKey))
      appendFileSync(effects, `${action.idempotencyKey}\n`);
    await commit({
      session: next(done),
      actions: [{ ...action, status: 'done', result: { done } }],
      messages: [messageRecord(done, `步骤 ${done}`)],
      outbox: [{ id: action.id, channel: 'memory', body: { done } }],
      memory: [{ action: action.id }],
      audit: [{ kind: 'action.ended', detail: { id: action.id } }],
      ...(done === STEPS ? { turn: { turnId: `tr-${id}`, report: { done } } } : {}),
    });
  }
}

for (const { session, actions } of await sessions.live(10_000)) {
  if (session.meta['done'] !== STEPS) await carryOut(session, actions);
}
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (;;) await carryOut(undefined, []);
  }),
);
