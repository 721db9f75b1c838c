import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { NodeFigures } from '../../../../src/app/ports/node-gauge.ts';
import type { TurnReport } from '../../../../src/app/turn-report.ts';
import { languageOf } from '../../../../src/domain/language/language.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Conversation, startConversation } from '../../../support/live-conversation.ts';
import { MailServer } from '../../../support/mail-server.ts';
import { listenOn } from '../../../support/model-server.ts';
import { type PymodbusServer, startPymodbusServer } from '../../../support/pymodbus-server.ts';
import { writeSitePack } from '../../../support/site-packs.ts';
import { described } from '../../../support/tool-contract.ts';

const START_LIMIT_MS = 180_000;

const plantText = (port: number): string => `
connections:
  plc-1: { transport: tcp, host: 127.0.0.1, port: ${port}, timeout_ms: 2000 }
devices:
  plc: { connection: plc-1, unit_id: 1, address_base: 0, byte_order: ABCD }
machines:
  pump-3:
    names: { en: [pump three], zh: [三号泵] }
    device: plc
    points:
      pressure: { names: { en: [pressure], zh: [压力] }, register: holding, address: 20, type: int16, unit: bar }
  pump-4:
    names: { en: [pump four], zh: [四号泵] }
    device: plc
    points:
      pressure: { names: { en: [pressure], zh: [压力] }, register: holding, address: 21, type: int16, unit: bar }
`;

/** Ends when it is told to, or by itself after `ms`. */
const WAIT = `await new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, args.ms);
    context.signal.addEventListener('abort', () => { clearTimeout(timer); reject(new Error('aborted')); });
  });
  return { result: { marker: 'x' }, say: [] };`;

