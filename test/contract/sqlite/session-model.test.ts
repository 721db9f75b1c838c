import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SessionChange } from '../../../src/app/ports/session-store.ts';
import type { Action } from '../../../src/domain/session/action.ts';
import { ACTION_STATUSES } from '../../../src/domain/session/action.ts';
import type { SessionMessage, SessionRecord } from '../../../src/domain/session/session-record.ts';
import { actionRecord, messageRecord, sessionRecord } from '../../support/session-records.ts';
import { openState, scratchDirectory } from '../../support/state-site.ts';

/** What a store is: the newest version of each session, its ledger in the order of its making, its messages by number. */
interface Kept {
  readonly session: SessionRecord;
  readonly actions: Map<string, Action>;
  readonly messages: Map<number, SessionMessage>;
}

const IDS = ['s0', 's1', 's2'];

/** A step of a writer, who knows the newest version, or one before, or one that is not there yet. */
const step = fc.record({
  who: fc.constantFrom(...IDS),
  behind: fc.constantFrom(0, 0, 0, 1, -1),
  summary: fc.string({ unit: 'grapheme' }),
  actions: fc.array(
    fc.record({
      n: fc.nat(4),
      status: fc.constantFrom(...ACTION_STATUSES),
      value: fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('-0')),
    }),
    { maxLength: 3 },
  ),
  messages: fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.string({ unit: 'binary' })), {
    maxLength: 2,
  }),
  sent: fc.boolean(),
  archived: fc.boolean(),
});
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'prune' as const }) },
);

const ARCHIVED_AT = '2026-01-03T00:00:00.000Z';

it('keeps what a simple model keeps, whatever is written in whatever order, over restarts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (commands) => {
      const directory = scratchDirectory();
      let state = await openState(directory.path);
      const model = new Map<string, Kept>();
      const sent: string[] = [];
      const audited: string[] = [];
      let written = 0;
      try {
        for (const each of commands) {
          if (each.kind === 'restart') {
            await state.database.close();
            state = await openState(directory.path);
          } else if (each.kind === 'prune') {
            await state.sessions.prune('9999-01-01T00:00:00.000Z');
            for (const [id, { session }] of model) if (session.archivedAt !== undefined) model.delete(id);
          } else {
            const changes = each.steps.map((given) => {
              written += 1;
              const version = (model.get(given.who)?.session.version ?? 0) + 1 - given.behind;
              return changeOf(given, Math.max(1, version), String(written));
            });
            const outcomes = await Promise.all(changes.map((change) => state.sessions.commit(change)));
            const expected = changes.map((change) => {
              if (!apply(model, change)) return 'conflict';
              sent.push(...(change.outbox ?? []).map(({ id }) => id));
              audited.push(...(change.audit ?? []).map(({ detail }) => String(detail['n'])));
              return 'committed';
            });
            expect(outcomes).toEqual(expected);
          }
        }
        for (const id of IDS) {
          const kept = model.get(id);
          expect(await state.sessions.session(id)).toEqual(
            kept === undefined
              ? undefined
              : {
                  session: kept.session,
                  actions: [...kept.actions.values()],
                  messages: [...kept.messages.values()].toSorted((one, other) => one.seq - other.seq),
                  unreadable: 0,
                },
          );
        }
        expect((await state.outbox.waiting('mail', 1000)).map(({ id }) => id)).toEqual(sent);
        const entries = await state.audit.entries('session.change', 1000);
        expect(entries.map(({ detail }) => Reflect.get(Object(detail), 'n'))).toEqual(audited);
        expect(await state.audit.firstBreak()).toBeUndefined();
      } finally {
        await state.database.close();
        directory.remove();
      }
    }),
    { numRuns: 60 },
  );
});

function changeOf(
  given: typeof step extends fc.Arbitrary<infer T> ? T : never,
  version: number,
  n: string,
): SessionChange {
  const archivedAt = given.archived ? ARCHIVED_AT : undefined;
  return {
    session: sessionRecord(given.who, { version, summary: given.summary, archivedAt }),
    actions: given.actions.map(({ n: number, status, value }) =>
      actionRecord(`${given.who}-${number}`, given.who, {
        status,
        result: { value: JSON.parse(JSON.stringify(value)) },
      }),
    ),
    messages: given.messages.map(([seq, content]) => messageRecord(seq, content)),
    outbox: given.sent ? [{ id: n, channel: 'mail', body: { n } }] : [],
    audit: [{ kind: 'session.change', detail: { n } }],
  };
}

function apply(model: Map<string, Kept>, { session, actions = [], messages = [] }: SessionChange): boolean {
  const kept = model.get(session.id);
  if (session.version !== (kept?.session.version ?? 0) + 1) return false;
  const next: Kept = {
    session,
    actions: new Map(kept?.actions),
    messages: new Map(kept?.messages),
  };
  for (const action of actions) next.actions.set(action.id, action);
  for (const message of messages) next.messages.set(message.seq, message);
  model.set(session.id, next);
  return true;
}
