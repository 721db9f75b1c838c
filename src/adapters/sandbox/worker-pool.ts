import { backoffMs } from '../../runtime/backoff.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { SetDataLimit } from './memory-ceiling.ts';
import { PooledWorker } from './pooled-worker.ts';
import type { WorkerCommand } from './worker-command.ts';
import { WorkerProcess } from './worker-process.ts';

/** A Pi that starts Node from a slow card with all else going on. */
const START_LIMIT_MS = 20_000;
const RESTART = { baseMs: 500, maxMs: 30_000 };
const REFILL_DELAY_MS = 250;
/** Above a tool's own limit: stacks of Node's threads, and what a call may take between two looks at it. */
const CEILING_SLACK_BYTES = 48 * 1024 * 1024;

export interface PoolRuntime {
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
}

export interface PoolSettings {
  /** Workers that are kept warm, busy or not; one more starts or stands ready for the next tool. */
  readonly size: number;
  /** After so many calls a worker makes way for a new one. */
  readonly callsPerWorker: number;
}

/** Workers: those of one tool each, and one with nothing loaded for the next. */
export class WorkerPool {
  readonly #settings: PoolSettings;
  readonly #command: WorkerCommand;
  readonly #setDataLimit: SetDataLimit;
  readonly #runtime: PoolRuntime;
  readonly #workers = new Set<PooledWorker>();
  /** Those that start, and those that end: each must be gone before `close` resolves. */
  readonly #processes = new Set<WorkerProcess>();
  readonly #waiting: ((worker: PooledWorker | undefined) => void)[] = [];
  #starting = 0;
  #failedStarts = 0;
  #cancelRestart: Cancel | undefined;
  #cancelRefill: Cancel | undefined;
  #uses = 0;
  #recycled = 0;
  #closed = false;
  #trouble: string | undefined;

  constructor(
    settings: PoolSettings,
    command: WorkerCommand,
    setDataLimit: SetDataLimit,
    runtime: PoolRuntime,
  ) {
    this.#settings = settings;
    this.#command = command;
    this.#setDataLimit = setDataLimit;
    this.#runtime = runtime;
  }

