import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HttpServer } from '../../../src/adapters/http/http-server.ts';
import { type EscalationTicket, endTicket } from '../../../src/domain/tool/ticket.ts';
import { EdgeError } from '../../../src/runtime/edge-error.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import type { ToolSummary } from '../../../src/tooling/tool-summary.ts';
import type { FoundWorkflow } from '../../../src/tooling/workflow/found-workflow.ts';
import { WorkflowReports } from '../../../src/tooling/workflow/workflow-reports.ts';
import type { WorkflowSnapshot } from '../../../src/tooling/workflow/workflow-store.ts';

const opened: EscalationTicket = {
  id: 'tk_1',
  tool: 'write-value',
  code: 'OUTCOME_UNKNOWN',
  message: 'the PLC did not answer',
  input: { machine: 'kiln' },
  path: ['write-value'],
  session_id: 's',
  turn_id: 'tr_1',
  safety: true,
  opened_at: '2026-03-01T12:00:00.000Z',
  boot_id: 'boot',
  seq: 1,
  occurrences: 1,
  status: 'open',
  age_ms: 0,
  ttl_s: 3600,
  reminders: 0,
};
const summaries: readonly ToolSummary[] = [
  {
    name: 'read-value',
    origin: 'shipped',
    folder: 'tools/read-value',
    state: 'READY',
    faults: [],
    version: 1,
    use_when: { en: 'To read a value now.', zh: '现在读取一个值。' },
    access_level: 'PUBLIC',
    risk: 'none',
    max_execution_time_ms: 2000,
    depends_on: [],
    parameters: {
      properties: { machine: { type: 'string', description: 'the machine' } },
      required: ['machine'],
    },
    calls: 30,
    failures: { TOOL_TIMEOUT: 2 },
    p95_ms: 320,
    measured_limit_ms: 420,
  },
  {
    name: 'send-message',
    origin: 'shipped',
    folder: 'tools/send-message',
    state: 'NOT_SET_UP',
    not_set_up: { part: 'mail', key: 'mail' },
    faults: [],
    risk: 'reversible',
    calls: 0,
    failures: {},
  },
  {
    name: 'broken',
    origin: 'site',
    folder: '/srv/tools/broken',
    state: 'UNHEALTHY',
    faults: ['/srv/tools/broken/tool.yaml:3:1 no such key'],
    calls: 0,
    failures: {},
  },
];

const found: readonly FoundWorkflow[] = [
  {
    name: 'look',
    file: '/srv/look.yaml',
    content: { ok: false, faults: ['/srv/look.yaml:3:1 no such key'] },
  },
];
const run: WorkflowSnapshot = {
  id: 'c0ffee00c0ffee00',
  number: 2,
  savedAt: '2026-03-01T12:00:00.000Z',
  caller: { station: 'line-1', sessionId: 's', turnId: 'tr_1', role: 'operator' },
  state: {
    name: 'look',
    version: 1,
    stage: 'FAILED',
    failure: 'timeout',
    input: {},
    steps: {
      status: { status: 'timeout', error: { code: 'TOOL_TIMEOUT', message: 'no result within 10 ms' } },
    },
  },
};

let directory: string;
let config: string;
let server: HttpServer;
let ticket: EscalationTicket;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-tickets-'));
  config = join(directory, 'hermes-edge.yaml');
  writeFileSync(config, `state_dir: ${directory}\n`);
  const end = (status: 'acknowledged' | 'resolved', by: string, note?: string) => {
    ticket = endTicket(ticket, status, by, note) ?? ticket;
    return Promise.resolve(ticket);
  };
  const tools = {
    tools: () => summaries,
    tickets: async () => [ticket],
    ticket: async (id: string) => {
      if (id === ticket.id) return ticket;
      throw new EdgeError('INPUT_INVALID', `there is no ticket "${id}"`, { hint: 'did you mean "tk_1"?' });
    },
    acknowledge: (_id: string, by: string) => end('acknowledged', by),
    resolve: (_id: string, by: string, note: string | undefined) => end('resolved', by, note),
  };
  const handlers = {
    status: () => ({ status: 'ok', ready: true, version: '1', uptime_s: 1, parts: [] }) as const,
    points: () => [],
    history: async () => [],
    ask: () => Promise.reject(new Error('not asked here')),
    say: async () => ({ kind: 'played' }),
    sessions: { list: async () => [], show: () => Promise.reject(new Error('not asked here')) },
    tools,
    workflows: new WorkflowReports({ found, store: { recent: async () => [run] } }),
  };
  server = new HttpServer(
    { kind: 'socket', path: join(directory, 'control.sock') },
    handlers,
    silentLogger(),
  );
  await server.start();
});
afterAll(async () => {
  await server.stop(500);
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  ticket = opened;
});

