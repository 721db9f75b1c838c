import type { BusCall, BusPriority } from '../../app/ports/plc-bus.ts';
import { ACKNOWLEDGE, DEVICE_BUSY, ModbusRefusal, modbusError } from '../../domain/plc/modbus-error.ts';
import type { Cancel } from '../../runtime/clocks.ts';
import { type EdgeError, isEdgeError } from '../../runtime/edge-error.ts';
import type { Health, Service } from '../../runtime/service.ts';
import { LinkKeeper, type ModbusDependencies } from './link-keeper.ts';
import type { ModbusLink } from './modbus-link.ts';
import { RequestQueue } from './request-queue.ts';
import { RoundTrips } from './round-trips.ts';
import { assertRequest, isBroadcast, type UnitRequest } from './unit-request.ts';

export interface ModbusConnectionOptions {
  /** The connection's id in the plant file. */
  readonly id: string;
  /** Where it leads, for people. */
  readonly where: () => string;
  /** Rejects with EdgeError MODBUS_UNREACHABLE or MODBUS_STOPPED. */
  readonly open: (signal: AbortSignal) => Promise<ModbusLink>;
  /** Limit of one request on the wire. */
  readonly timeoutMs: number;
  readonly pauseAfterConnectMs: number;
  readonly pauseBetweenRequestsMs: number;
  /** Silence after a broadcast, in which devices carry it out. */
  readonly turnaroundMs: number;
  /** How often a request is repeated that the device was too busy for. */
  readonly busyRetries: number;
  /** Connects for a request, and lets go when a poll cycle is through. */
  readonly closeAfterCycle: boolean;
}

const MAX_WAITING = 256;
const BUSY_PAUSE = { baseMs: 50, maxMs: 500 };

interface Pending {
  readonly request: UnitRequest;
  readonly priority: BusPriority;
  readonly deadlineMs: number;
  /** Monotonic. */
  readonly untilMs: number;
  readonly resolve: (answer: readonly number[]) => void;
  readonly reject: (cause: EdgeError) => void;
  /** In line, and not yet expired. */
  isWaiting: boolean;
  cancelTimer: Cancel | undefined;
  resends: number;
  repeats: number;
}

/**
 * Requests come in and wait in line; one at a time goes over the connection; each leaves with its answer or its error
 * by its own deadline. Called by ModbusPlcBus.
 */
export class ModbusConnection implements Service {
  readonly name: string;
  readonly #options: ModbusConnectionOptions;
  readonly #dependencies: ModbusDependencies;
  readonly #keeper: LinkKeeper;
  readonly #queue = new RequestQueue<Pending>(MAX_WAITING);
  /** Too busy a device was asked for them; they come back into the line after a pause. */
  readonly #pausing = new Map<Pending, Cancel>();
  readonly #roundTrips = new RoundTrips();
  /** The last complaint about each unit that has not answered since. */
  readonly #silentUnits = new Map<number, string>();
  readonly #counts = { requests: 0, timeouts: 0, garbled: 0, refused: 0, repeated: 0 };
  #isStarted = false;
  #isAsking = false;
  #isCycleOver = false;
  /** Nothing is sent before this, monotonic. */
  #restUntilMs = 0;
  #cancelWake: Cancel | undefined;

