import { ModbusRefusal, modbusError } from '../../domain/plc/modbus-error.ts';
import { assertReadable, assertUnit } from '../../domain/plc/modbus-request.ts';
import { BoundedQueue } from '../../runtime/bounded-queue.ts';
import { type EdgeError, isEdgeError } from '../../runtime/edge-error.ts';
import type { Health, Service } from '../../runtime/service.ts';
import { LinkKeeper, type LinkKeeperOptions, type ModbusDependencies } from './link-keeper.ts';
import { ModbusLink, type UnitRead } from './modbus-link.ts';

export interface ModbusConnectionOptions extends LinkKeeperOptions {
  /** The connection's id in the plant file. */
  readonly id: string;
  /** Limit of one request on the wire, and of one attempt to connect. */
  readonly timeoutMs: number;
}

const MAX_WAITING = 64;

interface PendingRead {
  readonly request: UnitRead;
  stage: 'waiting' | 'sent' | 'settled';
  resolve(answer: readonly number[]): void;
  reject(cause: unknown): void;
}

/**
 * Requests come in and wait in line; one at a time goes over the connection; each leaves with its answer or its error
 * by its own deadline. Called by ModbusPlcReader.
 */
export class ModbusConnection implements Service {
  readonly name: string;
  readonly #options: ModbusConnectionOptions;
  readonly #dependencies: ModbusDependencies;
  readonly #keeper: LinkKeeper;
  readonly #waiting = new BoundedQueue<PendingRead>(MAX_WAITING, 'newest');
  /** The last complaint about each unit that has not answered since. */
  readonly #silentUnits = new Map<number, string>();
  readonly #counts = { requests: 0, timeouts: 0, refused: 0 };
  #isStarted = false;
  #isServing = false;

  constructor(options: ModbusConnectionOptions, dependencies: ModbusDependencies) {
    this.name = `modbus ${options.id}`;
    this.#options = options;
    const logger = dependencies.logger.child({ connection: options.id });
    this.#dependencies = { ...dependencies, logger };
    this.#keeper = new LinkKeeper(options, this.#dependencies);
  }

  /** Begins to connect and resolves at once: a PLC that is switched off is no reason not to start. */
  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#isStarted = true;
    this.#keeper.start();
  }

  async stop(_deadlineMs: number): Promise<void> {
    const stopped = modbusError('MODBUS_STOPPED', 'the connection has been stopped');
    this.#isStarted = false;
    this.#failWaiting(stopped);
    await this.#keeper.stop(stopped);
  }

  /**
   * Rejects with a ModbusRefusal or an EdgeError of `ModbusErrorCode`, by `deadlineMs` from now at the latest;
   * the time spent waiting for others counts. MODBUS_INVALID_REQUEST is never sent.
   */
  async read(request: UnitRead, deadlineMs: number): Promise<readonly number[]> {
    assertUnit(request.unitId);
    assertReadable(request);
    if (!this.#isStarted) throw modbusError('MODBUS_STOPPED', 'the connection is not started');
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        if (pending.stage === 'settled') return;
        pending.stage = 'settled';
        cancelTimer();
        finish();
      };
      const pending: PendingRead = {
        request,
        stage: 'waiting',
        resolve: (answer) => settle(() => resolve(answer)),
        reject: (cause) => settle(() => reject(cause)),
      };
      const cancelTimer = this.#dependencies.scheduler.after(Math.max(0, deadlineMs), () =>
        this.#expire(pending, deadlineMs),
      );
      if (this.#waiting.push(pending) === undefined) this.#serve();
      else pending.reject(modbusError('MODBUS_BUSY', `${MAX_WAITING} requests are already waiting`));
    });
  }

  health(): Health {
    const figures = {
      requests_total: this.#counts.requests,
      timeouts_total: this.#counts.timeouts,
      refused_total: this.#counts.refused,
      connects_total: this.#keeper.connects,
      waiting_requests: this.#waiting.size,
      dropped_requests_total: this.#waiting.dropped,
    };
    if (!this.#isStarted) return { status: 'off', detail: 'not started', figures };
    const { host, port } = this.#options.endpoint();
    const silent = this.#silentUnits.values().next().value;
    if (this.#keeper.link !== undefined)
      return silent === undefined
        ? { status: 'ok', detail: `connected to ${host}:${port}`, figures }
        : { status: 'degraded', detail: silent, figures };
    if (this.#keeper.failure === undefined)
      return { status: 'starting', detail: `connecting to ${host}:${port}`, figures };
    return { status: 'down', detail: this.#keeper.failure.message, figures };
  }

  #serve(): void {
    if (this.#isServing) return;
    this.#isServing = true;
    void this.#serveWaiting();
  }

  /** Never rejects: each failure belongs to the request that met it. */
  async #serveWaiting(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.stage === 'settled') continue;
      const failure = await this.#exchange(next);
      // With no connection, those behind would each wait out an attempt of their own.
      if (failure !== undefined) this.#failWaiting(failure);
    }
    // In the same turn in which the line was found empty, so that nobody joins it unseen.
    this.#isServing = false;
  }

  /** Settles the request; returns the failure when there is no connection to put it to. */
  async #exchange(pending: PendingRead): Promise<EdgeError | undefined> {
    let attempt = 0;
    for (;;) {
      const link = await this.#keeper.ready();
      if (!(link instanceof ModbusLink)) {
        pending.reject(link);
        return link;
      }
      if (pending.stage === 'settled') return undefined;
      const error = await this.#ask(link, pending);
      if (error === undefined) return undefined;
      attempt += 1;
      // Gateways close idle connections, or bring an older answer late: the request that finds out gets a new one.
      const isBlameless = isEdgeError(error, 'MODBUS_UNREACHABLE') || isEdgeError(error, 'MODBUS_STRAY');
      if (attempt > 1 || !isBlameless) {
        pending.reject(error);
        return undefined;
      }
      pending.stage = 'waiting';
    }
  }

  async #ask(link: ModbusLink, pending: PendingRead): Promise<unknown> {
    const { unitId } = pending.request;
    pending.stage = 'sent';
    this.#counts.requests += 1;
    try {
      const answer = await link.read(pending.request, this.#options.timeoutMs);
      this.#noteAnswer(unitId);
      pending.resolve(answer);
      return undefined;
    } catch (error) {
      if (error instanceof ModbusRefusal) {
        this.#noteAnswer(unitId);
        this.#counts.refused += 1;
      } else if (isEdgeError(error, 'MODBUS_TIMEOUT')) {
        this.#silentUnits.set(unitId, error.message);
        this.#counts.timeouts += 1;
      }
      return error;
    }
  }

  /** Even a refusal shows that the unit is there. */
  #noteAnswer(unitId: number): void {
    this.#silentUnits.delete(unitId);
    this.#keeper.noteAnswer();
  }

  #expire(pending: PendingRead, deadlineMs: number): void {
    const { link, failure } = this.#keeper;
    if (pending.stage === 'sent' && link !== undefined) {
      // The answer may still come: the link that would carry it ends before anything else is asked.
      link.close(
        modbusError(
          'MODBUS_TIMEOUT',
          `unit ${pending.request.unitId} gave no answer within ${Math.round(deadlineMs)} ms`,
        ),
      );
      return;
    }
    const doing = link === undefined ? 'for a connection' : 'behind other requests';
    pending.reject(failure ?? modbusError('MODBUS_TIMEOUT', `waited ${Math.round(deadlineMs)} ms ${doing}`));
  }

  #failWaiting(cause: EdgeError): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      next.reject(cause);
  }
}
