import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../../runtime/edge-error.ts';
import type { WorkerCommand } from './worker-command.ts';
import { encodeFrame, type WorkerFrame } from './worker-frames.ts';
import { WorkerMessage } from './worker-messages.ts';

/** A line longer than this is no message of ours. */
const MAX_LINE_CHARACTERS = 1024 * 1024;
const KEPT_COMPLAINT_CHARACTERS = 2_000;

export interface WorkerEvents {
  readonly onMessage: (message: WorkerMessage) => void;
  /** Once, after the last message; `why` is one line for a person. */
  readonly onExit: (why: string) => void;
}

/** One child: frames in, checked messages out, and its end. In its own process group, so that all of it can be killed. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #events: WorkerEvents;
  #line = '';
  #complaint = '';
  #reason: string | undefined;
  #ended = false;

  constructor(command: WorkerCommand, args: readonly string[], events: WorkerEvents) {
    this.#events = events;
    this.#child = spawn(command.program, [...command.args, ...args], {
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      env: childEnvironment(),
    });
    const [input, , complaints, messages] = this.#child.stdio;
    if (!input || !complaints || !isReadable(messages))
      throw new Error('the child was started without its pipes');
    this.#input = input;
    // A child that dies leaves a broken pipe; its exit tells the story.
    input.on('error', (error) => this.#because(`its input broke: ${error.message}`));
    complaints.on('data', (bytes: Buffer) => {
      this.#complaint = (this.#complaint + bytes.toString()).slice(-KEPT_COMPLAINT_CHARACTERS);
    });
    messages.on('data', (bytes: Buffer) => this.#read(bytes));
    this.#child.once('error', (error) => this.#end(`it could not be started: ${error.message}`));
    this.#child.once('close', (code, signal) => this.#end(this.#reason ?? describeExit(code, signal)));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The last of what it wrote to its standard error, which is libvosk's log. */
  get complaint(): string {
    return this.#complaint.trim();
  }

  send(frame: WorkerFrame): void {
    if (!this.#ended) this.#input.write(encodeFrame(frame));
  }

  /** Asks it to end. */
  close(): void {
    this.#input.end();
  }

  /** Ends it and whatever it started, at once; `why` becomes the reason of its exit. */
  kill(why: string): void {
    this.#because(why);
    const { pid } = this.#child;
    if (pid === undefined || this.#ended) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      // The group is gone when the child ended at this moment: its exit event is on the way.
      this.#because(messageOf(error));
    }
  }

  /** Resident memory in megabytes; undefined when the child has gone. VmRSS, since pages of a Pi 5 have 16 KB. */
  async residentMb(): Promise<number | undefined> {
    try {
      const status = await readFile(`/proc/${this.#child.pid}/status`, 'utf8');
      const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
      return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
    } catch {
      return undefined;
    }
  }

  #because(why: string): void {
    this.#reason ??= why;
  }

  #end(why: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#events.onExit(why);
  }

  #read(bytes: Buffer): void {
    const lines = (this.#line + bytes.toString()).split('\n');
    this.#line = lines.pop() ?? '';
    if (this.#line.length > MAX_LINE_CHARACTERS) this.kill('it sent a message without an end');
    for (const line of lines) this.#message(line);
  }

  #message(line: string): void {
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch (error) {
      this.kill(`it sent what is no message: ${messageOf(error)}`);
      return;
    }
    const checked = WorkerMessage.safeParse(parsed);
    if (checked.success) this.#events.onMessage(checked.data);
    else this.kill(`it sent a message of another shape: ${checked.error.message}`);
  }
}

function isReadable(stream: Readable | Writable | null | undefined): stream is Readable {
  return stream !== null && stream !== undefined && 'read' in stream;
}

/** Nothing of the daemon's environment that a decoder needs not: tokens stay out. */
function childEnvironment(): NodeJS.ProcessEnv {
  // libvosk frees large lattices after each utterance: glibc shall give them back.
  const kept: NodeJS.ProcessEnv = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '65536' };
  for (const name of ['PATH', 'LD_LIBRARY_PATH', 'LANG', 'TMPDIR']) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
}
