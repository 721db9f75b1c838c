import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toolPacks } from '../../../src/composition/tool-packs.ts';
import { composeTools, type Tools } from '../../../src/composition/tools.ts';
import type { ToolCall } from '../../../src/domain/tool/tool-call.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import type { Capability } from '../../../src/tooling/capability.ts';
import type { TicketRequest } from '../../../src/tooling/ticket-opener-port.ts';
import { codeOf } from '../../support/scripted-tools.ts';
import { writeSitePack } from '../../support/site-packs.ts';
import { described, toolCall } from '../../support/tool-contract.ts';

const points = { access_level: 'INTERNAL', risk: 'physical', data_scope: ['plant'] };
const value = { properties: described({ value: { type: 'number' } }) };

let directory: string;
let tools: Tools;
const written: unknown[] = [];
const tickets: TicketRequest[] = [];

const capabilities: readonly Capability[] = [
  {
    name: 'points.write',
    args: z.record(z.string(), z.unknown()),
    run: async (args, { call }) => {
      written.push({ args, station: call.caller.station });
      return { written: true };
    },
  },
  {
    name: 'points.read',
    args: z.record(z.string(), z.unknown()),
    run: async () => ({ value: 21 }),
  },
  {
    name: 'caller.describe',
    args: z.strictObject({}),
    run: async (_args, { call: { caller } }) => ({
      station: caller.station,
      role: caller.role,
      person: caller.person ?? null,
    }),
  },
];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-packs-'));
  writeSitePack(directory, 'read-21', {
    contract: {
      schema: { parameters: { properties: {} }, response: value },
      security: { access_level: 'PUBLIC', risk: 'none', data_scope: ['plant'] },
      capabilities: ['points.read'],
    },
    handle: `const { value } = await context.use('points.read', {}); return { result: { value } };`,
    cases: [
      { name: 'reads', capabilities: { 'points.read': [{ value: 7 }] }, expect: { ok: { value: 7 } } },
      {
        name: 'says that the PLC is away',
        capabilities: { 'points.read': [{ fails: { code: 'TOOL_UNAVAILABLE', message: 'away' } }] },
        expect: { code: 'TOOL_UNAVAILABLE' },
      },
    ],
  });
  writeSitePack(directory, 'set-speed', {
    contract: {
      schema: {
        parameters: { properties: described({ speed: { type: 'number', unit: 'rpm' } }) },
        response: { properties: {} },
      },
      security: points,
      capabilities: ['points.write'],
    },
    handle: `await context.use('points.write', { value: args.speed }); return { result: {} };`,
    cases: [
      {
        name: 'writes what was asked',
        args: { speed: { value: 25, unit: 'Hz' } },
        capabilities: { 'points.write': [{ written: true }] },
        expect: { ok: {}, uses: { 'points.write': [{ value: 1500 }] } },
      },
    ],
  });
  writeSitePack(directory, 'hangs-after-writing', {
    contract: {
      sla: { max_execution_time_ms: 200, retry_policy: { attempts: 0 }, idempotent: false },
      security: points,
      capabilities: ['points.write'],
    },
    handle: `await context.use('points.write', {}); await new Promise(() => {});`,
  });
  writeSitePack(directory, 'wrong-answer', {
    contract: { schema: { parameters: { properties: {} }, response: value } },
    handle: 'return { result: { value: 5 } };',
    cases: [{ name: 'is six', expect: { ok: { value: 6 } } }],
  });
  writeSitePack(directory, 'doubles', {
    contract: {
      schema: { parameters: { properties: {} }, response: value },
      // Long enough for a worker that has to start first.
      sla: { max_execution_time_ms: 8000, retry_policy: { attempts: 0 }, idempotent: true },
      capabilities: ['tools.call'],
      depends_on: ['read-21'],
    },
    handle: `const { result } = await context.use('tools.call', { tool: 'read-21' });
      return { result: { value: 2 * result.value } };`,
    cases: [
      {
        name: 'doubles',
        capabilities: { 'tools.call': [{ result: { value: 4 } }] },
        expect: { ok: { value: 8 } },
      },
    ],
  });
  writeSitePack(directory, 'fails', {
    contract: {
      fallback_tool: 'read-21',
      security: { access_level: 'PUBLIC', risk: 'none', data_scope: [] },
    },
    handle: `throw 'just a text';`,
  });
  tools = composeTools(
    {
      packs: toolPacks(directory),
      siteDirectory: directory,
      capabilities,
      admit: ({ consent }, { security }) =>
        security.risk === 'none' || consent !== undefined
          ? { ok: true }
          : { ok: false, code: 'NOT_CONFIRMED', message: 'nobody said yes' },
      tickets: {
        open: async (request) => {
          tickets.push(request);
          return 'tk_1';
        },
      },
      stateHash: () => undefined,
      names: () => undefined,
      lacking: new Set(),
    },
    { clocks: systemClocks(), scheduler: systemScheduler, logger: silentLogger() },
  );
  for (const service of tools.services) await service.start(new AbortController().signal);
  await tools.begin();
  for (const { name } of tools.registry.all()) await tools.registry.whenTested(name, 50_000);
});

