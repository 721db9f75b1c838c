import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Duplex, type Readable } from 'node:stream';
import type { JsonValue } from '../../domain/json.ts';
import type { ToolErrorCode } from '../../domain/tool/tool-call.ts';
import { killMarked, WORKER_MARK } from './descendants.ts';
import { MessageChannel } from './message-channel.ts';
import { type FromWorker, fromWorkerSchema, type ToWorker } from './messages.ts';
import { offerToOomKiller, ProcessGauge, type ProcessUse } from './process-gauge.ts';
import type { WorkerCommand } from './worker-command.ts';

/** Of arguments of a capability or a result; a result's own limit is its tool's. */
const MAX_PAYLOAD_BYTES = 16_000_000;
const MAX_CONSOLE_BYTES = 65_536;
const KEPT_CONSOLE_CHARACTERS = 2000;

/** Why a worker's life ended, as the call that it was in the middle of tells it. */
export interface WorkerEnd {
  readonly code: ToolErrorCode;
  readonly message: string;
}

export interface WorkerListener {
  readonly onMessage: (message: FromWorker, payload: JsonValue | undefined, bytes: number) => void;
  readonly onEnd: (end: WorkerEnd) => void;
}

/** One child in its own process group: messages in, checked messages out, and its end, after which nothing of it is left. */
export class WorkerProcess {
  /** Resolves once it is gone, with all that it started. */
  readonly gone: Promise<WorkerEnd>;
  readonly pid: number | undefined;
  readonly #child: ChildProcess;
  readonly #channel: MessageChannel | undefined;
  readonly #mark = randomUUID();
  #gauge: ProcessGauge | undefined;
  #listener: WorkerListener | undefined;
  #end: WorkerEnd | undefined;
  #over = false;
  #pipeClosed = false;
  #console = '';
  #consoleBytes = 0;

  constructor(command: WorkerCommand, listener: WorkerListener) {
    this.#listener = listener;
    this.#child = spawn(command.program, command.args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...workerEnvironment(), [WORKER_MARK]: this.#mark },
      cwd: '/',
    });
    this.pid = this.#child.pid;
    this.gone = new Promise((resolve) => {
      this.#child.once('error', (error) => this.#because('TOOL_UNAVAILABLE', `no worker: ${error.message}`));
      // Not "close": a descendant that has left the group could hold the pipes open.
      this.#child.once(this.pid === undefined ? 'error' : 'exit', () => void this.#ended().then(resolve));
    });
    const { stdout, stderr, stdio } = this.#child;
    this.#watchConsole(stdout);
    this.#watchConsole(stderr);
    const pipe = stdio[3];
    if (pipe instanceof Duplex) this.#channel = this.#openChannel(pipe);
    if (this.pid !== undefined) this.#open(this.pid);
  }

  get over(): boolean {
    return this.#over;
  }

  /** The last of what it wrote to its console. */
  get console(): string {
    return this.#console.trim();
  }

  /** Who hears what comes next; nobody when undefined. */
  listen(listener: WorkerListener | undefined): void {
    this.#listener = listener;
  }

  send(message: ToWorker, payload?: JsonValue): void {
    if (!this.#over) this.#channel?.send(message, payload);
  }

  /** Undefined when it has gone. */
  use(): ProcessUse | undefined {
    return this.#gauge?.read();
  }

  /** See ProcessGauge. */
  dataKb(): number | undefined {
    return this.#gauge?.dataKb();
  }

  /** Ends it and its group at once; the first reason given is the one that is told. */
  kill(code: ToolErrorCode, message: string): void {
    this.#because(code, message);
    if (!this.#over) this.#killGroup();
  }

  #because(code: ToolErrorCode, message: string): void {
    this.#end ??= { code, message };
  }

  /** The number of a process that could not be looked at is left alone: its exit event comes. */
  #open(pid: number): void {
    try {
      this.#gauge = new ProcessGauge(pid);
      offerToOomKiller(pid);
    } catch (error) {
      this.kill('TOOL_UNAVAILABLE', `a worker that cannot be watched: ${String(error)}`);
    }
  }

  #openChannel(pipe: Duplex): MessageChannel {
    return new MessageChannel(pipe, MAX_PAYLOAD_BYTES, {
      onMessage: (message, payload, bytes) => {
        const checked = fromWorkerSchema.safeParse(message);
        if (checked.success) this.#listener?.onMessage(checked.data, payload, bytes);
        else this.kill('OUTPUT_INVALID', `it sent a message of another shape: ${checked.error.message}`);
      },
      onBroken: (why, closed) => {
        if (closed) this.#closed();
        else this.kill('OUTPUT_INVALID', why);
      },
    });
  }

  /** Mostly the first sign of an exit, which tells more: no reason is noted yet. */
  #closed(): void {
    this.#pipeClosed = true;
    this.#killGroup();
  }

  #watchConsole(stream: Readable | null): void {
    stream?.on('data', (bytes: Buffer) => {
      this.#consoleBytes += bytes.length;
      this.#console = (this.#console + bytes.toString()).slice(-KEPT_CONSOLE_CHARACTERS);
      if (this.#consoleBytes > MAX_CONSOLE_BYTES)
        this.kill('OUTPUT_INVALID', `it wrote more than ${MAX_CONSOLE_BYTES} bytes to its console`);
    });
    stream?.on('error', (error) => this.#because('TOOL_UNAVAILABLE', `its console broke: ${error.message}`));
  }

  async #ended(): Promise<WorkerEnd> {
    if (this.#over) return this.#end ?? unexplained();
    this.#over = true;
    const { exitCode, signalCode } = this.#child;
    this.#end ??=
      this.#pipeClosed && signalCode === 'SIGKILL'
        ? { code: 'TOOL_UNAVAILABLE', message: 'it closed its pipe' }
        : endOf(exitCode, signalCode);
    this.#gauge?.close();
    this.#channel?.close();
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    // It has ended, but others of its group may live.
    this.#killGroup();
    this.#listener?.onEnd(this.#end);
    await killMarked(this.#mark);
    return this.#end;
  }

  #killGroup(): void {
    if (this.pid === undefined) return;
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // ESRCH: nobody of the group is left.
      return;
    }
  }
}

function unexplained(): WorkerEnd {
  return { code: 'TOOL_UNAVAILABLE', message: 'its worker ended' };
}

/** V8 ends a process that it cannot give memory by an abort or a trap; a handler has no other way to either. */
const OUT_OF_MEMORY: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL'];

function endOf(code: number | null, signal: NodeJS.Signals | null): WorkerEnd {
  if (OUT_OF_MEMORY.includes(signal)) return { code: 'TOOL_OOM', message: 'it ran out of memory' };
  const how = signal === null ? `with code ${code}` : `by ${signal}`;
  return { code: 'TOOL_UNAVAILABLE', message: `its worker ended ${how}` };
}

/** Nothing of the daemon's environment but what a date and a text need: tokens stay out. */
function workerEnvironment(): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' };
  for (const name of ['PATH', 'LANG', 'TZ']) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
