import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';

/** The program takes about ten seconds to start under emulation, more on a machine that is busy. */
const WITHIN_MS = 120_000;

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process with all that it has said. */
export class WatchedProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<readonly [number | null, NodeJS.Signals | null]>;
  #stdout = '';
  #stderr = '';
  #over = false;

  constructor(command: string, args: readonly string[], environment: Readonly<Record<string, string>>) {
    // A group of its own, so that children it leaves behind can be found and ended.
    this.#child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.#ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (status, signal) => {
        this.#over = true;
        resolve([status, signal]);
      });
    });
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('it was not started');
    return this.#child.pid;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Waits until `probe` gives something; rejects with what the process said when it ends before that. */
  async until<T>(
    what: string,
    probe: () => T | undefined | false | Promise<T | undefined | false>,
  ): Promise<T> {
    return eventually(
      what,
      () => {
        if (this.#over) throw new Error(`it ended before: ${what}\n${this.#stdout}${this.#stderr}`);
        return probe();
      },
      WITHIN_MS,
    );
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Resolves when it has ended and closed its output; rejects after `withinMs`. */
  async end(withinMs = WITHIN_MS): Promise<Ended> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`it still ran after ${withinMs} ms\n${this.#stdout}${this.#stderr}`)),
        withinMs,
      );
    });
    const [status, signal] = await Promise.race([this.#ended, late]).finally(() => clearTimeout(timer));
    return { status, signal, stdout: this.#stdout, stderr: this.#stderr };
  }

  /** Whether it or a child of it is still there. */
  get groupAlive(): boolean {
    try {
      return process.kill(-this.pid, 0);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
      throw error;
    }
  }

  /** Ends it and all its children at once. */
  kill(): void {
    if (this.#child.pid !== undefined && this.groupAlive) process.kill(-this.pid, 'SIGKILL');
  }
}

/** Starts things on the emulated processor, and their peers on this machine's own. */
export class Arm64Node {
  readonly appFolder: string;
  readonly #command: string;
  readonly #started: WatchedProcess[] = [];

  constructor(options: { readonly command: string; readonly appFolder: string }) {
    this.#command = options.command;
    this.appFolder = options.appFolder;
  }

  start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): WatchedProcess {
    return this.#keep(new WatchedProcess(this.#command, args, environment));
  }

  startPeer(command: string, args: readonly string[]): WatchedProcess {
    return this.#keep(new WatchedProcess(command, args, {}));
  }

  /** `hermes-edge …` */
  hermesEdge(args: readonly string[], environment?: Readonly<Record<string, string>>): WatchedProcess {
    return this.start([join(this.appFolder, 'dist/main.js'), ...args], environment);
  }

  killAll(): void {
    for (const each of this.#started) each.kill();
  }

  #keep(started: WatchedProcess): WatchedProcess {
    this.#started.push(started);
    return started;
  }
}
