import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';

/** Of times in /proc; fixed by the kernel's interface (USER_HZ). */
const TICK_MS = 10;
/** utime and stime are fields 14 and 15 of /proc/PID/stat (proc(5)); the first after the name in brackets is field 3. */
const UTIME = 14 - 3;
const BUFFER = Buffer.alloc(4096);

export interface ProcessUse {
  /** Memory of its own, without the pages of program files that processes share. Kilobytes. */
  readonly privateKb: number;
  /** Of all its threads, user and system, since its start; it counts in steps of 10 ms. */
  readonly cpuMs: number;
}

/**
 * What one process uses. It is read without the thread pool, whose threads may wait for a disk, and through descriptors
 * that stay with this process when its number goes to another.
 */
export class ProcessGauge {
  readonly #status: number;
  readonly #stat: number;
  #closed = false;

  /** Throws when there is no such process. */
  constructor(pid: number) {
    this.#status = openSync(`/proc/${pid}/status`, 'r');
    this.#stat = openSync(`/proc/${pid}/stat`, 'r');
  }

  /** Undefined when the process has gone. */
  read(): ProcessUse | undefined {
    if (this.#closed) return undefined;
    try {
      const status = textOf(this.#status);
      const anonymous = kilobytes('RssAnon', status);
      if (anonymous === undefined) return undefined;
      const stat = textOf(this.#stat);
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const ticks = Number(fields[UTIME]) + Number(fields[UTIME + 1]);
      return { privateKb: anonymous + (kilobytes('RssShmem', status) ?? 0), cpuMs: ticks * TICK_MS };
    } catch {
      // ESRCH: it ended.
      return undefined;
    }
  }

  /** Kilobytes of data that the kernel counts against RLIMIT_DATA. */
  dataKb(): number | undefined {
    return this.#closed ? undefined : kilobytes('VmData', textOf(this.#status));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#status);
    closeSync(this.#stat);
  }
}

/** When the machine itself runs out of memory, a worker goes first. */
export function offerToOomKiller(pid: number): void {
  writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
}

function textOf(fd: number): string {
  return BUFFER.toString('latin1', 0, readSync(fd, BUFFER, 0, BUFFER.length, 0));
}

function kilobytes(name: string, status: string): number | undefined {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return found === undefined ? undefined : Number(found);
}
