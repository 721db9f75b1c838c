import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';

/** Starting takes about two seconds under emulation, more on a machine that is busy. */
const WITHIN_MS = 120_000;

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process on the emulated processor with all that it has said. */
export class Arm64Process {
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

  /** Ends it and all its children at once. */
  async kill(): Promise<void> {
    if (this.#over || this.#child.pid === undefined) return;
    process.kill(-this.#child.pid, 'SIGKILL');
    await once(this.#child, 'close');
  }
}

/** Starts things on the emulated processor. */
export class Arm64Node {
  readonly appFolder: string;
  readonly #command: string;
  readonly #started: Arm64Process[] = [];

  constructor(options: { readonly command: string; readonly appFolder: string }) {
    this.#command = options.command;
    this.appFolder = options.appFolder;
  }

  start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Arm64Process {
    const started = new Arm64Process(this.#command, args, environment);
    this.#started.push(started);
    return started;
  }

  /** `hermes-edge …` */
  hermesEdge(args: readonly string[], environment?: Readonly<Record<string, string>>): Arm64Process {
    return this.start([join(this.appFolder, 'dist/main.js'), ...args], environment);
  }

  async killAll(): Promise<void> {
    for (const each of this.#started) await each.kill();
  }
}
