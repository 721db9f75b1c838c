import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteWorkflowStore } from '../../../src/adapters/sqlite/sqlite-workflow-store.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ToolErrorCode } from '../../../src/domain/tool/tool-call.ts';
import type { WorkflowDefinition } from '../../../src/domain/workflow/workflow-definition.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import type { WorkflowFunction } from '../../../src/tooling/workflow/workflow-run.ts';
import { WorkflowRunner } from '../../../src/tooling/workflow/workflow-runner.ts';
import { eventually } from '../../support/eventually.ts';
import { HandTime } from '../../support/hand-time.ts';
import { type Script, ScriptedTools } from '../../support/scripted-runner.ts';
import { openState, scratchDirectory } from '../../support/state-site.ts';
import { LINE_ANOMALY, workflowOf } from '../../support/workflows.ts';

const CALLER = {
  station: 'line-1',
  sessionId: 'session-1',
  turnId: 'turn-1',
  role: 'operator',
  person: { id: 'p7', name: '王' },
} as const;
const INPUT = { machine: 'A12' };

const propose: WorkflowFunction = ({ log, cases }) => ({
  text: `${JSON.stringify(log)} ${JSON.stringify(cases)}`,
});

let directory: ReturnType<typeof scratchDirectory>;
let state: Awaited<ReturnType<typeof openState>>;
let store: SqliteWorkflowStore;
let time: HandTime;
let heard: string[];
let runners: WorkflowRunner[];

beforeEach(async () => {
  directory = scratchDirectory();
  time = new HandTime();
  heard = [];
  runners = [];
  await open();
});
afterEach(async () => {
  for (const runner of runners) await runner.stop();
  await state.database.close();
  directory.remove();
});

async function open(): Promise<void> {
  state = await openState(directory.path);
  store = new SqliteWorkflowStore({ database: state.database, logger: silentLogger() });
}

/** Ends the process in all but name: what runs is forgotten, the database is opened again. */
async function restart(): Promise<void> {
  for (const runner of runners) await runner.stop();
  runners = [];
  await state.database.close();
  await open();
}

function runnerOf(
  tools: ScriptedTools,
  definition: WorkflowDefinition = LINE_ANOMALY,
  functions: Record<string, WorkflowFunction> = { propose },
): WorkflowRunner {
  const runner = new WorkflowRunner({
    definitions: [definition],
    functions: new Map(Object.entries(functions)),
    tools,
    store,
    audit: state.audit,
    human: {
      busy: ({ caller }) => heard.push(`busy at ${caller.station}`),
      escalate: (_, reason) => heard.push(`escalated: ${reason}`),
    },
    clocks: time,
    scheduler: time,
    logger: silentLogger(),
  });
  runners.push(runner);
  return runner;
}

const gives =
  (result: JsonObject): Script =>
  async () =>
    result;
const fails =
  (code: ToolErrorCode): Script =>
  async () =>
    code;
const never: Script = () => new Promise(() => undefined);

/** A result that comes when the test says so. */
function later() {
  let settle: (result: JsonObject | ToolErrorCode) => void = () => undefined;
  const result = new Promise<JsonObject | ToolErrorCode>((resolve) => {
    settle = resolve;
  });
  return { script: () => result, settle };
}

const called = (tools: ScriptedTools, tool: string) =>
  eventually(`${tool} is called`, () => tools.calls.find((call) => call.tool === tool));