function edge(...args: string[]) {
  return new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((resolve) => {
    const program = ['dist/main.js', ...args, '--config', config];
    execFile(process.execPath, program, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

describe('hermes-edge tools', () => {
  it('lists every tool with its state, and why one is not used', async () => {
    const { out } = await edge('tools', 'list');
    expect(out).toMatch(/read-value +READY +none +To read a value now\./u);
    expect(out).toContain('broken is not used:\n  /srv/tools/broken/tool.yaml:3:1 no such key');
    expect(out).toMatch(/send-message +not set up: mail +reversible/u);
    expect(JSON.parse((await edge('tools', 'list', '--json')).out)).toEqual({ tools: summaries });
  });

  it('shows the contract of one and what its calls came to', async () => {
    const { out } = await edge('tools', 'show', 'read-value');
    expect(out).toContain('何时用: 现在读取一个值。');
    expect(out).toContain('95 % within 320 ms; a limit of 420 ms would do');
    expect(out).toContain('calls: 30 (TOOL_TIMEOUT 2)');
    expect(out).toMatch(/machine +required +the machine/u);
  });

  it('says what sets up one that the site is not set up for', async () => {
    const { out } = await edge('tools', 'show', 'send-message');
    expect(out).toMatch(/^send-message {2}not set up: mail\n {2}set up by: mail$/mu);
  });

  it('names the nearest of one that is not there', async () => {
    const { code, err } = await edge('tools', 'show', 'raed-value');
    expect(code).toBe(2);
    expect(err).toContain('there is no tool "raed-value". Did you mean "read-value"?');
  });
});

describe('hermes-edge workflows', () => {
  it('lists each with its state, why one cannot be started, and the newest runs', async () => {
    const { out } = await edge('workflows', 'list');
    expect(out).toMatch(/^look +UNHEALTHY/u);
    expect(out).toContain('look cannot be started:\n  /srv/look.yaml:3:1 no such key');
    expect(out).toMatch(/c0ffee00 +look +FAILED \(timeout\) +line-1/u);
    expect(JSON.parse((await edge('workflows', 'list', '--json')).out)).toMatchObject({
      workflows: [{ name: 'look', state: 'UNHEALTHY' }],
      runs: [{ id: run.id, failure: 'timeout' }],
    });
  });

  it('shows one run with its steps, and names the nearest workflow of one that is not there', async () => {
    expect((await edge('workflows', 'show', 'c0ff')).out).toMatch(
      /status +timeout +TOOL_TIMEOUT: no result within 10 ms/u,
    );
    const { code, err } = await edge('workflows', 'show', 'lokk');
    expect(code).toBe(2);
    expect(err).toContain('there is no workflow "lokk" and no run of one. Did you mean "look"?');
  });
});

describe('hermes-edge tickets', () => {
  it('lists what is open, with what is about safety marked', async () => {
    expect((await edge('tickets', 'list')).out).toMatch(/tk_1 +SAFETY +open .*write-value +OUTCOME_UNKNOWN/u);
    ticket = { ...opened, status: 'resolved' };
    expect((await edge('tickets', 'list')).out).toBe('No tickets are open.\n');
    expect((await edge('tickets', 'list', '--all')).out).toContain('resolved');
  });

  it('shows one, and names the nearest of one that is not there', async () => {
    expect((await edge('tickets', 'show', 'tk_1')).out).toContain('arguments: {"machine":"kiln"}');
    const { code, err } = await edge('tickets', 'show', 'tk_2');
    expect(code).toBe(2);
    expect(err).toContain('did you mean "tk_1"?');
  });

  it('is resolved by a named person with a note, or only seen', async () => {
    expect((await edge('tickets', 'resolve', 'tk_1', '--seen', '--by', 'Li')).out).toBe(
      'tk_1 is acknowledged by Li.\n',
    );
    const { out } = await edge(
      'tickets',
      'resolve',
      'tk_1',
      '--by',
      '王工',
      '--note',
      'loose cable',
      '--json',
    );
    expect(JSON.parse(out)).toMatchObject({ status: 'resolved', ended_by: '王工', note: 'loose cable' });
  });
});