  constructor(options: ModbusConnectionOptions, dependencies: ModbusDependencies) {
    this.name = `modbus ${options.id}`;
    this.#options = options;
    const logger = dependencies.logger.child({ connection: options.id });
    this.#dependencies = { ...dependencies, logger };
    this.#keeper = new LinkKeeper(
      {
        open: options.open,
        where: options.where,
        pauseAfterConnectMs: options.pauseAfterConnectMs,
        isOnDemand: options.closeAfterCycle,
        onChange: () => this.#serve(),
        // With no connection, those waiting would each wait out an attempt of their own.
        onFailure: (failure) => this.#failWaiting(failure),
      },
      this.#dependencies,
    );
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
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    this.#failWaiting(stopped);
    for (const [pending, cancel] of this.#pausing) {
      cancel();
      pending.reject(stopped);
    }
    this.#pausing.clear();
    await this.#keeper.stop(stopped);
  }

  /**
   * Resolves with the values of a read, with none for a write. Rejects as the port PlcBus says, by the call's deadline at
   * the latest; the time spent waiting for others counts.
   */
  ask(request: UnitRequest, { priority, deadlineMs }: BusCall): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      assertRequest(request);
      if (!this.#isStarted) throw modbusError('MODBUS_STOPPED', 'the connection is not started');
      const untilMs = this.#dependencies.clocks.monotonicMs() + deadlineMs;
      const pending: Pending = {
        request,
        priority,
        deadlineMs,
        untilMs,
        resolve,
        reject,
        isWaiting: true,
        cancelTimer: undefined,
        resends: 0,
        repeats: 0,
      };
      const dropped = this.#queue.push(pending, priority);
      if (dropped !== undefined)
        this.#reject(dropped, modbusError('MODBUS_BUSY', `${MAX_WAITING} requests are already waiting`));
      this.#serve();
      this.#limitWait(pending);
    });
  }

  /** With `closeAfterCycle` the link is closed as soon as nothing waits for it. */
  endCycle(): void {
    if (!this.#options.closeAfterCycle) return;
    this.#isCycleOver = true;
    this.#serve();
  }

  health(): Health {
    const figures = this.#figures();
    if (!this.#isStarted) return { status: 'off', detail: 'not started', figures };
    const where = this.#options.where();
    const { link, failure, connects } = this.#keeper;
    const [silent] = this.#silentUnits.values();
    if (failure !== undefined) return { status: 'down', detail: failure.message, figures };
    if (silent !== undefined) return { status: 'degraded', detail: silent, figures };
    if (link !== undefined) return { status: 'ok', detail: `connected to ${where}`, figures };
    if (connects === 0) return { status: 'starting', detail: `connecting to ${where}`, figures };
    return { status: 'ok', detail: `${where} answers; connected when there is something to ask`, figures };
  }

  #figures(): Readonly<Record<string, number>> {
    const p50Ms = this.#roundTrips.percentileMs(0.5);
    const p95Ms = this.#roundTrips.percentileMs(0.95);
    return {
      requests_total: this.#counts.requests,
      timeouts_total: this.#counts.timeouts,
      garbled_total: this.#counts.garbled,
      refused_total: this.#counts.refused,
      repeated_total: this.#counts.repeated,
      connects_total: this.#keeper.connects,
      waiting_requests: this.#queue.size + this.#pausing.size,
      dropped_requests_total: this.#queue.dropped,
      ...(p50Ms === undefined ? {} : { round_trip_p50_ms: p50Ms }),
      ...(p95Ms === undefined ? {} : { round_trip_p95_ms: p95Ms }),
    };
  }

  /** Sends what is next, when it may be sent now; is called again whenever that may have changed. */
  #serve(): void {
    if (this.#isAsking || !this.#isStarted) return;
    const next = this.#queue.peek();
    if (next === undefined) {
      this.#restAfterCycle();
      return;
    }
    const nowMs = this.#dependencies.clocks.monotonicMs();
    if (next.untilMs <= nowMs) {
      this.#expire(next);
      this.#serve();
      return;
    }
    const { link } = this.#keeper;
    if (link === undefined) {
      const failure = this.#keeper.want();
      if (failure !== undefined) this.#failWaiting(failure);
      return;
    }
    const waitMs = Math.max(this.#restUntilMs - nowMs, link.waitMs(next.request, nowMs));
    if (this.#isTooLate(next, nowMs)) this.#expire(next);
    else if (waitMs > 0) this.#wakeIn(waitMs);
    else this.#send(link, next, nowMs);
  }

  /** What has waited until too little is left for an answer would make a healthy device look silent. */
  #isTooLate({ untilMs, deadlineMs }: Pending, nowMs: number): boolean {
    return untilMs - nowMs < Math.min(this.#options.timeoutMs, deadlineMs) / 2;
  }

  #send(link: ModbusLink, pending: Pending, nowMs: number): void {
    this.#queue.take();
    pending.isWaiting = false;
    pending.cancelTimer?.();
    this.#isAsking = true;
    this.#counts.requests += 1;
    const limitMs = Math.min(this.#options.timeoutMs, pending.untilMs - nowMs);
    link.ask(pending.request, limitMs, (error, answer) => {
      const endMs = this.#dependencies.clocks.monotonicMs();
      this.#isAsking = false;
      this.#restUntilMs = endMs + this.#restAfter(pending.request);
      if (answer !== undefined) this.#finish(pending, answer, endMs - nowMs);
      else if (error !== undefined) this.#fail(pending, error, endMs);
      if (this.#keeper.answersOnce && link.answers > 0) this.#keeper.renew();
      this.#serve();
    });
  }

  #restAfter(request: UnitRequest): number {
    const { pauseBetweenRequestsMs, turnaroundMs } = this.#options;
    return isBroadcast(request) ? Math.max(pauseBetweenRequestsMs, turnaroundMs) : pauseBetweenRequestsMs;
  }

  #finish(pending: Pending, answer: readonly number[], tookMs: number): void {
    if (!isBroadcast(pending.request)) {
      this.#roundTrips.add(tookMs);
      this.#noteAnswer(pending.request.unitId);
    }
    pending.resolve(answer);
  }

  #fail(pending: Pending, error: EdgeError, nowMs: number): void {
    this.#count(pending.request.unitId, error);
    if (this.#repeatIfBusy(pending, error, nowMs)) return;
    // Gateways close idle connections, or bring an older answer late: the request that finds out gets a new one. A write
    // may have been carried out.
    const isBlameless = isEdgeError(error, 'MODBUS_UNREACHABLE') || isEdgeError(error, 'MODBUS_STRAY');
    if (isBlameless && pending.request.kind !== 'write' && pending.resends === 0) {
      pending.resends += 1;
      this.#waitAgain(pending);
    } else this.#reject(pending, error);
  }

  #count(unitId: number, error: EdgeError): void {
    if (error instanceof ModbusRefusal) {
      this.#noteAnswer(unitId);
      this.#counts.refused += 1;
    } else if (isEdgeError(error, 'MODBUS_TIMEOUT')) {
      this.#silentUnits.set(unitId, error.message);
      this.#counts.timeouts += 1;
    } else if (isEdgeError(error, 'MODBUS_GARBLED') || isEdgeError(error, 'MODBUS_STRAY'))
      this.#counts.garbled += 1;
  }

  /** Even a refusal shows that the unit is there. */
  #noteAnswer(unitId: number): void {
    this.#silentUnits.delete(unitId);
    this.#keeper.noteAnswer();
  }

  /** A device that is busy has done nothing. One that acknowledges has begun: a write is not repeated then. */
  #repeatIfBusy(pending: Pending, error: EdgeError, nowMs: number): boolean {
    if (!(error instanceof ModbusRefusal) || pending.repeats >= this.#options.busyRetries) return false;
    const isBusy =
      error.exception === DEVICE_BUSY ||
      (error.exception === ACKNOWLEDGE && pending.request.kind !== 'write');
    const pauseMs = Math.min(BUSY_PAUSE.maxMs, BUSY_PAUSE.baseMs * 2 ** pending.repeats);
    if (!isBusy || nowMs + pauseMs >= pending.untilMs) return false;
    pending.repeats += 1;
    this.#counts.repeated += 1;
    const cancel = this.#dependencies.scheduler.after(pauseMs, () => {
      this.#pausing.delete(pending);
      this.#waitAgain(pending);
      this.#serve();
    });
    this.#pausing.set(pending, cancel);
    return true;
  }

  #waitAgain(pending: Pending): void {
    pending.isWaiting = true;
    this.#queue.putBack(pending, pending.priority);
    this.#limitWait(pending);
  }

  /** Most requests are sent at once: only one that waits needs a timer for it. */
  #limitWait(pending: Pending): void {
    if (!pending.isWaiting) return;
    const leftMs = pending.untilMs - this.#dependencies.clocks.monotonicMs();
    pending.cancelTimer = this.#dependencies.scheduler.after(Math.max(0, leftMs), () =>
      this.#expire(pending),
    );
  }

  #expire(pending: Pending): void {
    if (!pending.isWaiting) return;
    this.#queue.remove(pending, pending.priority);
    const { link, failure } = this.#keeper;
    const waited = `waited ${Math.round(pending.deadlineMs)} ms`;
    // Behind others it was the bus that had no time: the device has not been asked.
    const cause =
      link === undefined
        ? modbusError('MODBUS_TIMEOUT', `${waited} for a connection`)
        : modbusError('MODBUS_BUSY', `${waited} behind other requests`);
    this.#reject(pending, failure ?? cause);
    this.#serve();
  }

  #reject(pending: Pending, cause: EdgeError): void {
    pending.isWaiting = false;
    pending.cancelTimer?.();
    pending.reject(cause);
  }

  #failWaiting(cause: EdgeError): void {
    for (let next = this.#queue.take(); next !== undefined; next = this.#queue.take())
      this.#reject(next, cause);
  }

  #wakeIn(delayMs: number): void {
    this.#cancelWake?.();
    // Timers count whole milliseconds and may run early by a part of one.
    this.#cancelWake = this.#dependencies.scheduler.after(Math.ceil(delayMs), () => {
      this.#cancelWake = undefined;
      this.#serve();
    });
  }

  #restAfterCycle(): void {
    if (!this.#isCycleOver || this.#pausing.size > 0) return;
    this.#isCycleOver = false;
    this.#keeper.renew();
  }
}
