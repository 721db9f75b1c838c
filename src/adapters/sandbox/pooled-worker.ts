import type { WorkerProcess } from './worker-process.ts';

/** A worker as the pool keeps it. */
export class PooledWorker {
  readonly process: WorkerProcess;
  /** Its own memory before anything was loaded. Kilobytes. */
  readonly idleKb: number;
  /** The tool that it belongs to; nobody else's once it has one. */
  owner: string | undefined;
  loaded = false;
  busy = false;
  /** Counts up with each use; the smallest has rested the longest. */
  lastUse = 0;
  #calls = 0;
  #retired: string | undefined;

  constructor(process: WorkerProcess, idleKb: number) {
    this.process = process;
    this.idleKb = idleKb;
  }

  get calls(): number {
    return this.#calls;
  }

  /** Why it takes no further call. */
  get retired(): string | undefined {
    return this.process.over ? 'it ended' : this.#retired;
  }

  /** The number of its next call. */
  nextCall(): number {
    this.#calls += 1;
    return this.#calls;
  }

  retire(why: string): void {
    this.#retired ??= why;
  }
}
