import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { killMarked, WORKER_MARK } from '../../../src/adapters/sandbox/descendants.ts';
import {
  ProcessSandbox,
  SANDBOX_DEFAULTS,
  type SandboxSettings,
} from '../../../src/adapters/sandbox/process-sandbox.ts';
import { ownWorker } from '../../../src/adapters/sandbox/worker-command.ts';
import type { JsonValue } from '../../../src/domain/json.ts';
import { toolContractSchema } from '../../../src/domain/tool/tool-contract.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { EdgeError } from '../../../src/runtime/edge-error.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import type { CapabilityHost } from '../../../src/tooling/capability.ts';
import type { ToolPack } from '../../../src/tooling/sandbox-port.ts';
import { BuiltTools } from '../../support/built-tools.ts';
import { eventually } from '../../support/eventually.ts';
import { callOf, HOSTILE_TOOLS, hostilePack } from '../../support/tool-pack.ts';

const runtime = { clocks: systemClocks(), scheduler: systemScheduler, logger: silentLogger() };
const never = new AbortController().signal;
const TOOLS = fileURLToPath(new URL('../../../tools', import.meta.url));
const PLANT: CapabilityHost = async () => ({ machines: 2 });
/** Far more than anything here takes, so that only what a test is about ends a call. */
const PATIENT = { limitMs: 30_000, sandbox: { cpu_ms: 30_000 } };

let tools: BuiltTools;
const started: ProcessSandbox[] = [];

beforeAll(() => {
  tools = new BuiltTools();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((sandbox) => sandbox.stop()));
});
afterAll(() => tools.remove());

async function sandboxOf(
  settings: Partial<SandboxSettings> = {},
  worker = tools.worker,
): Promise<ProcessSandbox> {
  const readable = [HOSTILE_TOOLS, tools.packs, tools.packages];
  const sandbox = new ProcessSandbox({ ...SANDBOX_DEFAULTS, readable, ...settings }, runtime, worker);
  started.push(sandbox);
  await sandbox.start();
  return sandbox;
}

function whoAmI(handler: string): ToolPack {
  const text = readFileSync(join(TOOLS, 'who-am-i', 'tool.yaml'), 'utf8');
  return { contract: toolContractSchema.parse(parse(text)), handler };
}

const good = hostilePack('good', PATIENT);

