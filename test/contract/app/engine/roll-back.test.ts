import { cpSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ActionExecutor } from '../../../../src/app/engine/action-executor.ts';
import { ConversationLog } from '../../../../src/app/engine/conversation-log.ts';
import type { LiveSession } from '../../../../src/app/engine/live-session.ts';
import { RollBack } from '../../../../src/app/engine/roll-back.ts';
import { SessionEffects } from '../../../../src/app/engine/session-effects.ts';
import { SessionHouse } from '../../../../src/app/engine/session-house.ts';
import type { Action } from '../../../../src/domain/session/action.ts';
import { actionOf } from '../../../../src/domain/session/ledger.ts';
import { appendPlan } from '../../../../src/domain/session/ledger-append.ts';
import { silentLogger } from '../../../../src/runtime/logger.ts';
import { HandTime, settled } from '../../../support/hand-time.ts';
import { type Script, ScriptedTools } from '../../../support/scripted-runner.ts';
import { PLANNED, transcript, UNDERSTOOD } from '../../../support/session-events.ts';
import { shippedPhrases } from '../../../support/shipped-phrases.ts';
import { openState, scratchDirectory } from '../../../support/state-site.ts';
import { toolCall } from '../../../support/tool-contract.ts';

const TURN = 'tr_0123456789ab';
const NEXT_TURN = 'tr_0123456789cd';
const step = (tool: string) => ({ tool, args: {}, needs: [], fromSteps: {}, fromLedger: {} });

let directory: ReturnType<typeof scratchDirectory>;
let state: Awaited<ReturnType<typeof openState>>;
let houses: SessionHouse[];
beforeEach(async () => {
  houses = [];
  directory = scratchDirectory();
  state = await openState(directory.path);
});
afterEach(async () => {
  for (const house of houses) house.close();
  await state.database.close();
  directory.remove();
});

/** A house over a state, with tools that do what a test says; those of `undoes` pass the gate by themselves. */
function scene(
  scripts: Readonly<Record<string, Script>>,
  {
    unrepeatable,
    undoes,
    sessions = state.sessions,
  }: {
    readonly unrepeatable: readonly string[];
    readonly undoes: readonly string[];
    readonly sessions?: typeof state.sessions;
  },
) {
  const time = new HandTime();
  const said: string[] = [];
  const tools = new ScriptedTools(scripts, unrepeatable);
  const parts = {
    store: sessions,
    clocks: time,
    scheduler: time,
    logger: silentLogger(),
    phrases: shippedPhrases(),
    tools,
    tell: async (_station: string, line: string) => {
      said.push(line);
      return { heard: true as const };
    },
    language: 'en' as const,
  };
  const log = new ConversationLog({ ...parts, names: [] });
  const executor = new ActionExecutor({ ...parts, log });
  const rollBack = new RollBack({
    ...parts,
    executor,
    runner: { decide: ({ tool }) => (undoes.includes(tool) ? { kind: 'act' } : undefined) },
  });
  const done: Promise<void>[] = [];
  const effects = new SessionEffects({
    ...parts,
    log,
    tell: () => undefined,
    rollBack: (session, turnId) => void done.push(rollBack.carryOut(session, turnId)),
    ears: () => undefined,
    escalate: async () => undefined,
  });
  const house = new SessionHouse({
    ...parts,
    audit: state.audit,
    onEffect: (session, effect) => effects.handle(session, effect),
  });
  houses.push(house);
  return { time, said, tools, executor, rollBack, house, done };
}

/** Steps of a turn that is carried out, each done, with what undoes it. */
function carriedOut(
  session: LiveSession,
  steps: readonly (readonly [string, Action['compensation'] & object])[],
): readonly string[] {
  for (const event of [transcript(TURN), UNDERSTOOD, PLANNED]) session.apply(event);
  const ids = planned(
    session,
    TURN,
    steps.map(([tool]) => tool),
  );
  for (const [index, [, compensation]] of steps.entries()) {
    session.move(ids[index] ?? '', 'running');
    session.move(ids[index] ?? '', 'done', { result: {}, compensation });
  }
  return ids;
}

