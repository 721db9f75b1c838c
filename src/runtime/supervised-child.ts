import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { killGroup } from './kill-group.ts';

const MAX_COMPLAINT_CHARACTERS = 2000;

export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the program could not be started at all. */
  readonly startError: NodeJS.ErrnoException | undefined;
  /** The beginning of what it wrote to stderr. */
  readonly complaint: string;
}

/** A program in its own process group, whose end is always learned and which can be killed with all it started. */
export class SupervisedChild {
  readonly program: string;
  /** Resolves once the program is gone and its output has been read; never rejects. */
  readonly ended: Promise<ChildEnd>;
  readonly #child: ChildProcessWithoutNullStreams;
  #over = false;
  #complaint = '';
  #inputError: Error | undefined;

  constructor(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.program = program;
    this.#child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(0, MAX_COMPLAINT_CHARACTERS);
    });
    // A program that ends early breaks the pipe; its exit code says why, the pipe does not.
    this.#child.stdin.on('error', (error) => {
      this.#inputError = error;
    });
    this.ended = new Promise((resolve) => {
      let startError: NodeJS.ErrnoException | undefined;
      const over = (code: number | null, signal: NodeJS.Signals | null): void => {
        this.#over = true;
        resolve({ code, signal, startError, complaint: this.#complaint.trim() });
      };
      this.#child.once('error', (error) => {
        startError = error;
        if (this.#child.pid === undefined) over(null, null);
      });
      this.#child.once('close', over);
    });
  }

  get over(): boolean {
    return this.#over;
  }

  get output(): Readable {
    return this.#child.stdout;
  }

  /** Resolves when the operating system has taken the bytes; false when the program no longer takes any. */
  write(bytes: Buffer): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.#over || this.#inputError !== undefined) return resolve(false);
      this.#child.stdin.write(bytes, (error) => resolve(error === undefined || error === null));
    });
  }

  endInput(text: string | Uint8Array = ''): void {
    this.#child.stdin.end(text);
  }

  /** Kills the whole group at once and lets unread output go. */
  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#over) return;
    killGroup(pid);
  }

  /** Kills and reaps a program whose output nobody reads. */
  async dispose(): Promise<void> {
    this.kill();
    this.#child.stdout.resume();
    await this.ended;
  }
}
