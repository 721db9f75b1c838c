import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProcessSandbox, SANDBOX_DEFAULTS } from '../../../src/adapters/sandbox/process-sandbox.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ToolErrorCode } from '../../../src/domain/tool/tool-call.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import type { HandlerOutcome, Sandbox } from '../../../src/tooling/sandbox-port.ts';
import { BuiltTools } from '../../support/built-tools.ts';
import { eventually } from '../../support/eventually.ts';
import { callOf, HOSTILE_TOOLS, hostilePack, type Limits } from '../../support/tool-pack.ts';

const runtime = { clocks: systemClocks(), scheduler: systemScheduler, logger: silentLogger() };
const never = new AbortController().signal;
let tools: BuiltTools;
let sandbox: ProcessSandbox;
let served: Sandbox;

beforeAll(async () => {
  tools = new BuiltTools();
  sandbox = new ProcessSandbox({ ...SANDBOX_DEFAULTS, readable: [HOSTILE_TOOLS] }, runtime, tools.worker);
  served = sandbox.servedBy(async () => ({ machines: 2 }));
  await sandbox.start();
});

afterAll(async () => {
  const pids = sandbox.workerPids;
  await sandbox.stop();
  tools.remove();
  expect(pids.filter(isAlive)).toEqual([]);
  expect(marked()).toEqual([]);
});

function run(name: string, args: JsonObject = {}, limits: Limits = {}): Promise<HandlerOutcome> {
  return served.run(hostilePack(name, limits), callOf(name, args), never);
}

interface Attack {
  readonly tool: string;
  readonly args?: JsonObject;
  readonly limits?: Limits;
  readonly code: ToolErrorCode;
}

const SHORT: Limits = { limitMs: 200 };
/** Long enough for a slow machine: the processor time is what ends these. */
const LONG: Limits = { limitMs: 20_000 };
const PATIENT: Limits = { limitMs: 20_000, sandbox: { cpu_ms: 20_000 } };

const ATTACKS: readonly Attack[] = [
  { tool: 'infinite-loop', limits: LONG, code: 'TOOL_CPU' },
  { tool: 'infinite-microtasks', limits: LONG, code: 'TOOL_CPU' },
  { tool: 'infinite-loop-at-load', limits: SHORT, code: 'TOOL_TIMEOUT' },
  { tool: 'bomb-of-buffers', limits: PATIENT, code: 'TOOL_OOM' },
  { tool: 'bomb-in-one-buffer', limits: PATIENT, code: 'TOOL_OOM' },
  { tool: 'bomb-of-objects', limits: PATIENT, code: 'TOOL_OOM' },
  { tool: 'forks', code: 'TOOL_FAILED' },
  { tool: 'threads', code: 'TOOL_FAILED' },
  { tool: 'giant-output', limits: PATIENT, code: 'OUTPUT_INVALID' },
  { tool: 'endless-console', limits: PATIENT, code: 'OUTPUT_INVALID' },
  { tool: 'throws', args: { kind: 'text' }, code: 'TOOL_FAILED' },
  { tool: 'throws', args: { kind: 'nothing' }, code: 'TOOL_FAILED' },
  { tool: 'throws', args: { kind: 'null' }, code: 'TOOL_FAILED' },
  { tool: 'throws', args: { kind: 'trap' }, code: 'TOOL_FAILED' },
  { tool: 'throws', args: { kind: 'proxy' }, code: 'TOOL_FAILED' },
  { tool: 'throws', args: { kind: 'symbol' }, code: 'TOOL_FAILED' },
  { tool: 'throws-later', code: 'TOOL_FAILED' },
  { tool: 'rejects-unheard', code: 'TOOL_FAILED' },
  { tool: 'never-answers', limits: SHORT, code: 'TOOL_TIMEOUT' },
  { tool: 'exits', code: 'TOOL_UNAVAILABLE' },
  { tool: 'aborts', code: 'TOOL_FAILED' },
  { tool: 'result-with-prototype-key', code: 'OUTPUT_INVALID' },
  { tool: 'result-is-no-json', args: { kind: 'nothing' }, code: 'OUTPUT_INVALID' },
  { tool: 'result-is-no-json', args: { kind: 'number' }, code: 'OUTPUT_INVALID' },
  { tool: 'result-is-no-json', args: { kind: 'bigint' }, code: 'OUTPUT_INVALID' },
  { tool: 'result-is-no-json', args: { kind: 'circular' }, code: 'OUTPUT_INVALID' },
  { tool: 'result-is-no-json', args: { kind: 'deep' }, code: 'OUTPUT_INVALID' },
  { tool: 'result-is-no-json', args: { kind: 'list' }, code: 'OUTPUT_INVALID' },
  { tool: 'result-is-no-json', args: { kind: 'say' }, code: 'OUTPUT_INVALID' },
  { tool: 'floods-capabilities', limits: PATIENT, code: 'TOOL_FAILED' },
  { tool: 'floods-its-pipe', limits: PATIENT, code: 'TOOL_FAILED' },
  { tool: 'garbage-on-its-pipe', code: 'OUTPUT_INVALID' },
  { tool: 'endless-line-on-its-pipe', limits: PATIENT, code: 'OUTPUT_INVALID' },
  { tool: 'closes-its-pipe', code: 'TOOL_UNAVAILABLE' },
  { tool: 'has-no-handle', code: 'TOOL_FAILED' },
  { tool: 'no-such-file', code: 'TOOL_FAILED' },
];