describe('the sandbox', () => {
  it.each(['built', 'from the sources'])('runs a shipped tool, %s', async (kind) => {
    const built = kind === 'built';
    const sandbox = built ? await sandboxOf() : await sandboxOf({}, ownWorker());
    const directory = join(built ? tools.packs : TOOLS, 'who-am-i');
    const pack = whoAmI(join(directory, built ? 'handler.js' : 'handler.ts'));
    const caller: JsonValue = { station: 'line-1', role: 'maintainer', person: { id: 'p-7', name: 'Wang' } };
    const outcome = await sandbox.servedBy(async () => caller).run(pack, callOf('who-am-i'), never);
    expect(outcome).toMatchObject({
      ok: true,
      result: { station: 'line-1', role: 'maintainer', person: 'Wang' },
      say: [{ phrase: 'known', values: { person: 'Wang' } }],
    });
  });

  it('can load every shipped tool as it is built', async () => {
    const sandbox = await sandboxOf();
    const view = sandbox.servedBy(() => Promise.reject(new EdgeError('TOOL_UNAVAILABLE', 'not here')));
    const names = readdirSync(TOOLS).filter((name) => existsSync(join(TOOLS, name, 'tool.yaml')));
    expect(names).toContain('read-value');
    for (const name of names) {
      const pack = { ...hostilePack(name, PATIENT), handler: join(tools.packs, name, 'handler.js') };
      const outcome = await view.run(pack, callOf(name), never);
      expect(outcome.ok ? '' : outcome.message, name).not.toContain('cannot be loaded');
    }
  });

  it('hands arguments, capability answers and results of any size on as they are', async () => {
    const rows = Array.from({ length: 30_000 }, (_, at) => ({ at, text: `行 ${at}` }));
    const sandbox = await sandboxOf();
    const pack = hostilePack('good', {
      limitMs: 30_000,
      sandbox: { cpu_ms: 30_000, memory_mb: 256, max_output_bytes: 4_000_000 },
    });
    const text = '温度😀'.repeat(50_000);
    const outcome = await sandbox.servedBy(async () => rows).run(pack, callOf('good', { text }), never);
    expect(outcome).toMatchObject({ ok: true, result: { text, plant: rows } });
  });

  it('keeps a worker warm for its tool, and gives it to no other tool and no other capabilities', async () => {
    const sandbox = await sandboxOf();
    const first = sandbox.servedBy(PLANT);
    const calls = async (view = first): Promise<unknown> => {
      const outcome = await view.run(good, callOf('good'), never);
      return outcome.ok ? outcome.result['calls'] : outcome;
    };
    expect([await calls(), await calls(), await calls()]).toEqual([1, 2, 3]);
    expect(await calls(sandbox.servedBy(PLANT))).toBe(1);
    expect(await calls()).toBe(4);
  });

  it('gives a worker up after so many calls', async () => {
    const sandbox = await sandboxOf({ callsPerWorker: 2 });
    const view = sandbox.servedBy(PLANT);
    const seen: unknown[] = [];
    for (let i = 0; i < 5; i++) {
      const outcome = await view.run(good, callOf('good'), never);
      seen.push(outcome.ok && outcome.result['calls']);
    }
    expect(seen).toEqual([1, 2, 1, 2, 1]);
    expect(sandbox.health().figures).toMatchObject({ calls: 5, recycled: 2 });
  });

  it('keeps no more processes than its size and one that stands ready', async () => {
    const sandbox = await sandboxOf({ size: 2 });
    const view = sandbox.servedBy(PLANT);
    for (const name of ['good', 'kills-its-parent', 'replaces-globals', 'good', 'kills-its-parent'])
      await view.run(hostilePack(name, PATIENT), callOf(name), never);
    await eventually('the pool has come to rest', () => sandbox.workerPids.length === 3);
    await sleep(200);
    expect(sandbox.workerPids).toHaveLength(3);
  });

  it('tells the handler at its limit, and takes what it still answers within a second', async () => {
    const sandbox = await sandboxOf();
    const view = sandbox.servedBy(PLANT);
    const late = hostilePack('answers-at-its-limit', { limitMs: 300 });
    expect(await view.run(late, callOf('answers-at-its-limit'), never)).toMatchObject({
      ok: true,
      result: { partial: true },
    });
    const failing = hostilePack('good', { limitMs: 300 });
    expect(await view.run(failing, callOf('good', { wait_ms: 60_000 }), never)).toMatchObject({
      ok: false,
      code: 'TOOL_TIMEOUT',
    });
    expect(sandbox.health().figures).toMatchObject({ timeouts: 1 });
  });

  it('cancels a call: the handler gives way to its signal, or is killed', async () => {
    const sandbox = await sandboxOf();
    const view = sandbox.servedBy(PLANT);
    for (const name of ['good', 'never-answers', 'infinite-loop']) {
      const cancel = new AbortController();
      const outcome = view.run(hostilePack(name, PATIENT), callOf(name, { wait_ms: 60_000 }), cancel.signal);
      await eventually('it runs', () => sandbox.health().figures?.['busy'] === 1);
      await sleep(50);
      cancel.abort();
      expect(await outcome).toMatchObject({ ok: false, code: 'CANCELLED' });
    }
  });

  it('does not begin a call that has been cancelled', async () => {
    const sandbox = await sandboxOf();
    expect(await sandbox.servedBy(PLANT).run(good, callOf('good'), AbortSignal.abort())).toMatchObject({
      ok: false,
      code: 'CANCELLED',
    });
    expect(sandbox.health().figures).toMatchObject({ busy: 0 });
  });

  it('says that the outcome is unknown when a tool fails after something that stays done', async () => {
    const sandbox = await sandboxOf();
    const pack = hostilePack('acts-and-fails', {
      ...PATIENT,
      risk: 'physical',
      capabilities: ['points.write'],
    });
    const view = sandbox.servedBy(async () => null);
    expect(await view.run(pack, callOf('acts-and-fails'), never)).toMatchObject({
      ok: false,
      code: 'OUTCOME_UNKNOWN',
    });
    const refusing = sandbox.servedBy(() => Promise.reject(new EdgeError('DENIED', 'locked by Wang')));
    expect(await refusing.run(pack, callOf('acts-and-fails'), never)).toMatchObject({
      ok: false,
      code: 'DENIED',
      message: 'locked by Wang',
    });
  });

  it('believes a handler that says itself what became of the call, and keeps its worker', async () => {
    const sandbox = await sandboxOf();
    const pack = hostilePack('acts-and-tells', {
      ...PATIENT,
      risk: 'physical',
      capabilities: ['points.write'],
    });
    const view = sandbox.servedBy(async () => null);
    for (const code of ['TOOL_FAILED', 'INPUT_INVALID', 'OUTCOME_UNKNOWN']) {
      expect(await view.run(pack, callOf('acts-and-tells', { code }), never)).toEqual({
        ok: false,
        code,
        message: 'the value did not stay',
        say: [{ phrase: 'mismatch', values: {} }],
      });
    }
    expect(sandbox.health().figures).toMatchObject({ recycled: 0 });
  });

  it('lets calls wait for a worker, so many and no more', async () => {
    const sandbox = await sandboxOf({ size: 1, waiting: 1 });
    const view = sandbox.servedBy(PLANT);
    const calls = [0, 1, 2].map(() => view.run(good, callOf('good', { wait_ms: 300 }), never));
    const outcomes = await Promise.all(calls);
    expect(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.code))).toEqual(['ok', 'ok', 'TOOL_BUSY']);
  });

  it('keeps a place for calls that somebody waits for beside those that run on', async () => {
    const sandbox = await sandboxOf({ size: 2 });
    const view = sandbox.servedBy(PLANT);
    const long = { ...good, contract: { ...good.contract, sla: { ...good.contract.sla, detached: true } } };
    const cancel = new AbortController();
    const running = [0, 1].map(() => view.run(long, callOf('good', { wait_ms: 20_000 }), cancel.signal));
    expect(await view.run(good, callOf('good'), never)).toMatchObject({ ok: true });
    cancel.abort();
    expect((await Promise.all(running)).map(({ ok }) => ok)).toEqual([false, false]);
  });

  it('never makes a tool wait for the place that it holds itself', async () => {
    const sandbox = await sandboxOf({ size: 1 });
    const view = sandbox.servedBy(async (_name, _args, { call, signal }) => {
      if (call.path.length >= 2) return { depth: call.path.length };
      const inner = await view.run(good, callOf('good', {}, [...call.path, call.tool]), signal);
      return inner.ok ? inner.result : inner.code;
    });
    expect(await view.run(good, callOf('good'), never)).toMatchObject({
      ok: true,
      result: { plant: { plant: { plant: { depth: 2 } } } },
    });
  });

  it('gives a tool nothing of the daemon’s environment', async () => {
    process.env['HERMES_TEST_SECRET'] = 'token';
    const sandbox = await sandboxOf();
    delete process.env['HERMES_TEST_SECRET'];
    const outcome = await sandbox
      .servedBy(PLANT)
      .run(hostilePack('shows-environment', PATIENT), callOf('shows-environment'), never);
    expect(outcome).toMatchObject({ ok: true });
    expect(JSON.stringify(outcome)).not.toContain('token');
  });

  it('counts what a tool keeps, not the garbage of 400 MB that it has let go', async () => {
    const sandbox = await sandboxOf();
    const outcome = await sandbox
      .servedBy(PLANT)
      .run(
        hostilePack('makes-garbage', { ...PATIENT, sandbox: { cpu_ms: 30_000, memory_mb: 24 } }),
        callOf('makes-garbage'),
        never,
      );
    expect(outcome).toMatchObject({ ok: true, result: { bytes: 400_000_000 } });
  });

  it('lets a tool build on packages that it may read', async () => {
    const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));
    const sandbox = await sandboxOf({ readable: [HOSTILE_TOOLS, packages] });
    const pack = hostilePack('uses-a-package', PATIENT);
    expect(await sandbox.servedBy(PLANT).run(pack, callOf('uses-a-package'), never)).toMatchObject({
      ok: true,
      result: { parsed: { a: [1, 2] }, spoken: 'wēn dù' },
    });
  });

  it('refuses a pack with a link that leads out of it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hermes-pack-'));
    cpSync(join(HOSTILE_TOOLS, 'good.mjs'), join(directory, 'handler.mjs'));
    symlinkSync('/etc/passwd', join(directory, 'words.txt'));
    const sandbox = await sandboxOf();
    const pack = { ...good, handler: join(directory, 'handler.mjs') };
    try {
      expect(await sandbox.servedBy(PLANT).run(pack, callOf('good'), never)).toMatchObject({
        ok: false,
        code: 'TOOL_UNAVAILABLE',
      });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('reports that no worker can be started, and answers calls without one', async () => {
    const sandbox = await sandboxOf({ waitLimitMs: 500 }, join(tools.directory, 'no-such-worker.js'));
    expect(await sandbox.servedBy(PLANT).run(good, callOf('good'), never)).toMatchObject({
      ok: false,
      code: 'TOOL_UNAVAILABLE',
    });
    await eventually('it is told', () => sandbox.health().status === 'down');
  });

  it('stops with all its processes, and answers the calls that it had', async () => {
    const sandbox = await sandboxOf();
    const view = sandbox.servedBy(PLANT);
    await view.run(good, callOf('good'), never);
    const pids = sandbox.workerPids;
    const running = [0, 1, 2].map(() => view.run(good, callOf('good', { wait_ms: 60_000 }), never));
    await eventually('two run', () => sandbox.health().figures?.['busy'] === 2);
    await sandbox.stop();
    for (const outcome of await Promise.all(running))
      expect(outcome).toMatchObject({ ok: false, code: 'TOOL_UNAVAILABLE' });
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await view.run(good, callOf('good'), never)).toMatchObject({
      ok: false,
      code: 'TOOL_UNAVAILABLE',
    });
  });
});

describe('what a worker started', () => {
  it('is found and killed when it has left the group, and its parent has ended', async () => {
    const mark = randomUUID();
    const shell = spawn('sh', ['-c', 'setsid sh -c "sleep 600 & sleep 600" & setsid sleep 600 & exit 0'], {
      env: { PATH: process.env['PATH'], [WORKER_MARK]: mark },
      stdio: 'ignore',
    });
    await new Promise((resolve) => shell.once('exit', resolve));
    await sleep(200);
    expect(await killMarked(mark)).toBeGreaterThanOrEqual(3);
    expect(await killMarked(mark)).toBe(0);
  });
});
