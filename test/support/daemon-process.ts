import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const statusSchema = z.object({
  status: z.string(),
  ready: z.boolean(),
  parts: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      detail: z.string(),
      figures: z.record(z.string(), z.number()).optional(),
    }),
  ),
});
export type ReportedStatus = z.infer<typeof statusSchema>;

/** The built daemon as a process of its own, with its own configuration file and state. */
export interface DaemonProcess {
  readonly directory: string;
  readonly configFile: string;
  readonly pid: number;
  /** The JSON log so far. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  health(): Promise<ReportedStatus>;
  /** Resolves when the part is in the status. */
  part(name: string, status: string, withinMs?: number): Promise<ReportedStatus['parts'][number]>;
  /** Runs another command of the program with the same configuration. */
  command(
    ...args: string[]
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Ends it with SIGTERM; the exit status. */
  stop(): Promise<number | null>;
}

/** Starts it and waits until it is ready. `yaml` is the configuration, without `state_dir` and `http`. */
export async function startDaemon(
  yaml: string,
  options: {
    readonly env?: Record<string, string>;
    readonly plant?: string;
    /** Fills its directory before it starts; its state is in `state` there. */
    readonly prepare?: (directory: string) => Promise<void>;
  } = {},
): Promise<DaemonProcess> {
  if (!existsSync(PROGRAM)) throw new Error('the program is not built: npm run build');
  const directory = mkdtempSync(join(tmpdir(), 'hermes-node-'));
  const port = await freePort();
  const configFile = join(directory, 'hermes-edge.yaml');
  if (options.plant !== undefined) writeFileSync(join(directory, 'plant.yaml'), options.plant);
  await options.prepare?.(directory);
  writeFileSync(configFile, `${yaml}\nstate_dir: state\nhttp:\n  port: ${port}\n`);

  const env = { ...process.env, ...options.env };
  const child = spawn(process.execPath, [PROGRAM, 'run', '--config', configFile], {
    env,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const log: Record<string, unknown>[] = [];
  const complaints: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('{')) log.push(JSON.parse(line));
    else complaints.push(line);
  });
  const atExit = (): void => void child.kill('SIGKILL');
  process.once('exit', atExit);

  const health = async (): Promise<ReportedStatus> =>
    statusSchema.parse(await (await fetch(`http://127.0.0.1:${port}/healthz`)).json());
  await eventually(
    'the daemon is ready',
    async () => {
      if (child.exitCode !== null)
        throw new Error(`the daemon ended with ${child.exitCode}:\n${complaints.join('\n')}`);
      return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200;
    },
    30_000,
  );
  return {
    directory,
    configFile,
    pid: child.pid ?? 0,
    log,
    health,
    part: (name, status, withinMs = 20_000) =>
      eventually(
        `${name} is ${status}`,
        async () => (await health()).parts.find((part) => part.name === name && part.status === status),
        withinMs,
      ),
    command: (...args) => runProgram([...args, '--config', configFile], env),
    async stop() {
      process.removeListener('exit', atExit);
      const code = await ended(child);
      rmSync(directory, { recursive: true, force: true });
      return code;
    },
  };
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
  return child.exitCode;
}

/** Runs the built program to its end. */
export async function runProgram(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  await once(child, 'close');
  return {
    code: child.exitCode,
    stdout: Buffer.concat(out).toString('utf8'),
    stderr: Buffer.concat(err).toString('utf8'),
  };
}