describe('a workflow', () => {
  it('runs to COMPLETED, keeps the result of each step, and audits each stage', async () => {
    const tools = new ScriptedTools({
      'read-plc-log': gives({ records: 3 }),
      'similar-cases': gives({ found: 1 }),
      'create-work-order': gives({ number: 7 }),
    });
    const { state: end } = await runnerOf(tools).run('line-anomaly', INPUT, CALLER, 'w1');
    expect(end.stage).toBe('COMPLETED');
    expect(end.steps).toMatchObject({ log: { status: 'success' }, order: { result: { number: 7 } } });
    const stages = await eventually('its end is in the audit', async () => {
      const entries = await state.audit.entries('workflow.stage', 10);
      return entries.length === 4 && entries;
    });
    expect(stages.map(({ detail }) => Reflect.get(Object(detail), 'stage'))).toEqual([
      'pre_check',
      'action',
      'post_update',
      'COMPLETED',
    ]);
    expect(heard).toEqual([]);
    expect(time.timers).toBe(0);
  });

  it('calls its tools as a workflow, for its caller, with a key of its own for each step, and never with consent', async () => {
    const tools = new ScriptedTools({
      'read-plc-log': gives({}),
      'similar-cases': gives({}),
      'create-work-order': gives({}),
    });
    await runnerOf(tools).run('line-anomaly', INPUT, CALLER, 'w1');
    for (const call of tools.calls)
      expect(call).toMatchObject({ caller: { ...CALLER, origin: 'workflow' }, consent: undefined });
    expect(tools.calls.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'w1.log',
      'w1.cases',
      'w1.order',
    ]);
    expect(tools.calls[0]?.args).toEqual({ machine: 'A12' });
  });

  it('goes on with the first needed result and cancels nothing; the late one is in the end as well', async () => {
    const cases = later();
    let isAborted = false;
    const tools = new ScriptedTools({
      'read-plc-log': gives({ records: 3 }),
      'similar-cases': (_, signal) => {
        signal.addEventListener('abort', () => {
          isAborted = true;
        });
        return cases.script();
      },
      'create-work-order': gives({}),
    });
    const running = runnerOf(tools).run('line-anomaly', INPUT, CALLER);
    expect((await called(tools, 'create-work-order')).args).toEqual({ text: '{"records":3} null' });
    expect(isAborted).toBe(false);
    cases.settle({ found: 2 });
    expect((await running).state).toMatchObject({
      stage: 'COMPLETED',
      steps: { cases: { status: 'success', result: { found: 2 } } },
    });
  });

  it('waits for the result of an asynchronous function instead of taking its promise for one', async () => {
    const definition = workflowOf({ action: [{ id: 'think', function: 'think' }] });
    const think = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('no idea');
    };
    const { state: end } = await runnerOf(new ScriptedTools({}), definition, { think }).run(
      'line-anomaly',
      {},
      CALLER,
    );
    expect(end).toMatchObject({
      stage: 'FAILED',
      steps: { think: { status: 'failed', error: { message: 'no idea' } } },
    });
  });

  it('fails and calls a person when both parallel calls fail', async () => {
    const tools = new ScriptedTools({
      'read-plc-log': fails('TOOL_FAILED'),
      'similar-cases': fails('TOOL_UNAVAILABLE'),
    });
    const { state: end } = await runnerOf(tools).run('line-anomaly', INPUT, CALLER);
    expect(end).toMatchObject({ stage: 'FAILED', failure: 'failed' });
    expect(heard).toEqual(['escalated: line-anomaly failed in pre_check: failed']);
  });

  it('moves from a step that never answers: after 10 s it has FAILED, and "busy" is said', async () => {
    const definition = workflowOf({ action: [{ id: 'read', tool: 'read-value' }] });
    let isAborted = false;
    const tools = new ScriptedTools({
      'read-value': (call, signal) => {
        signal.addEventListener('abort', () => {
          isAborted = true;
        });
        return never(call, signal);
      },
    });
    const running = runnerOf(tools, definition).run('line-anomaly', {}, CALLER);
    await called(tools, 'read-value');
    time.pass(9_999);
    expect(heard).toEqual([]);
    time.pass(1);
    expect((await running).state).toMatchObject({
      stage: 'FAILED',
      failure: 'timeout',
      steps: { read: { status: 'timeout' } },
    });
    expect(heard).toEqual(['busy at line-1']);
    expect(isAborted).toBe(true);
  });

  it('moves at 30 s whatever its steps do', async () => {
    const stage = (id: string) => [{ id, tool: id, args: { x: { from: 'input' } } }];
    const definition = workflowOf({
      pre_check: stage('a'),
      action: stage('b'),
      post_update: [...stage('c'), ...stage('d')],
    });
    const [a, b] = [later(), later()];
    const tools = new ScriptedTools({ a: a.script, b: b.script, c: never, d: never });
    const running = runnerOf(tools, definition).run('line-anomaly', {}, CALLER);
    for (const [id, result, next] of [
      ['a', a, 'b'],
      ['b', b, 'c'],
    ] as const) {
      await called(tools, id);
      time.pass(9_990);
      result.settle({});
      await called(tools, next);
    }
    time.pass(10_019);
    expect((await running).state.stage).toBe('FAILED');
    expect(heard).toContain('busy at line-1');
    expect(time.timers).toBe(0);
  });

  it('moves when it is cancelled, and stops what runs', async () => {
    let isAborted = false;
    const tools = new ScriptedTools({
      'read-plc-log': (call, signal) => {
        signal.addEventListener('abort', () => {
          isAborted = true;
        });
        return never(call, signal);
      },
      'similar-cases': never,
    });
    const runner = runnerOf(tools);
    const running = runner.run('line-anomaly', INPUT, CALLER, 'w1');
    await called(tools, 'similar-cases');
    expect(runner.cancel('w1')).toBe(true);
    expect((await running).state).toMatchObject({ stage: 'FAILED', failure: 'cancelled' });
    expect(isAborted).toBe(true);
    expect(runner.cancel('w1')).toBe(false);
  });

  it('is the same one under the same id: it is waited for, and afterwards answered from what is kept', async () => {
    const tools = new ScriptedTools({
      'read-plc-log': gives({}),
      'similar-cases': gives({}),
      'create-work-order': gives({}),
    });
    const runner = runnerOf(tools);
    const run = () => runner.run('line-anomaly', INPUT, CALLER, 'alarm-1');
    const ends = await Promise.all([run(), run()]);
    ends.push(await run());
    await restart();
    ends.push(await runnerOf(tools).run('line-anomaly', INPUT, CALLER, 'alarm-1'));
    expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1);
    expect(tools.calls).toHaveLength(3);
  });

  it('does not begin a step that may not be repeated when that cannot be recorded, and moves on', async () => {
    const tools = new ScriptedTools(
      { 'read-plc-log': gives({}), 'similar-cases': gives({}), 'create-work-order': gives({}) },
      ['create-work-order'],
    );
    const runner = runnerOf(tools);
    await state.database.close();
    const { state: end } = await runner.run('line-anomaly', INPUT, CALLER);
    expect(end).toMatchObject({ stage: 'FAILED', steps: { order: { error: { code: 'TOOL_UNAVAILABLE' } } } });
    expect(tools.calls.map(({ tool }) => tool)).not.toContain('create-work-order');
    await open();
  });

  it('names the function that a definition misspells, and the workflow that is not there', async () => {
    expect(() => runnerOf(new ScriptedTools({}), LINE_ANOMALY, { proposal: propose })).toThrow(
      'workflow line-anomaly, step proposal: there is no function "propose". Did you mean "proposal"?',
    );
    await expect(runnerOf(new ScriptedTools({})).run('line-anomly', {}, CALLER)).rejects.toMatchObject({
      code: 'UNKNOWN_WORKFLOW',
      message: expect.stringContaining('Did you mean "line-anomaly"?'),
    });
  });

  it('refuses more than 64 at once as busy', async () => {
    const tools = new ScriptedTools({ 'read-plc-log': never, 'similar-cases': never });
    const runner = runnerOf(tools);
    for (let n = 0; n < 64; n += 1) void runner.run('line-anomaly', INPUT, CALLER);
    await eventually('they run', () => runner.health().figures?.['running'] === 64);
    const { state: end } = await runner.run('line-anomaly', INPUT, CALLER);
    expect(end).toMatchObject({ stage: 'FAILED', failure: 'crowded' });
    expect(heard).toEqual(['busy at line-1']);
  });
});

