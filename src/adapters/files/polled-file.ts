import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { TextState, WatchedText } from '../../app/ports/watched-text.ts';
import type { Cancel, Scheduler } from '../../runtime/clocks.ts';
import { readFault } from '../../runtime/read-fault.ts';
import type { Unsubscribe } from '../../runtime/service.ts';

interface Options {
  readonly maxBytes: number;
  /** Default 500. */
  readonly intervalMs?: number;
}

const DEFAULT_INTERVAL_MS = 500;

interface Look {
  readonly state: TextState;
  /** Equal for equal states. */
  readonly mark: string;
}

/**
 * A small file that is looked at twice a second. Contents are compared and not times, which are coarse on some file systems
 * and come from a clock that jumps; notifications of the kernel are not used, since they miss files that are replaced by
 * a rename and those on network drives.
 */
export class PolledFile implements WatchedText {
  readonly name: string;
  readonly #options: Options;
  readonly #scheduler: Scheduler;
  #told: string | undefined;

  constructor(file: string, options: Options, scheduler: Scheduler) {
    this.name = file;
    this.#options = options;
    this.#scheduler = scheduler;
  }

  async read(): Promise<TextState> {
    const { state, mark } = await this.#look();
    this.#told = mark;
    return state;
  }

  watch(changed: (state: TextState) => void): Unsubscribe {
    const { intervalMs = DEFAULT_INTERVAL_MS } = this.#options;
    let cancel: Cancel | undefined;
    let stopped = false;
    let seen = this.#told;
    const next = (): void => {
      if (!stopped) cancel = this.#scheduler.after(intervalMs, () => void poll());
    };
    const poll = async (): Promise<void> => {
      const { state, mark } = await this.#look();
      if (stopped) return;
      const isStable = mark === seen;
      seen = mark;
      if (isStable && mark !== this.#told) {
        this.#told = mark;
        changed(state);
      }
      next();
    };
    next();
    return () => {
      stopped = true;
      cancel?.();
    };
  }

  async #look(): Promise<Look> {
    try {
      const bytes = await this.#bytes();
      if (bytes === undefined) return unreadable(`it is longer than ${this.#options.maxBytes} bytes`);
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      return { state: { kind: 'text', text }, mark: createHash('sha256').update(bytes).digest('hex') };
    } catch (error) {
      return unreadable(error instanceof TypeError ? 'it is not UTF-8' : readFault(error));
    }
  }

  /** Undefined when there are too many. */
  async #bytes(): Promise<Uint8Array | undefined> {
    const file = await open(this.name, 'r');
    try {
      const { maxBytes } = this.#options;
      const buffer = Buffer.alloc(Math.min(maxBytes, (await file.stat()).size) + 1);
      let length = 0;
      while (length < buffer.length) {
        const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return length > maxBytes ? undefined : buffer.subarray(0, length);
    } finally {
      await file.close();
    }
  }
}

function unreadable(reason: string): Look {
  return { state: { kind: 'unreadable', reason }, mark: `unreadable: ${reason}` };
}