afterAll(async () => {
  for (const service of tools.services.toReversed()) await service.stop(5000);
  rmSync(directory, { recursive: true });
});

const consent = { confirmationId: 'c', by: 'Wang', ground: [] };
let turn = 0;
const call = (tool: string, changes: Partial<ToolCall> = {}) => {
  turn += 1;
  const { caller } = toolCall(tool);
  return tools.runner.call(toolCall(tool, { caller: { ...caller, turnId: `tr_${turn}` }, ...changes }));
};

describe('packs in real child processes', () => {
  it('are used when their tests pass: shipped ones and those of the site', () => {
    const states = Object.fromEntries(tools.registry.all().map(({ name, state }) => [name, state]));
    expect(states).toMatchObject({
      'who-am-i': 'READY',
      'read-21': 'READY',
      'set-speed': 'READY',
      doubles: 'READY',
    });
  });

  it('are not used when a test fails, and say which', async () => {
    expect(tools.registry.state('wrong-answer')).toBe('UNHEALTHY');
    expect(tools.registry.faults('wrong-answer')[0]).toMatch(
      /test "is six": came to \{"value":5\}, not to \{"value":6\}/u,
    );
    expect(codeOf(await call('wrong-answer'))).toBe('TOOL_UNAVAILABLE');
  });

  it('were tested without anything being written', () => {
    expect(written).toEqual([]);
  });

  it('are called with what the session knows of the caller', async () => {
    const { caller } = toolCall('who-am-i');
    expect(
      await call('who-am-i', { caller: { ...caller, person: { id: 'p-7', name: 'Wang' } } }),
    ).toMatchObject({
      status: 'ok',
      result: { station: 'ask', role: 'operator', person: 'Wang' },
    });
  });

  it('do not act without consent, and act once with it', async () => {
    const args = { speed: { value: 25, unit: 'Hz' } };
    expect(codeOf(await call('set-speed', { args }))).toBe('NOT_CONFIRMED');
    expect(written).toEqual([]);
    expect(codeOf(await call('set-speed', { args, consent }))).toBe('ok');
    expect(written).toEqual([{ args: { value: 1500 }, station: 'ask' }]);
  });

  it('use each other by declaration', async () => {
    expect(await call('doubles')).toMatchObject({ status: 'ok', result: { value: 42 } });
  });

  it('that throw anything are answered by the tool that stands in', async () => {
    const outcome = await call('fails');
    // The result is held against the contract of the tool that gave it.
    expect(outcome).toMatchObject({ status: 'ok', result: { value: 21 }, degradedBy: 'tool' });
  });

  it('that hang after they began to act are killed at their limit and a second; nobody says that nothing happened', async () => {
    const outcome = await call('hangs-after-writing', { consent });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'OUTCOME_UNKNOWN' }, ticketId: 'tk_1' });
    expect(tickets.at(-1)).toMatchObject({
      tool: 'hangs-after-writing',
      code: 'OUTCOME_UNKNOWN',
      safety: true,
    });
  });

  it('are shown with contract and figures', () => {
    const summary = tools.summaries().find(({ name }) => name === 'read-21');
    expect(summary).toMatchObject({ state: 'READY', origin: 'site', risk: 'none', access_level: 'PUBLIC' });
    expect(summary?.calls).toBeGreaterThan(0);
  });
});
