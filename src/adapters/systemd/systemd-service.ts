import type { Cancel, Scheduler } from '../../runtime/clocks.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service } from '../../runtime/service.ts';
import { type NotifySocket, openNotifySocket } from './notify-socket.ts';

export interface SystemdOptions {
  /** NOTIFY_SOCKET of the environment; without it nothing is ever sent. */
  readonly notifySocket: string | undefined;
  /** WATCHDOG_USEC of the environment, as milliseconds. */
  readonly watchdogMs: number | undefined;
}

interface Parts {
  /** Resolves when the daemon still gets its work done; a ping is sent only then. */
  readonly progress: () => Promise<void>;
  readonly logger: Logger;
  readonly scheduler: Scheduler;
}

/**
 * Tells systemd READY, STOPPING and, twice in each watchdog interval, that work is still getting done. It starts last,
 * so that READY means ready.
 */
export class SystemdService implements Service {
  readonly name = 'systemd';
  readonly #options: SystemdOptions;
  readonly #parts: Parts;
  #socket: NotifySocket | undefined;
  #cancel: Cancel | undefined;
  #trouble: string | undefined;

  constructor(options: SystemdOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
  }

  async start(): Promise<void> {
    if (this.#options.notifySocket === undefined) return;
    this.#socket = openNotifySocket(this.#options.notifySocket);
    this.#socket.send('READY=1', 'STATUS=listening');
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#socket?.send('STOPPING=1');
    this.#socket = undefined;
  }

  health(): Health {
    if (this.#options.notifySocket === undefined) return { status: 'off', detail: 'not started by systemd' };
    return this.#trouble === undefined
      ? { status: 'ok', detail: 'notifying' }
      : { status: 'degraded', detail: `the watchdog was not pinged: ${this.#trouble}` };
  }

  #schedule(): void {
    const { watchdogMs } = this.#options;
    if (watchdogMs === undefined || this.#socket === undefined) return;
    this.#cancel = this.#parts.scheduler.after(watchdogMs / 2, () => {
      this.#parts
        .progress()
        .then(() => {
          this.#socket?.send('WATCHDOG=1');
          this.#trouble = undefined;
        })
        .catch((error: unknown) => {
          this.#trouble = messageOf(error);
          this.#parts.logger.error(
            { error: this.#trouble },
            'no progress, so systemd is not told that all is well',
          );
        })
        .finally(() => this.#schedule());
    });
  }
}
