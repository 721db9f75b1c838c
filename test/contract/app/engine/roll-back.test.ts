import { afterEach, beforeEach, expect, it } from 'vitest';
import { ActionExecutor } from '../../../../src/app/engine/action-executor.ts';
import { ConversationLog } from '../../../../src/app/engine/conversation-log.ts';
import { RollBack } from '../../../../src/app/engine/roll-back.ts';
import { SessionHouse } from '../../../../src/app/engine/session-house.ts';

import { actionOf } from '../../../../src/domain/session/ledger.ts';
import { appendPlan } from '../../../../src/domain/session/ledger-append.ts';
import { silentLogger } from '../../../../src/runtime/logger.ts';
import { HandTime } from '../../../support/hand-time.ts';
import { ScriptedTools } from '../../../support/scripted-runner.ts';
import { PLANNED, transcript, UNDERSTOOD } from '../../../support/session-events.ts';
import { shippedPhrases } from '../../../support/shipped-phrases.ts';
import { openState, scratchDirectory } from '../../../support/state-site.ts';
import { toolCall } from '../../../support/tool-contract.ts';

const TURN = 'tr_0123456789ab';
const step = (tool: string) => ({ tool, args: {}, needs: [], fromSteps: {}, fromLedger: {} });

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

it('a turn that hangs is taken back: what the gate lets be undone is, the rest is named', async () => {
  const time = new HandTime();
  const said: string[] = [];
  const tools = new ScriptedTools(
    { 'export-report': async () => ({}), 'write-value': async () => ({}), 'remove-report': async () => ({}) },
    ['export-report', 'write-value', 'remove-report'],
  );
  const parts = {
    store: state.sessions,
    clocks: time,
    scheduler: time,
    logger: silentLogger(),
    phrases: shippedPhrases(),
    tools,
    tell: (_station: string, line: string) => void said.push(line),
    language: 'en' as const,
  };
  const rollBack = new RollBack({
    ...parts,
    executor: new ActionExecutor({ ...parts, log: new ConversationLog({ ...parts, names: [] }) }),
    runner: {
      decide: (action) => (action.tool === 'remove-report' ? { kind: 'act' } : undefined),
    },
  });
  const done: Promise<void>[] = [];
  const house = new SessionHouse({
    ...parts,
    audit: state.audit,
    onEffect: (session, effect) => {
      if (effect.kind === 'roll_back') done.push(rollBack.carryOut(session, effect.turnId));
    },
  });
  const session = house.of('line-1');
  for (const event of [transcript(TURN), UNDERSTOOD, PLANNED]) session.apply(event);
  const plan = {
    source: 'rule' as const,
    continues: false,
    steps: [step('export-report'), step('write-value')],
  };
  const appended = appendPlan(session.ledger, plan, { turnId: TURN, caller: toolCall('x').caller });
  if (!appended.ok) throw new Error('the plan does not fit');
  session.take(appended);
  const [exported, written] = appended.added.map(({ id }) => id);
  for (const [id, compensation] of [
    [exported, { tool: 'remove-report', args: { file: 'a.xlsx' } }],
    [written, { tool: 'write-value', args: { value: 1 } }],
  ] as const) {
    session.move(id ?? '', 'running');
    session.move(id ?? '', 'done', { result: {}, compensation });
  }

  time.pass(60_000);
  await Promise.all(done);

  expect(done).toHaveLength(1);
  expect(tools.calls.map(({ tool, args }) => ({ tool, args }))).toEqual([
    { tool: 'remove-report', args: { file: 'a.xlsx' } },
  ]);
  expect(said).toEqual(['Undone: step one, export-report.', 'Already done: step two, write-value.']);
  expect(actionOf(session.ledger, exported ?? '')).toMatchObject({ status: 'compensated' });
  expect(actionOf(session.ledger, written ?? '')).toMatchObject({ status: 'done' });
  house.close();
});