  /** Why no worker can be started at present. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  get figures(): Readonly<Record<string, number>> {
    const all = [...this.#workers];
    return {
      workers: all.length,
      busy: all.filter((worker) => worker.busy).length,
      ready: this.#blank() === undefined ? 0 : 1,
      recycled: this.#recycled,
    };
  }

  /** Process numbers of the workers that live. */
  get pids(): readonly number[] {
    return [...this.#processes].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /** Lets the first worker start in the background. */
  open(): void {
    this.#refill();
  }

  /** A worker for a tool, which may use so much memory; undefined when the signal fires or the pool closes first. */
  async take(owner: string, memoryMb: number, signal: AbortSignal): Promise<PooledWorker | undefined> {
    const own = [...this.#workers].find((worker) => isFree(worker) && worker.owner === owner);
    const worker = own ?? this.#blank() ?? (await this.#next(signal));
    if (worker === undefined) return undefined;
    worker.busy = true;
    if (worker.owner === undefined) this.#give(worker, owner, memoryMb);
    this.#refillLater();
    return worker;
  }

  /** Takes a worker back after a call. */
  giveBack(worker: PooledWorker): void {
    worker.busy = false;
    worker.lastUse = ++this.#uses;
    if (worker.calls >= this.#settings.callsPerWorker) worker.retire('it has served its calls');
    if (worker.retired !== undefined) this.#remove(worker, worker.retired);
    this.#refill();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRestart?.();
    this.#cancelRefill?.();
    for (const give of this.#waiting.splice(0)) give(undefined);
    for (const process of this.#processes) process.kill('TOOL_UNAVAILABLE', 'the daemon is stopping');
    await Promise.all([...this.#processes].map((process) => process.gone));
    this.#workers.clear();
  }

  #blank(): PooledWorker | undefined {
    return [...this.#workers].find((worker) => isFree(worker) && worker.owner === undefined);
  }

  #next(signal: AbortSignal): Promise<PooledWorker | undefined> {
    if (this.#closed || signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const give = (worker: PooledWorker | undefined): void => {
        signal.removeEventListener('abort', leave);
        resolve(worker);
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(give), 1);
        resolve(undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(give);
      this.#refill();
    });
  }

  #give(worker: PooledWorker, owner: string, memoryMb: number): void {
    worker.owner = owner;
    const { pid } = worker.process;
    const dataKb = worker.process.dataKb();
    if (pid === undefined || dataKb === undefined) return;
    if (!this.#setDataLimit(pid, dataKb * 1024 + memoryMb * 1024 * 1024 + CEILING_SLACK_BYTES))
      this.#runtime.logger.warn(
        { pid },
        'the kernel sets no ceiling on the memory of a tool; it is only watched',
      );
  }

  /** One with nothing loaded stands ready, or starts; for it the one that has rested longest makes way. */
  #refill(): void {
    this.#cancelRefill?.();
    this.#cancelRefill = undefined;
    if (this.#closed || this.#cancelRestart !== undefined) return;
    const wanted = Math.max(1, this.#waiting.length) - this.#starting - (this.#blank() === undefined ? 0 : 1);
    for (let i = 0; i < wanted; i++) {
      if (this.#workers.size + this.#starting > this.#settings.size) this.#makeWay();
      this.#start();
    }
  }

  /** A Node that starts takes a whole processor from the call that has just begun: it waits, unless it is waited for. */
  #refillLater(): void {
    this.#cancelRefill ??= this.#runtime.scheduler.after(REFILL_DELAY_MS, () => this.#refill());
  }

  #makeWay(): void {
    const resting = [...this.#workers].filter((worker) => isFree(worker) && worker.owner !== undefined);
    const longest = resting.sort((a, b) => a.lastUse - b.lastUse)[0];
    if (longest !== undefined) this.#remove(longest, 'another tool needs its place');
  }

  #remove(worker: PooledWorker, why: string): void {
    if (!this.#workers.delete(worker)) return;
    this.#recycled += 1;
    worker.process.kill('TOOL_UNAVAILABLE', why);
    const { console: said } = worker.process;
    this.#runtime.logger.debug({ tool: worker.owner, why, said }, 'a tool worker makes way');
  }

  #start(): void {
    this.#starting += 1;
    let cancelLimit: Cancel = () => undefined;
    let started = false;
    const process: WorkerProcess = new WorkerProcess(this.#command, {
      onMessage: (message) => {
        if (message.type !== 'ready') return process.kill('OUTPUT_INVALID', 'it was not ready first');
        cancelLimit();
        started = true;
        this.#started(process);
      },
      onEnd: () => cancelLimit(),
    });
    this.#processes.add(process);
    cancelLimit = this.#runtime.scheduler.after(START_LIMIT_MS, () =>
      process.kill('TOOL_UNAVAILABLE', 'it did not start in time'),
    );
    void process.gone.then(({ message }) => {
      this.#processes.delete(process);
      if (!started) this.#notStarted(`${message} ${process.console}`.trim());
      else this.#gone(process);
    });
  }

  #started(process: WorkerProcess): void {
    this.#starting -= 1;
    this.#failedStarts = 0;
    this.#trouble = undefined;
    process.listen({
      onMessage: (message) => {
        // The end of a call that has been given up, at the moment of its end.
        if (message.type !== 'end') process.kill('OUTPUT_INVALID', 'it spoke without a call');
      },
      onEnd: () => undefined,
    });
    const worker = new PooledWorker(process, process.use()?.privateKb ?? 0);
    this.#workers.add(worker);
    const give = this.#waiting.shift();
    // Taken here and not by the receiver, before whom another could come.
    worker.busy = give !== undefined;
    give?.(worker);
  }

  /** A worker that ended while nobody used it. */
  #gone(process: WorkerProcess): void {
    if (this.#closed) return;
    for (const worker of this.#workers) {
      if (worker.process === process && !worker.busy) this.#remove(worker, 'it ended while it rested');
    }
    this.#refill();
  }

  #notStarted(why: string): void {
    this.#starting -= 1;
    if (this.#closed) return;
    this.#trouble = why;
    this.#runtime.logger.warn({ why }, 'a tool worker could not be started');
    const delayMs = backoffMs(this.#failedStarts++, RESTART);
    this.#cancelRestart?.();
    this.#cancelRestart = this.#runtime.scheduler.after(delayMs, () => {
      this.#cancelRestart = undefined;
      this.#refill();
    });
  }
}

function isFree(worker: PooledWorker): boolean {
  return !worker.busy && worker.retired === undefined;
}
