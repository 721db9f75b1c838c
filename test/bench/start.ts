/**
 * From starting the process to READY, and the memory it then takes, without voice; and what the voice child takes above
 * the size of its model. The peer is a bare Node process, started in the same run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { report } from './report.ts';

const ROUNDS = 7;
const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'dist/main.js');
const model = join(root, 'config/voice/tiny-en');

async function bareNode(): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await once(child, 'exit');
  return performance.now() - start;
}

async function round(
  voice: boolean,
): Promise<{ readyMs: number; rssMb: number; childRssMb: number | undefined }> {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
  const configFile = join(directory, 'hermes-edge.yaml');
  const plant = JSON.stringify(join(root, 'config/plant/demo.yaml'));
  writeFileSync(
    configFile,
    `site: bench\nplant: [${plant}]\nstate_dir: state\nmicrophone: { enabled: ${voice} }\nspeech: { enabled: false }\nhttp: { port: 0 }\n`,
  );
  const start = performance.now();
  const child = spawn(process.execPath, [program, 'run', '--config', configFile], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines = createInterface({ input: child.stderr });
  for await (const line of lines) if (line.includes('"msg":"ready"')) break;
  const readyMs = performance.now() - start;
  const pid = child.pid ?? 0;
  const rssMb = rss(pid);
  const childRssMb = voice ? await eventually('the voice child', () => largestChild(pid)) : undefined;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  child.stderr.resume();
  await gone;
  rmSync(directory, { recursive: true });
  return { readyMs, rssMb, childRssMb };
}

/** Resident size, megabytes (10^6 bytes). */
function rss(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}

function largestChild(parent: number): number | undefined {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  const sizes = children
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('worker'))
    .map(rss);
  return sizes.length === 0 ? undefined : Math.max(...sizes);
}

function sizeOf(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(directory, name)))
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + entry.size, 0);
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const rounds = [];
const bare = [];
for (let n = 0; n < ROUNDS; n += 1) {
  bare.push(await bareNode());
  rounds.push(await round(false));
}
const withVoice = await round(true);
report(
  'start',
  {
    ready_ms: median(rounds.map(({ readyMs }) => readyMs)),
    ready_max_ms: Math.max(...rounds.map(({ readyMs }) => readyMs)),
    rss_mb: Math.max(...rounds.map(({ rssMb }) => rssMb)),
    voice_rss_mb: (withVoice.childRssMb ?? Number.NaN) - sizeOf(model) / 1e6,
    ready_over_bare_node: median(rounds.map(({ readyMs }) => readyMs)) / median(bare),
  },
  { ready_ms: 1500, rss_mb: 150, voice_rss_mb: 60 },
);