describe('the steps of a conversation', () => {
  let plc: PymodbusServer;
  let conversation: Conversation & { readonly directory: string };
  let model: Server;
  let modelSays: string;
  let modelHeard: string;
  /** What the box measures, now and once the model has answered. */
  let figures: NodeFigures;
  let afterModel: NodeFigures | undefined;
  let modelAsked: number;
  let statusAsked = 0;
  /** Plans that the machine of a session was to refuse. */
  let refusedPlans = 0;
  let site: string;
  const mail = new MailServer();
  let tests = 0;

  beforeAll(async () => {
    plc = await startPymodbusServer();
    await plc.set(1, 'holding', 20, 4, 6);
    site = mkdtempSync(join(tmpdir(), 'hermes-site-'));
    const schema = {
      parameters: {
        properties: described({ ms: { type: 'integer' }, after: { type: 'string' } }),
        nullable: ['after'],
      },
      response: { properties: described({ marker: { type: 'string' } }) },
    };
    const sla = { max_execution_time_ms: 8000, retry_policy: { attempts: 0 }, idempotent: true };
    writeSitePack(join(site, 'tools'), 'wait', {
      contract: { schema, sla: { ...sla, idempotent: false } },
      handle: WAIT,
    });
    writeSitePack(join(site, 'tools'), 'errand', {
      contract: { schema, sla: { ...sla, max_execution_time_ms: 30_000, detached: true } },
      handle: WAIT,
    });
    writeSitePack(join(site, 'tools'), 'stubborn', {
      contract: {
        schema,
        sla: { ...sla, max_execution_time_ms: 30_000, detached: true, idempotent: false },
        compensation: 'wipe',
        security: { access_level: 'PUBLIC', risk: 'none', data_scope: ['node'] },
        capabilities: ['node.status'],
      },
      handle: `const ended = new Promise((resolve) => context.signal.addEventListener('abort', resolve));
        await context.use('node.status', {});
        await ended;
        return { result: { marker: 'left behind' }, say: [] };`,
    });
    writeSitePack(join(site, 'tools'), 'wipe', {
      contract: {
        schema: {
          parameters: { properties: described({ marker: { type: 'string' } }) },
          response: { properties: {} },
        },
      },
      handle: 'return { result: {}, say: [] };',
    });
    model = createServer((request, response) => {
      modelHeard = '';
      request.on('data', (part: Buffer) => {
        modelHeard += part.toString();
      });
      request.on('end', () => {
        modelAsked += 1;
        figures = afterModel ?? figures;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: modelSays } }] }));
      });
    });
    writeSitePack(join(site, 'tools'), 'broken', {
      contract: { schema, sla },
      handle: `throw { code: 'TOOL_FAILED', message: 'it never works' };`,
    });
    writeSitePack(join(site, 'tools'), 'worn', {
      contract: { schema, sla, breaker: { failures: 1 } },
      handle: `throw { code: 'TOOL_FAILED', message: 'it never works' };`,
    });
    writeSitePack(join(site, 'tools'), 'hapless', {
      contract: { schema, sla, breaker: { failures: 20 } },
      handle: `throw { code: 'TOOL_FAILED', message: 'it never works' };`,
    });
    writeSitePack(join(site, 'tools'), 'look', { contract: { schema, sla }, handle: WAIT });
    mkdirSync(join(site, 'workflows'));
    for (const [name, text] of Object.entries(WORKFLOWS))
      writeFileSync(join(site, 'workflows', `${name}.yaml`), text);
    writeFileSync(join(site, 'people.csv'), PEOPLE);
    writeFileSync(join(site, 'rules.json'), rulesWith(PUMP_HIGH));
    conversation = await startConversation({
      plant: plantText(plc.port),
      config: {
        tools: { directory: join(site, 'tools'), workers: 4 },
        planner: { url: `http://127.0.0.1:${await listenOn(model)}/v1`, model: 'tiny' },
        workflows: join(site, 'workflows'),
        people: join(site, 'people.csv'),
        rules: join(site, 'rules.json'),
        mail: { url: `smtp://127.0.0.1:${await mail.start()}`, from: 'edge-1@example.com' },
        // Nobody answers there: an order would wait in the outbox.
        work_orders: { url: 'http://127.0.0.1:9/orders' },
      },
      node: { figures: () => figures },
      onStatus: () => {
        statusAsked += 1;
      },
    });
    expect(conversation.assistant.tools.registry.all().filter(({ state }) => state !== 'READY')).toEqual([]);
  }, START_LIMIT_MS);
  afterAll(async () => {
    await conversation.stop();
    await plc.stop();
    await mail.stop();
    model.closeAllConnections();
    model.close();
    rmSync(site, { recursive: true });
  });
  beforeEach(() => {
    tests += 1;
    conversation.told.length = 0;
    mail.received.length = 0;
    modelSays = '{"steps": []}';
    figures = {};
    afterModel = undefined;
    modelAsked = 0;
    for (const file of reports()) rmSync(join(conversation.directory, 'reports', file));
  });
  afterEach(async () => {
    await ask('cancel');
    expect((await conversation.audited('session.violation')).slice(refusedPlans)).toEqual([]);
  });

  const station = () => `ask-steps-${tests}`;
  const ask = (text: string) => conversation.ask(text, station());
  const line = (key: Parameters<Conversation['site']['phrases']['say']>[1], text = '') =>
    conversation.site.phrases.say(languageOf(text), key);
  const reports = (): readonly string[] => {
    try {
      return readdirSync(join(conversation.directory, 'reports'));
    } catch {
      return [];
    }
  };
  const ledger = async () => {
    const session = (await conversation.storage.sessions.live(100)).find(
      (stored) => stored.session.station === station(),
    );
    return session?.actions.map(({ step, tool, status }) => `${step} ${tool} ${status}`) ?? [];
  };
  /** Three steps, of which the second takes its time and the third needs it. */
  const threeSteps = (ms: number) => {
    modelSays = JSON.stringify({
      steps: [
        { tool: 'wait', args: { ms: 0 } },
        { tool: 'wait', args: { ms } },
        { tool: 'wait', args: { ms: 0 }, from: { after: { step: 1, field: 'marker' } } },
      ],
    });
    return ask('kindly do whatever is best just now');
  };
  const secondRuns = () =>
    eventually('the second step runs', async () => (await ledger()).includes('2 wait running'));
  const exported = async () => {
    expect(await ask('compare the pressure of pump three with pump four')).toMatchObject({
      outcome: 'COMPLETED',
      steps: [{ step: 1, tool: 'compare' }],
    });
    expect(await ask('export that')).toMatchObject({
      answer: line('working'),
      steps: [{ step: 2, tool: 'export-report' }],
    });
    await eventually('the export is told', () => conversation.told.length > 0);
    expect(conversation.told).toEqual(['The report is ready, an Excel file. Rows: two.']);
    expect(reports()).toHaveLength(1);
  };
  /** What undoes an export removes a file, and that is asked about. */
  const undone = async (report: TurnReport, answer = 'yes') => {
    expect(report.answer).toMatch(/Remove the report\? Say yes or no\.$|删除报告？请说可以或者取消。$/u);
    expect(reports()).toHaveLength(1);
    expect(await ask(answer)).toMatchObject({ outcome: 'COMPLETED' });
    expect(reports()).toEqual([]);
    expect(await ledger()).toContain('2 export-report compensated');
  };

  it('are planned by a model that is told what went before', async () => {
    await ask('read the pressure of pump four');
    await ask('kindly do whatever is best just now');
    expect(modelHeard).toContain('read the pressure of pump four');
    expect(modelHeard).toContain('route read_point: plan read-value');
    expect(modelHeard).toContain(' six bar');
  });

  describe('cancelling one', () => {
    it('that waits: it will not be done, and the others are', async () => {
      const whole = threeSteps(900);
      await secondRuns();
      expect(await ask('cancel the third step')).toMatchObject({
        outcome: 'COMPLETED',
        answer: 'Cancelled: step three, the wait.',
      });
      expect(await whole).toMatchObject({
        steps: [{ status: 'done' }, { status: 'done' }, { status: 'cancelled' }],
      });
      expect(await ledger()).toEqual(['1 wait done', '2 wait done', '3 wait cancelled']);
    });

    it('in Chinese', async () => {
      const whole = threeSteps(900);
      await secondRuns();
      expect(await ask('取消第三步')).toMatchObject({ outcome: 'COMPLETED', answer: '第三步wait已取消。' });
      expect(await whole).toMatchObject({ steps: [{}, { status: 'done' }, { status: 'cancelled' }] });
    });

    it('that runs and is done before it can be stopped: it is undone, and that is told', async () => {
      modelSays = JSON.stringify({ steps: [{ tool: 'stubborn', args: { ms: 1 } }] });
      const asked = statusAsked;
      expect(await ask('kindly do whatever is best just now')).toMatchObject({ answer: line('working') });
      // One whose handler is not under way yet is simply not begun.
      await eventually('its handler runs', () => statusAsked > asked);
      expect(await ask('cancel the first step')).toMatchObject({
        answer: 'Stopped: step one, the stubborn.',
      });
      await eventually('it is told', () => conversation.told.length > 0);
      expect(conversation.told).toEqual(['Undone: step one, the stubborn.']);
      expect(await ledger()).toEqual(['1 stubborn compensated', '2 wipe done']);
    });

    it('that runs: it is stopped, and what needs it is held and named', async () => {
      const whole = threeSteps(7000);
      await secondRuns();
      expect(await ask('cancel the second one')).toMatchObject({
        outcome: 'COMPLETED',
        answer: 'Stopped: step two, the wait. Held and not done: step three, the wait.',
      });
      expect(await whole).toMatchObject({
        steps: [{ status: 'done' }, { status: 'cancelled' }, { status: 'held' }],
      });
    });

    it('that runs on behind its turn: it is stopped', async () => {
      modelSays = JSON.stringify({ steps: [{ tool: 'errand', args: { ms: 25_000 } }] });
      expect(await ask('kindly do whatever is best just now')).toMatchObject({ answer: line('working') });
      expect(await ask('cancel step 1')).toMatchObject({ answer: 'Stopped: step one, the errand.' });
      await eventually('it has ended', async () => (await ledger()).includes('1 errand cancelled'));
    });

    it('that is done: it is undone once that is confirmed, and the file is gone', async () => {
      await exported();
      await undone(await ask('cancel the second step'));
      expect(await ask('cancel the second step')).toMatchObject({
        answer: 'There is nothing left to cancel of step two, the export.',
      });
    });

    it('that is done, and the answer is no: the file stays', async () => {
      await exported();
      await ask('cancel the second step');
      expect(await ask('no')).toMatchObject({ outcome: 'CANCELLED' });
      expect(reports()).toHaveLength(1);
      expect(await ledger()).toContain('2 export-report done');
      await undone(await ask('undo the second step'));
    });

    it('on which a mail depends that is still asked about: the mail is held, and its question is over', async () => {
      await exported();
      expect(await ask('send it to Zhang Wei')).toMatchObject({
        outcome: 'OPEN',
        answer: 'Send it to Zhang Wei? Say yes or no.',
        steps: [{ step: 3 }],
      });
      const report = await ask('cancel the second step');
      expect(report.answer).toMatch(/^Held and not done: step three, the message\. Remove the report/u);
      await undone(report);
      expect(await ledger()).toContain('3 send-message held');
      expect(await ask('yes')).toMatchObject({ answer: line('nothing_to_confirm') });
      expect(mail.received).toEqual([]);
    });

    it('on which a mail depends that is sent: that is said by its name', async () => {
      await exported();
      await ask('send it to Zhang Wei');
      expect(await ask('yes')).toMatchObject({ outcome: 'COMPLETED', answer: 'Sent to Zhang Wei.' });
      expect(mail.received).toHaveLength(1);
      const report = await ask('cancel the export');
      expect(report.answer).toMatch(/^Already done: step three, the message\. Remove the report/u);
      await undone(report);
    });

    it('while another is asked about: what undoes it is asked about after that', async () => {
      await exported();
      await ask('send it to Zhang Wei');
      await ask('yes');
      await ask('send it to Zhang Wei');
      const report = await ask('undo the third step');
      expect(report.answer).toBe('Already done and not to be undone: step three, the message.');
      expect(await ask('repeat that')).toMatchObject({ answer: 'Send it to Zhang Wei? Say yes or no.' });
      await ask('no');
      expect(mail.received).toHaveLength(1);
    });

    it('with nothing under way: nothing is said to be cancelled, and of what is done how it is undone', async () => {
      expect(await ask('cancel that')).toMatchObject({ answer: line('nothing_to_cancel') });
      await exported();
      expect(await ask('cancel that')).toMatchObject({
        answer:
          'There is nothing to cancel. Already done: step two, the export. To take it back, say undo that.',
      });
      expect(reports()).toHaveLength(1);
      await ask('send it to Zhang Wei');
      expect(await ask('cancel that')).toMatchObject({ answer: line('cancelled') });
      expect(await ask('yes')).toMatchObject({ answer: line('nothing_to_confirm') });
      expect(mail.received).toEqual([]);
    });

    it('that there is not, or where there is none at all', async () => {
      expect(await ask('cancel the first step')).toMatchObject({ answer: line('nothing_to_cancel') });
      expect(await ask('undo that')).toMatchObject({ answer: line('nothing_to_undo') });
      await ask('read the pressure of pump four');
      expect(await ask('cancel the fifth step')).toMatchObject({ outcome: 'FAILED' });
    });
  });

  describe('undoing', () => {
    it.each([
      'undo that',
      'undo the second step',
      'undo the export',
      '刚才那个撤销',
      '撤销第二步',
      '撤销导出',
    ])('"%s" means the export', async (text) => {
      await exported();
      await undone(await ask(text), languageOf(text) === 'zh' ? '可以' : 'yes');
    });
  });

  describe('on a box under load', () => {
    it.each([{ cpu_used_percent: 97 }, { memory_used_percent: 90 }])(
      '(%j) are planned by no model',
      async (load) => {
        figures = load;
        expect(await threeSteps(0)).toMatchObject({ answer: line('say_again'), steps: [] });
        expect(modelAsked).toBe(0);
        expect(await ask('read the pressure of pump four')).toMatchObject({ readings: [{ value: 6 }] });
      },
    );

    it('are done one at a time', async () => {
      afterModel = { cpu_used_percent: 97 };
      const whole = threeSteps(0);
      const seen: string[] = [];
      await eventually('each has run', async () => {
        const now = await ledger();
        if (now.some((step) => step.endsWith('running'))) seen.push(now.join());
        return now.includes('3 wait done');
      });
      expect(await whole).toMatchObject({ outcome: 'COMPLETED' });
      expect(seen.filter((steps) => steps.split('running').length > 2)).toEqual([]);
    });
  });

  describe('of somebody who is often misunderstood', () => {
    const misunderstood = async () => {
      for (let times = 0; times < 3; times += 1) await ask('make me a coffee');
    };

    it('are said again before they are carried out; what only looks is answered at once', async () => {
      await misunderstood();
      expect(await ask('compare the pressure of pump three with pump four')).toMatchObject({
        outcome: 'COMPLETED',
      });
      const asked = { outcome: 'OPEN', answer: 'I understood: the export. Say yes or no.' };
      expect(await ask('export that')).toMatchObject(asked);
      expect(await ask('no')).toMatchObject({ outcome: 'CANCELLED' });
      expect(await ask('export that')).toMatchObject(asked);
      expect(reports()).toEqual([]);
      await ask('yes');
      await eventually('the export is told', () => conversation.told.length > 0);
      expect(reports()).toHaveLength(1);
    });

    it('are so nowhere else', async () => {
      await misunderstood();
      tests += 1;
      await exported();
    });
  });

  describe('a workflow among them', () => {
    const start = (name: string, args: Readonly<Record<string, unknown>> = {}) => {
      modelSays = JSON.stringify({ steps: [{ tool: `workflow.${name}`, args }] });
      return ask('kindly do whatever is best just now');
    };
    const service = () => conversation.assistant.services.find(({ name }) => name === 'workflows');
    const runs = async (name: string) =>
      (await conversation.assistant.workflows.list()).runs.filter(({ workflow }) => workflow === name);

    it('has FAILED when its step takes too long, and that is said as "busy"', async () => {
      expect(await start('slow')).toMatchObject({
        outcome: 'FAILED',
        answer: line('busy'),
        steps: [{ tool: 'workflow.slow', status: 'failed' }],
      });
      expect(await runs('slow')).toMatchObject([
        { stage: 'FAILED', failure: 'timeout', steps: [{ id: 'look', status: 'timeout' }] },
      ]);
    });

    it('has FAILED when both its steps fail, and a ticket calls a person', async () => {
      const report = await start('hopeless');
      const tickets = await conversation.assistant.tickets.list();
      const ticket = tickets.find(({ tool }) => tool === 'workflow.hopeless');
      expect(ticket).toMatchObject({ code: 'TOOL_FAILED', status: 'open', safety: false });
      expect(report).toMatchObject({
        outcome: 'FAILED',
        answer: `${line('tool_failed')} Ticket ${ticket?.id} asks somebody to look at it.`,
      });
      expect(ticket?.message).toMatch(
        /^hopeless failed in action: failed; hermes-edge workflows show \w{8}$/u,
      );
    });

    it('is cancelled like any other step, and nothing of it runs on', async () => {
      const whole = start('patient', { ms: 8000 });
      await eventually('it runs', () => service()?.health().figures?.['running'] === 1);
      expect(await ask('cancel the first step')).toMatchObject({
        answer: 'Stopped: step one, the patient work.',
      });
      expect(await whole).toMatchObject({ steps: [{ status: 'cancelled' }] });
      await eventually('it has ended', async () => (await runs('patient'))[0]?.stage === 'FAILED');
      expect(await runs('patient')).toMatchObject([{ failure: 'cancelled' }]);
    });

    it('is held to its declared input before anything begins', async () => {
      modelSays = JSON.stringify({ steps: [{ tool: 'workflow.patient', args: { mss: 1 } }] });
      expect(await ask('kindly do whatever is best just now')).toMatchObject({
        outcome: 'FAILED',
        steps: [],
      });
    });

    it('that does not fit what is there is named with file, place and the nearest word; the others are used', () => {
      expect(service()?.health()).toMatchObject({
        status: 'degraded',
        detail: expect.stringMatching(
          /^cannot be started: consenting, typo \(see hermes-edge workflows list\)/u,
        ),
      });
    });

    it('that is asked for by its name or the beginning of an id is shown, and the nearest of one that is not there', async () => {
      const { workflows } = conversation.assistant;
      expect((await workflows.list()).workflows.find(({ name }) => name === 'typo')).toMatchObject({
        state: 'UNHEALTHY',
        faults: [
          `${join(site, 'workflows', 'typo.yaml')}:7:25 stages.action.0.tool: there is no tool "machine-statis". Did you mean "machine-status"?`,
        ],
      });
      expect((await workflows.list()).workflows.find(({ name }) => name === 'consenting')?.faults).toEqual([
        expect.stringContaining(
          'create-work-order has to be confirmed by a person, whom a workflow cannot ask',
        ),
      ]);
      expect(await workflows.show('check-machine')).toMatchObject({
        workflow: { state: 'READY', risk: 'none' },
      });
      const [run] = await runs('slow');
      expect(await workflows.show(run?.id.slice(0, 8) ?? '')).toMatchObject({ run: { id: run?.id } });
      await expect(workflows.show('chekc-machine')).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringContaining('Did you mean "check-machine"?'),
      });
    });
  });

  describe('of a tool that failed until it was taken out of use', () => {
    it('are refused before any of them is begun; the ticket says in which state of the session it was', async () => {
      modelSays = '{"steps": [{"tool": "worn", "args": {"ms": 0}}]}';
      expect(await ask('kindly do whatever is best just now')).toMatchObject({ outcome: 'FAILED' });
      expect(conversation.assistant.tools.runner.state('worn')).toBe('OPEN');
      const ticket = (await conversation.assistant.tickets.list()).find(({ tool }) => tool === 'worn');
      expect(ticket?.state_hash).toMatch(/^[\da-f]{64}$/u);

      tests += 1;
      modelSays = '{"steps": [{"tool": "wait", "args": {"ms": 0}}, {"tool": "worn", "args": {"ms": 0}}]}';
      expect(await ask('kindly do whatever is best just now')).toMatchObject({
        outcome: 'FAILED',
        answer: line('tool_unavailable'),
        steps: [{ status: 'cancelled' }, { status: 'cancelled' }],
      });
      refusedPlans = 1;
      const violations = await eventually('the refusal is in the audit', async () => {
        const found = await conversation.audited('session.violation');
        return found.length > 0 && found;
      });
      expect(JSON.stringify(violations)).toContain('worn is OPEN, not READY');
    });
  });

  describe('and the lifespan of their turn', () => {
    const order = { tool: 'create-work-order', args: { machine: 'pump-3' } };
    const errand = { tool: 'errand', args: { ms: 500 } };
    const plan = (...steps: readonly object[]) => {
      modelSays = JSON.stringify({ steps });
      return ask('kindly do whatever is best just now');
    };
    /** Of the turn that waits for its yes, once the errand has ended: as it is on disk. */
    const lifespanAfterErrand = async () => {
      await eventually('the errand has ended', async () => (await ledger()).includes('1 errand done'));
      const { state } =
        (await conversation.storage.sessions.list(100)).find((each) => each.station === station()) ?? {};
      return state?.name === 'CONFIRMING' ? state.turn.lifespan : undefined;
    };

    it('which a call shortens that ends while its turn waits for a yes', async () => {
      expect(await plan(errand, order)).toMatchObject({
        outcome: 'OPEN',
        steps: [{ status: 'running' }, { status: 'confirming' }],
      });
      const lifespan = await lifespanAfterErrand();
      expect(lifespan).toEqual({ baseMs: 300_000, toolCalls: 1, pendingConfirmations: 1 });
    });

    it('which no call shortens that ends after its own turn', async () => {
      expect(await plan(errand)).toMatchObject({ outcome: 'COMPLETED', steps: [{ status: 'running' }] });
      expect(await plan(order)).toMatchObject({ outcome: 'OPEN' });
      const lifespan = await lifespanAfterErrand();
      expect(lifespan).toEqual({ baseMs: 300_000, toolCalls: 0, pendingConfirmations: 1 });
    });
  });

  describe('that fail', () => {
    const does = (tool: string, at = station()) => {
      modelSays = JSON.stringify({ steps: [{ tool, args: { ms: 0 } }] });
      return conversation.ask('kindly do whatever is best just now', at);
    };
    const called = async () =>
      (await conversation.assistant.tickets.list()).filter(({ tool }) => tool === 'session');

    it('call a person at the third turn in a row, and that is told once', async () => {
      await does('hapless');
      await does('hapless');
      await does('look');
      await does('hapless');
      await does('hapless');
      expect(await called()).toEqual([]);
      const third = await does('hapless');
      const [ticket] = await called();
      expect(ticket).toMatchObject({
        code: 'TOOL_FAILED',
        message: 'a task failed 3 times',
        session_id: third.session_id,
        turn_id: third.turn_id,
        state_hash: expect.stringMatching(/^[\da-f]{64}$/u),
        occurrences: 1,
      });
      const told = conversation.site.phrases.say('en', 'task_escalated', { number: ticket?.id ?? '' });
      expect(third.answer?.endsWith(told)).toBe(true);
      expect((await does('hapless')).answer).not.toContain(told);
      expect(await called()).toEqual([ticket]);

      const second = `${station()}-second`;
      await does('hapless', second);
      await does('hapless', second);
      const elsewhere = await does('hapless', second);
      const other = (await called()).find(({ id }) => id !== ticket?.id);
      expect(other).toMatchObject({
        message: 'a task failed 3 times',
        session_id: elsewhere.session_id,
        turn_id: elsewhere.turn_id,
        occurrences: 1,
      });
      const toldThere = conversation.site.phrases.say('en', 'task_escalated', { number: other?.id ?? '' });
      expect(elsewhere.answer?.endsWith(toldThere)).toBe(true);
      expect(await called()).toHaveLength(2);
    });
  });

  it('are those of the fallback when a rule waits for a PLC for longer than 200 ms', async () => {
    await plc.delay(700);
    const report = await ask('diagnose pump three');
    await plc.delay(0);
    expect(report).toMatchObject({ answer: line('nothing_to_use'), steps: [] });
  });

  describe('doing the same', () => {
    it.each([
      ['read the pressure of pump four', 'do the same for pump three'],
      ['读取四号泵的压力', '三号泵也一样'],
    ])('%s; %s', async (first, second) => {
      expect(await ask(first)).toMatchObject({ readings: [{ machine: 'pump-4', value: 6 }] });
      expect(await ask(second)).toMatchObject({
        outcome: 'COMPLETED',
        readings: [{ machine: 'pump-3', value: 4 }],
      });
    });

    it('of nothing is refused', async () => {
      expect(await ask('do the same for pump three')).toMatchObject({ answer: line('nothing_to_use') });
    });
  });
});