describe('a workflow that a restart interrupted', () => {
  const unfinished = async () => (await store.unfinished()).map(({ state: { stage } }) => stage);

  it('goes on from the snapshot of its last stage with the same keys, and repeats no step that had succeeded', async () => {
    const before = new ScriptedTools({
      'read-plc-log': gives({ records: 3 }),
      'similar-cases': gives({}),
      'create-work-order': never,
    });
    void runnerOf(before).run('line-anomaly', INPUT, CALLER, 'w1');
    await called(before, 'create-work-order');
    await restart();
    expect(await unfinished()).toEqual(['post_update']);

    const after = new ScriptedTools({ 'create-work-order': gives({ number: 7 }) });
    const runner = runnerOf(after);
    await runner.start();
    const { state: end, caller } = await runner.run('line-anomaly', INPUT, CALLER, 'w1');
    expect(end).toMatchObject({
      stage: 'COMPLETED',
      steps: { log: { result: { records: 3 } }, order: { result: { number: 7 } } },
    });
    expect(caller).toEqual(CALLER);
    expect(after.calls.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['w1.order']);
    expect(await unfinished()).toEqual([]);
  });

  it('does not begin again what may not be repeated: it has FAILED, and a person is called', async () => {
    const unrepeatable = ['create-work-order'];
    const before = new ScriptedTools(
      { 'read-plc-log': gives({}), 'similar-cases': gives({}), 'create-work-order': never },
      unrepeatable,
    );
    void runnerOf(before).run('line-anomaly', INPUT, CALLER, 'w1');
    await called(before, 'create-work-order');
    await restart();
    const after = new ScriptedTools({ 'create-work-order': gives({}) }, unrepeatable);
    const runner = runnerOf(after);
    await runner.start();
    const { state: end } = await runner.run('line-anomaly', INPUT, CALLER, 'w1');
    expect(end).toMatchObject({ stage: 'FAILED', steps: { order: { error: { code: 'OUTCOME_UNKNOWN' } } } });
    expect(after.calls).toEqual([]);
    expect(heard[0]).toContain('order: it was begun');
  });

  it.each([
    ['expired', 'longer than 15 minutes ago', 15 * 60_000 + 1, LINE_ANOMALY],
    ['changed', 'under another version of its definition', 0, { ...LINE_ANOMALY, version: 2 }],
  ] as const)('is not gone on with when it was saved %s', async (failure, _, passedMs, definition) => {
    const before = new ScriptedTools({
      'read-plc-log': gives({}),
      'similar-cases': gives({}),
      'create-work-order': never,
    });
    void runnerOf(before).run('line-anomaly', INPUT, CALLER, 'w1');
    await called(before, 'create-work-order');
    await restart();
    time.pass(passedMs);
    const after = new ScriptedTools({ 'create-work-order': gives({}) });
    await runnerOf(after, definition).start();
    await eventually('it has ended', async () => (await store.unfinished()).length === 0);
    expect((await store.latest('w1'))?.state).toMatchObject({ stage: 'FAILED', failure });
    expect(after.calls).toEqual([]);
    expect(heard.at(-1)).toContain(`failed in post_update: ${failure}`);
  });
});

