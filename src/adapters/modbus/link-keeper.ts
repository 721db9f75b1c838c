import { modbusError } from '../../domain/plc/modbus-error.ts';
import { backoffMs } from '../../runtime/backoff.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { type EdgeError, isEdgeError } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { ModbusLink } from './modbus-link.ts';

export interface LinkKeeperOptions {
  /** Rejects with EdgeError MODBUS_UNREACHABLE or MODBUS_STOPPED. */
  readonly open: (signal: AbortSignal) => Promise<ModbusLink>;
  /** Where the links lead, for people. */
  readonly where: () => string;
  readonly pauseAfterConnectMs: number;
  /** Connects when asked to, and not before. */
  readonly isOnDemand: boolean;
  /** A link is there, or is free earlier than it said, or may be asked for. */
  readonly onChange: () => void;
  /** An attempt to connect has failed. */
  readonly onFailure: (failure: EdgeError) => void;
}

export interface ModbusDependencies {
  readonly logger: Logger;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
}

const RECONNECT = { baseMs: 250, maxMs: 10_000 };
/** A request does not wait for the next background attempt, but attempts never come closer together than this. */
const LEAST_BETWEEN_ATTEMPTS_MS = 200;
/** A far side that ends a connection within this, unasked, has turned it away. */
const TURNED_AWAY_WITHIN_MS = 1_000;
/** Connections in a row that ended behind their first answer, after which it is a habit. */
const HABIT_AFTER = 3;
/** A device that was mended or replaced may keep its connections: one is kept again to see. */
const HABIT_LASTS_MS = 300_000;

/**
 * Keeps one link open: connects, and after a loss connects again with growing pauses, so that the line comes back
 * without anyone asking. Called by ModbusConnection, which takes the link when it has something to ask.
 */
export class LinkKeeper {
  readonly #options: LinkKeeperOptions;
  readonly #dependencies: ModbusDependencies;
  #life = new AbortController();
  #link: ModbusLink | undefined;
  #failure: EdgeError | undefined;
  /** When the last attempt to connect failed; undefined when the last one succeeded. */
  #refusedAtMs: number | undefined;
  #connecting: Promise<void> | undefined;
  #released = Promise.resolve();
  /** Failures since the far side last answered; a connection alone proves nothing, some gateways accept any. */
  #failures = 0;
  #endedBehindOneAnswer = 0;
  #habitUntilMs = 0;
  #connects = 0;
  #cancelRetry: Cancel = () => undefined;

  constructor(options: LinkKeeperOptions, dependencies: ModbusDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
  }

  get link(): ModbusLink | undefined {
    return this.#link;
  }

  /** Why there is no link; undefined while there is one, while none is wanted, and before the first attempt has ended. */
  get failure(): EdgeError | undefined {
    return this.#failure;
  }

  /** Connections made since the start of the program. */
  get connects(): number {
    return this.#connects;
  }

  /** The far side closes each connection behind its answer, as far as is known; now and then it is put to the test. */
  get answersOnce(): boolean {
    const nowMs = this.#dependencies.clocks.monotonicMs();
    return this.#endedBehindOneAnswer >= HABIT_AFTER && nowMs < this.#habitUntilMs;
  }