describe('a hostile tool', () => {
  it.each(ATTACKS)('is answered with its code, and the next call is served: $tool $args', async (attack) => {
    const outcome = await run(attack.tool, attack.args, attack.limits);
    expect(outcome).toMatchObject({ ok: false, code: attack.code });
    expect(await run('good', { text: 'as ever' })).toMatchObject({
      ok: true,
      result: { text: 'as ever', plant: { machines: 2 } },
    });
  });

  it('leaves the rest alone while many of them run at once', async () => {
    const attacks = ['infinite-loop', 'bomb-of-buffers', 'never-answers', 'exits', 'garbage-on-its-pipe'];
    const outcomes = await Promise.all([
      ...attacks.map((name) => run(name, {}, SHORT)),
      ...attacks.map(() => run('good')),
    ]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([...attacks.map(() => false), ...attacks.map(() => true)]);
  });

  it('cannot signal its parent', async () => {
    expect(await run('kills-its-parent')).toMatchObject({ ok: true, result: { refused: 3 } });
  });

  it('cannot open a connection of its own, nor listen, nor ask for names', async () => {
    const server = createServer((socket) => socket.end());
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    try {
      expect(await run('opens-connections', { port })).toMatchObject({ ok: true, result: { opened: [] } });
    } finally {
      server.close();
    }
  });

  it('reads no file but those of tools, and writes none', async () => {
    const paths = ['/etc/passwd', '/proc/self/environ', `/proc/${process.pid}/environ`, import.meta.filename];
    expect(await run('reads-files', { paths })).toMatchObject({
      ok: true,
      result: { read: [], written: [] },
    });
  });

  it('cannot change what every object has, by its arguments or by itself', async () => {
    expect(
      await run('pollutes-prototypes', { merge: { constructor: { prototype: { admin: true } } } }),
    ).toMatchObject({
      ok: true,
      result: { admin: false },
    });
  });

  it('gets no arguments with a key that reaches a prototype', async () => {
    const merge: JsonObject = JSON.parse('{"deep": [{"__proto__": {"admin": true}}]}');
    expect(await run('good', { merge })).toMatchObject({ ok: false, code: 'INPUT_INVALID' });
  });

  it('forges nothing by replacing what its process is made of', async () => {
    expect(await run('replaces-globals')).toMatchObject({ ok: true, result: { genuine: true } });
  });

  it('is heard once: what comes after its answer ends its worker', async () => {
    for (const name of ['answers-twice', 'works-after-its-end']) {
      expect(await run(name)).toMatchObject({ ok: true, result: { first: true } });
      expect(await run(name)).toMatchObject({ ok: true, result: { first: true } });
    }
  });

  it('uses no capability that its contract does not list, whatever it sends', async () => {
    const used: string[] = [];
    const view = sandbox.servedBy(async (name) => {
      used.push(name);
      return null;
    });
    const name = 'forges-capability-uses';
    await view.run(hostilePack(name), callOf(name), never);
    expect(used).toEqual([]);
  });

  it('is killed when its process has been stopped by a signal', async () => {
    expect(await run('good')).toMatchObject({ ok: true });
    const stopped = await eventually('a call has begun', () => {
      const pids = sandbox.workerPids.filter(isAlive);
      return pids.length > 0 && pids;
    });
    const outcome = run('good', { wait_ms: 10_000 }, SHORT);
    for (const pid of stopped) signalled(pid, 'SIGSTOP');
    expect(await outcome).toMatchObject({ ok: false, code: 'TOOL_TIMEOUT' });
    for (const pid of stopped) signalled(pid, 'SIGCONT');
  });

  it('leaves no process behind', async () => {
    await Promise.all([run('forks'), run('threads'), run('exits'), run('never-answers', {}, SHORT)]);
    await eventually('only workers live', () => marked().length === sandbox.workerPids.length);
    expect(marked().sort()).toEqual([...sandbox.workerPids].sort());
  });
});

function isAlive(pid: number): boolean {
  return signalled(pid, 0);
}

function signalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Every process on this machine that a worker of this test started, or that is one. */
function marked(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLineOf(name).includes(tools.directory))
    .map(Number);
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
