import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The built program while it runs, as whoever started it in a terminal sees it. */
export interface RunningProgram {
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves when the output holds the text; fails at once when the program ends without it. */
  says(text: string | RegExp, withinMs?: number): Promise<void>;
  /** The exit status after the signal, if one is given; fails when it does not end within the time. */
  ended(signal?: NodeJS.Signals, withinMs?: number): Promise<number | NodeJS.Signals>;
}

export function startProgram(
  args: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
): RunningProgram {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: options.env ?? process.env,
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const atExit = (): void => void child.kill('SIGKILL');
  process.once('exit', atExit);
  const closed = once(child, 'close').then(() => process.removeListener('exit', atExit));
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid ?? 0,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    async says(text, withinMs = 20_000) {
      await eventually(
        `it says ${text}`,
        () => {
          if (typeof text === 'string' ? stdout.includes(text) : text.test(stdout)) return true;
          if (isOver()) throw new Error(`it ended without saying ${text}:\n${stdout}\n${stderr}`);
          return false;
        },
        withinMs,
      ).catch((error: unknown) => {
        throw new Error(`it did not say ${text}:\n${stdout}\n${stderr}`, { cause: error });
      });
    },
    async ended(signal, withinMs = 5000) {
      if (signal !== undefined) child.kill(signal);
      await eventually('it ends', isOver, withinMs);
      await closed;
      return child.exitCode ?? child.signalCode ?? 'SIGKILL';
    },
  };
}

/** Process ids of all that descend from a process. */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/u.test(name))) {
    const parent = parentOf(entry);
    if (parent !== undefined) parents.set(Number(entry), parent);
  }
  const found = [pid];
  for (const each of found) for (const [child, parent] of parents) if (parent === each) found.push(child);
  return found.slice(1);
}

/** Whether a process runs; one that only waits to be reaped does not. */
export function isRunning(pid: number): boolean {
  return parentOf(String(pid)) !== undefined;
}

function parentOf(pid: string): number | undefined {
  try {
    // The name of a program, in brackets, may hold anything.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return state === 'Z' || state === 'X' ? undefined : Number(parent);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
