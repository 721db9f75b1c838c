import { modbusError } from '../../domain/plc/modbus-error.ts';
import { backoffMs } from '../../runtime/backoff.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { type EdgeError, isEdgeError } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Endpoint } from './connect-socket.ts';
import { ModbusLink } from './modbus-link.ts';
import { TransactionIds } from './transaction-ids.ts';

export interface LinkKeeperOptions {
  /** Asked at each attempt to connect, so that it may move. */
  readonly endpoint: () => Endpoint;
  /** Limit of one attempt to connect. */
  readonly timeoutMs: number;
  readonly pauseAfterConnectMs: number;
}

export interface ModbusDependencies {
  readonly logger: Logger;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
}

const RECONNECT = { baseMs: 250, maxMs: 10_000 };
/** A request does not wait for the next background attempt, but attempts never come closer together than this. */
const LEAST_BETWEEN_ATTEMPTS_MS = 200;

/**
 * Keeps one link open: connects, and after a loss connects again with growing pauses, so that the line comes back
 * without anyone asking. Called by ModbusConnection, which takes the link when it has something to ask.
 */
export class LinkKeeper {
  readonly #options: LinkKeeperOptions;
  readonly #dependencies: ModbusDependencies;
  /** Outlives the links: an answer may turn up on the link after the one it was asked on. */
  readonly #transactionIds = new TransactionIds();
  #life = new AbortController();
  #link: ModbusLink | undefined;
  #failure: EdgeError | undefined;
  /** When the last attempt to connect failed; undefined when the last one succeeded. */
  #refusedAtMs: number | undefined;
  #connecting: Promise<ModbusLink | EdgeError> | undefined;
  /** Failures since the far side last answered; a connection alone proves nothing, some gateways accept any. */
  #failures = 0;
  #hasAnswered = false;
  #connects = 0;
  #cancelRetry: Cancel = () => undefined;

  constructor(options: LinkKeeperOptions, dependencies: ModbusDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
  }

  get link(): ModbusLink | undefined {
    return this.#link;
  }

  /** Why there is no link; undefined while there is one, and before the first attempt has ended. */
  get failure(): EdgeError | undefined {
    return this.#failure;
  }

  /** Connections made since the start of the program. */
  get connects(): number {
    return this.#connects;
  }

  start(): void {
    this.#life = new AbortController();
    this.#failure = undefined;
    this.#refusedAtMs = undefined;
    this.#failures = 0;
    void this.#connect();
  }

  /** Resolves when nothing is left open. */
  async stop(cause: EdgeError): Promise<void> {
    this.#life.abort();
    this.#cancelRetry();
    this.#link?.close(cause);
    await this.#connecting;
  }

  /** The link, or why there is none now; makes an attempt to connect if none is running and the last is past. */
  async ready(): Promise<ModbusLink | EdgeError> {
    if (this.#link !== undefined) return this.#link;
    if (this.#connecting === undefined && this.#failure !== undefined && this.#refusedAtMs !== undefined) {
      const sinceMs = this.#dependencies.clocks.monotonicMs() - this.#refusedAtMs;
      if (sinceMs < LEAST_BETWEEN_ATTEMPTS_MS) return this.#failure;
    }
    return this.#connect();
  }

  /** The far side has answered something: it is well. */
  noteAnswer(): void {
    this.#hasAnswered = true;
    this.#failures = 0;
  }

  #connect(): Promise<ModbusLink | EdgeError> {
    this.#cancelRetry();
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Never rejects over an operating error. */
  async #open(): Promise<ModbusLink | EdgeError> {
    const { endpoint, timeoutMs, pauseAfterConnectMs } = this.#options;
    const { signal } = this.#life;
    try {
      const link = await ModbusLink.open(
        endpoint(),
        timeoutMs,
        this.#transactionIds,
        this.#dependencies.scheduler,
        signal,
      );
      await this.#pause(pauseAfterConnectMs, signal);
      if (signal.aborted) {
        const stopped = modbusError('MODBUS_STOPPED', 'stopped while connecting');
        link.close(stopped);
        return stopped;
      }
      this.#takeUp(link);
      return link;
    } catch (error) {
      if (!isEdgeError(error)) throw error;
      this.#refusedAtMs = this.#dependencies.clocks.monotonicMs();
      this.#noteFailure(error);
      return error;
    }
  }

  #takeUp(link: ModbusLink): void {
    this.#connects += 1;
    this.#link = link;
    this.#failure = undefined;
    this.#refusedAtMs = undefined;
    this.#hasAnswered = false;
    this.#dependencies.logger.info(this.#options.endpoint(), 'connected to the PLC');
    link.onClosed((cause) => {
      this.#link = undefined;
      this.#noteFailure(cause);
    });
  }

  #noteFailure(error: EdgeError): void {
    if (this.#life.signal.aborted) return;
    const { logger, scheduler } = this.#dependencies;
    const isNews = error.message !== this.#failure?.message;
    this.#failure = error;
    // A link that worked is made anew at once: most losses are a gateway's idle limit or one lost answer.
    const delayMs = this.#hasAnswered ? 0 : backoffMs(this.#failures, RECONNECT);
    if (!this.#hasAnswered) this.#failures += 1;
    this.#hasAnswered = false;
    // A PLC that is off for a week is one line in the log, not sixty thousand.
    const fields = { code: error.code, detail: error.message, retry_in_ms: Math.round(delayMs) };
    if (isNews) logger.warn(fields, 'no connection to the PLC');
    else logger.debug(fields, 'still no connection to the PLC');
    this.#cancelRetry = scheduler.after(delayMs, () => void this.#connect());
  }

  #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    if (delayMs === 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.#dependencies.scheduler.after(delayMs, end);
      signal.addEventListener('abort', end);
    });
  }
}