  start(): void {
    this.#life = new AbortController();
    this.#failure = undefined;
    this.#refusedAtMs = undefined;
    this.#failures = 0;
    if (!this.#options.isOnDemand) this.#connect();
  }

  /** Resolves when nothing is left open. */
  async stop(cause: EdgeError): Promise<void> {
    this.#life.abort();
    this.#cancelRetry();
    this.#link?.close(cause);
    await this.#connecting;
    await this.#released;
  }

  /**
   * Makes an attempt to connect if none is running and the last is past; `onChange` or `onFailure` follows. Returns the
   * failure instead when it is too early for another.
   */
  want(): EdgeError | undefined {
    if (this.#connecting === undefined && this.#failure !== undefined && this.#refusedAtMs !== undefined) {
      const sinceMs = this.#dependencies.clocks.monotonicMs() - this.#refusedAtMs;
      if (sinceMs < LEAST_BETWEEN_ATTEMPTS_MS) return this.#failure;
    }
    this.#connect();
    return undefined;
  }

  /** Closes the link in peace; the next is opened when it is wanted, or at once unless this one is on demand. */
  renew(): void {
    this.#link?.close(modbusError('MODBUS_STOPPED', 'closed until it is needed again'));
  }

  /** The far side has answered something: it is well. */
  noteAnswer(): void {
    this.#failures = 0;
  }

  #connect(): void {
    this.#cancelRetry();
    if (this.#life.signal.aborted) return;
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
  }

  /** Never rejects over an operating error. */
  async #open(): Promise<void> {
    const { signal } = this.#life;
    try {
      await this.#released;
      const link = await this.#options.open(signal);
      await this.#pause(this.#options.pauseAfterConnectMs, signal);
      if (signal.aborted) {
        link.close(modbusError('MODBUS_STOPPED', 'stopped while connecting'));
        await link.released;
      } else this.#takeUp(link);
    } catch (error) {
      if (!isEdgeError(error)) throw error;
      this.#refusedAtMs = this.#dependencies.clocks.monotonicMs();
      this.#noteFailure(error);
      this.#options.onFailure(error);
    }
  }

  #takeUp(link: ModbusLink): void {
    const fields = { where: this.#options.where() };
    const isNews = this.#connects === 0 || this.#failure !== undefined;
    this.#dependencies.logger[isNews ? 'info' : 'debug'](fields, 'connected to the PLC');
    this.#connects += 1;
    this.#link = link;
    this.#failure = undefined;
    this.#refusedAtMs = undefined;
    link.onFree(this.#options.onChange);
    link.onClosed((cause) => this.#noteClosed(link, cause));
    this.#options.onChange();
  }

  #noteClosed(link: ModbusLink, cause: EdgeError): void {
    this.#link = undefined;
    this.#released = link.released;
    if (this.#life.signal.aborted) return;
    const wasIdle = !link.isAsking;
    const lastedMs = this.#dependencies.clocks.monotonicMs() - link.openedMs;
    const isByFarSide = isEdgeError(cause, 'MODBUS_UNREACHABLE');
    if (isByFarSide && link.answers === 1) {
      this.#endedBehindOneAnswer += 1;
      this.#habitUntilMs = this.#dependencies.clocks.monotonicMs() + HABIT_LASTS_MS;
    } else if (link.answers > 1) this.#endedBehindOneAnswer = 0;
    const isInPeace =
      isEdgeError(cause, 'MODBUS_STOPPED') ||
      (isByFarSide && wasIdle && (link.answers > 0 || lastedMs >= TURNED_AWAY_WITHIN_MS));
    if (isInPeace) this.#noteEnd(link);
    else this.#noteFailure(cause, link.answers > 0);
  }

  /** Devices and gateways close connections that have served, or on which nothing happens: nothing is wrong. */
  #noteEnd(link: ModbusLink): void {
    this.#dependencies.logger.debug({ where: this.#options.where() }, 'connection ended');
    if (!this.#options.isOnDemand) this.#retryIn(this.#delayAfter(link.answers > 0));
    this.#options.onChange();
  }

  #noteFailure(error: EdgeError, hadAnswered = false): void {
    if (this.#life.signal.aborted) return;
    const { logger } = this.#dependencies;
    const isNews = error.message !== this.#failure?.message;
    this.#failure = error;
    const delayMs = this.#delayAfter(hadAnswered);
    // A PLC that is off for a week is one line in the log, not sixty thousand.
    const fields = { code: error.code, detail: error.message, retry_in_ms: Math.round(delayMs) };
    if (isNews) logger.warn(fields, 'no connection to the PLC');
    else logger.debug(fields, 'still no connection to the PLC');
    if (!this.#options.isOnDemand) this.#retryIn(delayMs);
  }

  /** A link that worked is made anew at once: most losses are a gateway's idle limit or one lost answer. */
  #delayAfter(hadAnswered: boolean): number {
    if (hadAnswered) return 0;
    this.#failures += 1;
    return backoffMs(this.#failures - 1, RECONNECT);
  }

  #retryIn(delayMs: number): void {
    this.#cancelRetry();
    this.#cancelRetry = this.#dependencies.scheduler.after(delayMs, () => this.#connect());
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
