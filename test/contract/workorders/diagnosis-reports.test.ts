import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GitProcedures } from '../../../src/adapters/git/git-procedures.ts';
import { workOrdersCreate } from '../../../src/app/capabilities/work-orders.ts';
import { DiagnosisReports } from '../../../src/app/diagnosis-reports.ts';
import { OutboxDelivery } from '../../../src/app/outbox-delivery.ts';
import { ReportDeliverer } from '../../../src/app/report-delivery.ts';
import type { ToolCall } from '../../../src/domain/tool/tool-call.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { git, opened, proceduresAt } from '../../support/git-site.ts';
import { CALLER } from '../../support/ledger.ts';
import { demoPlant } from '../../support/plant-file.ts';
import { openState, scratchDirectory } from '../../support/state-site.ts';

const FOUND = {
  machine: 'pump-3',
  findings: [{ en: 'pressure is 2, below 4', zh: 'pressure 为 2，低于 4' }],
  events: [],
};

let scratch: ReturnType<typeof scratchDirectory>;
let state: Awaited<ReturnType<typeof openState>>;
let procedures: GitProcedures;
let delivery: OutboxDelivery;

beforeEach(async () => {
  scratch = scratchDirectory();
  await begin();
});
afterEach(async () => {
  await end();
  scratch.remove();
});

async function begin(path = process.env['PATH'] ?? ''): Promise<void> {
  state = await openState(scratch.path);
  procedures = proceduresAt(scratch.path, { path });
  if (path === '') await procedures.start();
  else await opened(procedures);
  delivery = new OutboxDelivery(
    [new ReportDeliverer(procedures)],
    {
      outbox: state.outbox,
      clocks: systemClocks(),
      clockState: () => 'synced',
      scheduler: systemScheduler,
      logger: silentLogger(),
    },
    { baseMs: 30, maxMs: 60 },
  );
}

async function end(): Promise<void> {
  await delivery.stop(1000);
  await procedures.stop();
  await state.database.close();
}

/** As the handler of create-work-order asks for it. */
async function ordered(key: string, more: Partial<ToolCall> = {}): Promise<void> {
  const { run } = workOrdersCreate({
    desk: {
      create: async () => ({ number: 1, state: 'open', remote: undefined, why: undefined }),
      close: async () => ({ number: 1, state: 'closed', remote: undefined, why: undefined }),
    },
    plant: demoPlant(),
    reports: new DiagnosisReports({
      outbox: state.outbox,
      delivery,
      clocks: systemClocks(),
      timeZone: 'Asia/Shanghai',
    }),
  });
  const call: ToolCall = {
    callId: 'c-1',
    tool: 'create-work-order',
    args: { machine: 'pump-3', diagnosis: FOUND },
    caller: CALLER,
    path: [],
    idempotencyKey: key,
    consent: { confirmationId: 'cf-1', by: 'li-na@quality', ground: [] },
    ...more,
  };
  await run(
    { machine: 'pump three', title: 'change the seal', priority: 'normal' },
    { call, signal: new AbortController().signal },
  );
}

const reports = async () => (await procedures.read())?.cases.reports ?? [];
const isTold = async () => (await state.outbox.waiting('report', 9)).length === 0;

describe('a diagnosis that a person agreed to have mended', () => {
  it('becomes one report, with what was found and what is done', async () => {
    await delivery.start();
    await ordered('s1:a1');
    await ordered('s1:a1');
    await eventually('it is told', isTold);
    expect(await reports()).toMatchObject([
      {
        id: 's1-a1',
        machine: 'pump-3',
        session: 's1',
        confirmedBy: 'li-na@quality',
        texts: {
          en: { cause: 'pressure is 2, below 4', done: ['Work order: change the seal'] },
          zh: { cause: 'pressure 为 2，低于 4', done: ['工单：change the seal'] },
        },
      },
    ]);
  });

  it('is none without consent, without findings, and of another machine', async () => {
    await delivery.start();
    await ordered('s1:a1', { consent: undefined });
    await ordered('s1:a2', { args: { machine: 'pump-3' } });
    await ordered('s1:a3', { args: { machine: 'pump-3', diagnosis: { ...FOUND, findings: [] } } });
    await ordered('s1:a4', { args: { machine: 'pump-3', diagnosis: { ...FOUND, machine: 'oven-1' } } });
    await ordered('s1:a5');
    await eventually('the last is told', isTold);
    expect((await reports()).map(({ id }) => id)).toEqual(['s1-a5']);
  });

  it('waits over restarts while git is missing, and is there once it is not', async () => {
    await end();
    await begin('');
    await delivery.start();
    await ordered('s1:a1');
    await eventually(
      'it was tried',
      async () => ((await state.outbox.waiting('report', 9))[0]?.attempts ?? 0) > 0,
    );
    await end();
    await begin();
    await delivery.start();
    await eventually('it is told', isTold);
    expect(await reports()).toHaveLength(1);
  });

  it('is one report when the program ends between the commit and the outbox', async () => {
    await ordered('s1:a1');
    const [message] = await state.outbox.waiting('report', 1);
    if (message === undefined) throw new Error('nothing waits');
    await new ReportDeliverer(procedures).deliver(message);
    await end();
    await begin();
    const commits = git(`${scratch.path}/procedures.git`, 'rev-list', '--count', 'main');
    await delivery.start();
    await eventually('it is told', isTold);
    expect(await reports()).toHaveLength(1);
    expect(git(`${scratch.path}/procedures.git`, 'rev-list', '--count', 'main')).toBe(commits);
  });
});