const said = (name: string) => `name: ${name}
version: 1
use_when: { en: When the ${name} work is to be done., zh: 需要时。 }
deed: { en: the ${name} work, zh: 工作 }
`;
const WORKFLOWS = {
  slow: `${said('slow')}stages: { action: [{ id: look, tool: look, timeout_ms: 150, args: { ms: { value: 6000 } } }] }
`,
  hopeless: `${said('hopeless')}stages: { action: [{ id: a, tool: broken, args: { ms: { value: 1 } } }, { id: b, tool: broken, args: { ms: { value: 2 } } }] }
`,
  patient: `${said('patient')}input:
  properties: { ms: { type: integer, description: { en: How long, zh: 多久 } } }
  required: [ms]
stages: { action: [{ id: look, tool: look, args: { ms: { from: input, field: ms } } }] }
`,
  consenting: `${said('consenting')}stages: { action: [{ id: order, tool: create-work-order, args: { machine: { value: pump-3 } } }] }
`,
  typo: `${said('typo')}stages:
  action:
    - { id: look, tool: machine-statis, args: { machine: { value: pump-3 } } }
`,
};

/** Of its value nobody hears: what matters is what is done when it is not known in time. */
const PUMP_HIGH = `{
  "id": "pump_high",
  "when": { "intent": "diagnose", "slots": { "machine": { "equals": "pump-3" } } },
  "if": { "point": { "machine": "pump-3", "point": "pressure", "op": ">", "value": 80 } },
  "then": [{ "tool": "machine-status", "args": { "machine": { "slot": "machine" } } }],
  "fallback": { "say": "nothing_to_use" }
}`;
const rulesWith = (rule: string): string => {
  const shipped = z
    .looseObject({ rules: z.array(z.unknown()) })
    .parse(JSON.parse(readFileSync('config/rules.json', 'utf8')));
  return JSON.stringify({ ...shipped, rules: [JSON.parse(rule), ...shipped.rules] });
};

const PEOPLE = `id,name_en,name_zh,role,email
zhang-wei,Zhang Wei,张伟,maintainer,zhang.wei@example.com
`;