function planned(session: LiveSession, turnId: string, tools: readonly string[]): readonly string[] {
  const plan = { source: 'rule' as const, continues: true, steps: tools.map(step) };
  const appended = appendPlan(session.ledger, plan, { turnId, caller: toolCall('x').caller });
  if (!appended.ok) throw new Error('the plan does not fit');
  session.take(appended);
  return appended.added.map(({ id }) => id);
}

it('a turn that hangs is taken back: what the gate lets be undone is, the rest is named', async () => {
  const { time, said, tools, house, done } = scene(
    { 'export-report': async () => ({}), 'write-value': async () => ({}), 'remove-report': async () => ({}) },
    { unrepeatable: ['export-report', 'write-value', 'remove-report'], undoes: ['remove-report'] },
  );
  const session = house.of('line-1');
  const [exported, written] = carriedOut(session, [
    ['export-report', { tool: 'remove-report', args: { file: 'a.xlsx' } }],
    ['write-value', { tool: 'write-value', args: { value: 1 } }],
  ]);

  time.pass(60_000);
  await Promise.all(done);

  expect(done).toHaveLength(1);
  expect(tools.calls.map(({ tool, args }) => ({ tool, args }))).toEqual([
    { tool: 'remove-report', args: { file: 'a.xlsx' } },
  ]);
  expect(said).toEqual(['Undone: step one, export-report.', 'Already done: step two, write-value.']);
  expect(actionOf(session.ledger, exported ?? '')).toMatchObject({ status: 'compensated' });
  expect(actionOf(session.ledger, written ?? '')).toMatchObject({ status: 'done' });
});

/** A tool that is undone step by step, each when it is let go on. */
function undoneByHand() {
  const order: string[] = [];
  const goOn: (() => void)[] = [];
  const made = scene(
    {
      make: async () => ({}),
      look: async () => ({}),
      unmake: async ({ args }, signal) => {
        order.push(`${String(args['part'])} begins`);
        await new Promise<void>((resolve) => goOn.push(resolve));
        order.push(`${String(args['part'])} ${signal.aborted ? 'is told to end' : 'ends'}`);
        return {};
      },
    },
    { unrepeatable: ['make', 'unmake'], undoes: ['unmake'] },
  );
  return { ...made, order, goOn };
}

const make = (part: string) => ['make', { tool: 'unmake', args: { part } }] as const;

it('is undone one step at a time, the newest first, and no other turn of the session runs any of it', async () => {
  const { time, said, house, done, executor, order, goOn } = undoneByHand();
  const session = house.of('line-1');
  carriedOut(session, ['a', 'b', 'c'].map(make));
  time.pass(60_000);
  await vi.waitFor(() => expect(order).toEqual(['c begins']));

  // Another turn of the session, which carries out all that is pending in the ledger.
  for (const event of [transcript(NEXT_TURN), UNDERSTOOD, PLANNED]) session.apply(event);
  const [look] = planned(session, NEXT_TURN, ['look']);
  const { ended } = await executor.advance(session, () => undefined, 4);
  expect(ended.map(({ action }) => action.id)).toEqual([look]);
  session.apply({ type: 'cancel' });
  expect(order).toEqual(['c begins']);

  for (const part of ['b', 'a']) {
    goOn.pop()?.();
    await vi.waitFor(() => expect(order.at(-1)).toBe(`${part} begins`));
  }
  goOn.pop()?.();
  await Promise.all(done);
  expect(order).toEqual(['c begins', 'c ends', 'b begins', 'b ends', 'a begins', 'a ends']);
  expect(said).toEqual(['one', 'two', 'three'].map((number) => `Undone: step ${number}, make.`));
});

it('two at once in one session come one after the other, and what one undoes is left to it by another', async () => {
  const { order, goOn, house, rollBack } = undoneByHand();
  const session = house.of('line-1');
  const [a, b] = carriedOut(session, [make('a'), make('b')]).flatMap((id) => session.action(id) ?? []);
  if (a === undefined || b === undefined) throw new Error('the turn has two steps');
  const first = rollBack.takeBack(session, TURN, [a], 'en');
  const second = rollBack.takeBack(session, NEXT_TURN, [b], 'en');
  const again = rollBack.takeBack(session, NEXT_TURN, [a], 'en');

  await vi.waitFor(() => expect(order).toEqual(['a begins']));
  await session.kept;
  await settled();
  expect(order).toEqual(['a begins']);
  goOn.pop()?.();
  expect(await first).toEqual(['Undone: step one, make.']);
  await vi.waitFor(() => expect(order).toEqual(['a begins', 'a ends', 'b begins']));
  goOn.pop()?.();
  expect(await second).toEqual(['Undone: step two, make.']);
  expect(await again).toEqual([]);
});

