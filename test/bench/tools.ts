/**
 * How long a call of a tool takes in the sandbox, and what a hostile tool does to the daemon meanwhile:
 * - warm: who-am-i with its one use of a capability, in the worker that has it;
 * - next tool: the same in a worker that stands ready with nothing loaded;
 * - fresh: the peer, a Node started for each call;
 * - the event loop of this process while the whole hostile set runs, two at a time;
 * - memory of a warm worker: its own, and with the pages of the program that all share.
 * Ends with one JSON line.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { parse } from 'yaml';
import { ProcessSandbox, SANDBOX_DEFAULTS } from '../../src/adapters/sandbox/process-sandbox.ts';
import { toolContractSchema } from '../../src/domain/tool/tool-contract.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { CapabilityHost } from '../../src/tooling/capability.ts';
import { BuiltTools } from '../support/built-tools.ts';
import { eventually } from '../support/eventually.ts';
import { callOf, HOSTILE_TOOLS, hostilePack } from '../support/tool-pack.ts';
import { percentile, report } from './report.ts';

const WARM_CALLS = 1000;
const NEXT_TOOLS = 30;
const FRESH_CALLS = 20;
const BUDGET = { p95_ms: 20, event_loop_p99_ms: 50 };

const never = new AbortController().signal;
const caller: CapabilityHost = async () => ({ station: 'line-1', role: 'operator', person: null });
const tools = new BuiltTools();
const handler = join(tools.packs, 'who-am-i', 'handler.js');
const contract = toolContractSchema.parse(
  parse(readFileSync(join(tools.packs, 'who-am-i', 'tool.yaml'), 'utf8')),
);
const pack = { contract, handler };

function openSandbox(): ProcessSandbox {
  const runtime = { clocks: systemClocks(), scheduler: systemScheduler, logger: silentLogger() };
  const settings = {
    ...SANDBOX_DEFAULTS,
    callsPerWorker: WARM_CALLS * 2,
    readable: [tools.packs, HOSTILE_TOOLS],
  };
  return new ProcessSandbox(settings, runtime, tools.worker);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function warmCalls(sandbox: ProcessSandbox): Promise<number[]> {
  const view = sandbox.servedBy(caller);
  const call = async (): Promise<void> => {
    const outcome = await view.run(pack, callOf('who-am-i'), never);
    if (!outcome.ok) throw new Error(`who-am-i failed: ${outcome.message}`);
  };
  await call();
  const timesMs: number[] = [];
  for (let i = 0; i < WARM_CALLS; i++) timesMs.push(await timed(call));
  return timesMs;
}

/** Each set of capabilities has workers of its own, as each tool has. */
async function nextTools(sandbox: ProcessSandbox): Promise<number[]> {
  const timesMs: number[] = [];
  for (let i = 0; i < NEXT_TOOLS; i++) {
    await eventually('a worker stands ready', () => sandbox.health().figures?.['ready'] === 1);
    const view = sandbox.servedBy(caller);
    timesMs.push(await timed(() => view.run(pack, callOf('who-am-i'), never)));
  }
  return timesMs;
}

/** The least that a Node of its own for each call costs: no limits, no checks, one answer on its standard output. */
function freshCall(): Promise<void> {
  const program = `const { handle } = await import(${JSON.stringify(handler)});
    const use = async () => ({ station: 'line-1', role: 'operator', person: null });
    process.stdout.write(JSON.stringify(await handle({}, { use })));`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let answer = '';
    child.stdout.on('data', (bytes: Buffer) => {
      answer += bytes.toString();
    });
    child.once('close', () =>
      answer.includes('"result"') ? resolve() : reject(new Error(`no answer: ${answer}`)),
    );
  });
}

/** Every fixture, some with time and processor to do their worst. Returns how many calls were answered with a failure. */
async function hostileSet(sandbox: ProcessSandbox): Promise<number> {
  const view = sandbox.servedBy(async () => null);
  const names = readdirSync(HOSTILE_TOOLS).map((file) => file.slice(0, -'.mjs'.length));
  const attacks = names.flatMap((name) => [
    hostilePack(name, { limitMs: 500 }),
    hostilePack(name, { limitMs: 1500, sandbox: { cpu_ms: 5000 } }),
  ]);
  let failures = 0;
  const next = async (): Promise<void> => {
    for (let attack = attacks.shift(); attack !== undefined; attack = attacks.shift()) {
      const { name } = attack.contract;
      const outcome = await view.run(
        attack,
        callOf(name, { kind: 'trap', merge: {}, paths: [], port: 9 }),
        never,
      );
      if (!outcome.ok) failures += 1;
    }
  };
  await Promise.all([next(), next()]);
  return failures;
}

/** Megabytes: what the workers hold for themselves, and what they hold with the pages of shared files. */
function memoryOf(pids: readonly number[]): { readonly privateMb: number; readonly rssMb: number } {
  const each = pids.map((pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024;
    return { privateMb: megabytes('RssAnon'), rssMb: megabytes('VmRSS') };
  });
  return {
    privateMb: Math.max(...each.map(({ privateMb }) => privateMb)),
    rssMb: Math.max(...each.map(({ rssMb }) => rssMb)),
  };
}

const sandbox = openSandbox();
await sandbox.start();
const warmMs = await warmCalls(sandbox);
const memory = memoryOf(sandbox.workerPids);
const nextMs = await nextTools(sandbox);

const freshMs: number[] = [];
for (let i = 0; i < FRESH_CALLS; i++) freshMs.push(await timed(freshCall));

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const failures = await hostileSet(sandbox);
delay.disable();
await sandbox.stop();
tools.remove();

report(
  'tools',
  {
    p50_ms: percentile(warmMs, 0.5),
    p95_ms: percentile(warmMs, 0.95),
    next_tool_p50_ms: percentile(nextMs, 0.5),
    next_tool_p95_ms: percentile(nextMs, 0.95),
    fresh_node_p50_ms: percentile(freshMs, 0.5),
    fresh_node_p95_ms: percentile(freshMs, 0.95),
    worker_private_mb: memory.privateMb,
    worker_rss_mb: memory.rssMb,
    hostile_calls_failed: failures,
    event_loop_p99_ms: delay.percentile(99) / 1e6,
    event_loop_max_ms: delay.max / 1e6,
  },
  BUDGET,
);