describe('what is kept of workflows', () => {
  it('is not overwritten by a snapshot that comes late, and is forgotten only when it has ended', async () => {
    const tools = new ScriptedTools({
      'read-plc-log': gives({}),
      'similar-cases': gives({}),
      'create-work-order': gives({}),
    });
    await runnerOf(tools).run('line-anomaly', INPUT, CALLER, 'w1');
    const last = await store.latest('w1');
    if (last === undefined) throw new Error('nothing was kept');
    await store.save({ ...last, number: 1, state: { ...last.state, stage: 'pre_check' } });
    expect(await store.latest('w1')).toEqual(last);
    await store.save({ ...last, id: 'w2', state: { ...last.state, stage: 'action' } });
    expect(await store.prune('9999-01-01T00:00:00.000Z')).toBe(1);
    expect((await store.unfinished()).map(({ id }) => id)).toEqual(['w2']);
  });

  it('is left out where a row is damaged, and the rest is found', async () => {
    const tools = new ScriptedTools({
      'read-plc-log': never,
      'similar-cases': gives({}),
      'create-work-order': never,
    });
    const runner = runnerOf(tools);
    for (const id of ['w1', 'w2']) void runner.run('line-anomaly', INPUT, CALLER, id);
    await eventually('both are kept', async () => (await store.unfinished()).length === 2);
    await state.database.write((writer) => writer.run("UPDATE workflow SET body = '{' WHERE id = 'w1'"));
    expect((await store.unfinished()).map(({ id }) => id)).toEqual(['w2']);
  });
});