it('goes on to its end when its turn is cancelled meanwhile', async () => {
  const { order, goOn, house, rollBack } = undoneByHand();
  const session = house.of('line-1');
  const ids = carriedOut(session, [make('a'), make('b')]);
  const [waiting = ''] = planned(session, TURN, ['make']);
  const undone = rollBack.takeBack(
    session,
    TURN,
    ids.flatMap((id) => session.action(id) ?? []),
    'en',
  );
  await vi.waitFor(() => expect(order).toEqual(['b begins']));

  expect(session.apply({ type: 'cancel' })).toBe(true);
  expect(session.action(waiting)).toMatchObject({ status: 'cancelled' });
  goOn.pop()?.();
  await vi.waitFor(() => expect(order).toEqual(['b begins', 'b ends', 'a begins']));
  goOn.pop()?.();
  expect(await undone).toEqual(['Undone: step one, make.', 'Undone: step two, make.']);
});

it('is named after a kill between two undos; nothing of it runs by itself', async () => {
  const cut = scratchDirectory();
  const never = new Promise<never>(() => undefined);
  const { time, house, tools } = scene(
    {
      make: async () => ({}),
      'unmake-last': async () => ({}),
      unmake: async () => {
        // What is on disk now is what a power cut leaves.
        cpSync(directory.path, cut.path, { recursive: true });
        return await never;
      },
    },
    { unrepeatable: ['make', 'unmake-last'], undoes: ['unmake', 'unmake-last'] },
  );
  carriedOut(house.of('line-1'), [
    ['make', { tool: 'unmake', args: {} }],
    ['make', { tool: 'unmake', args: {} }],
    ['make', { tool: 'unmake-last', args: {} }],
  ]);
  time.pass(60_000);
  await vi.waitFor(() => expect(tools.calls).toHaveLength(2));

  const left = await openState(cut.path);
  const after = scene(
    { make: async () => ({}), unmake: async () => ({}), 'unmake-last': async () => ({}) },
    { unrepeatable: ['make', 'unmake-last'], undoes: ['unmake', 'unmake-last'], sessions: left.sessions },
  );
  await after.house.restore();
  const session = after.house.of('line-1');
  after.rollBack.offer(session);
  expect(after.said).toEqual([
    'A restart came before this was undone: step two, make, step one, make. Say continue to be asked about it.',
  ]);
  await after.executor.advance(session, () => undefined, 4);
  await settled();
  expect(after.tools.calls).toEqual([]);
  expect(session.actions.map(({ step: number, tool, status }) => `${number} ${tool} ${status}`)).toEqual([
    '1 make done',
    '2 make done',
    '3 make compensated',
    '4 unmake-last done',
    '5 unmake pending',
    '6 unmake pending',
  ]);
  await left.database.close();
  cut.remove();
});

it('is told also when the disk takes nothing any more after a step was undone, and nothing more is undone then', async () => {
  const { time, said, tools, house, done } = scene(
    {
      make: async () => ({}),
      unmake: async () => {
        await state.database.write((writer) => writer.all(z.unknown(), 'PRAGMA query_only = ON'));
        return {};
      },
    },
    { unrepeatable: ['make', 'unmake'], undoes: ['unmake'] },
  );
  carriedOut(
    house.of('line-1'),
    ['a', 'b'].map((part) => ['make', { tool: 'unmake', args: { part } }] as const),
  );
  time.pass(60_000);
  await Promise.all(done);
  expect(tools.calls.map(({ args }) => args)).toEqual([{ part: 'b' }]);
  expect(said).toEqual(['Undone: step two, make.', 'Already done: step one, make.']);
});
