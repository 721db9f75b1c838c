import { Socket } from 'node:net';
import modbusSerial from 'modbus-serial';
import type { Scheduler } from '../../runtime/clocks.ts';
import type { EdgeError } from '../../runtime/edge-error.ts';
import { ModbusRefusal, modbusError, socketReason } from './modbus-error.ts';
import { assertSendable, type ReadAnswer, type ReadRequest } from './modbus-request.ts';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** An idle connection whose other side vanished without a word is noticed after about twice this. */
const KEEP_ALIVE_MS = 10_000;

/**
 * One TCP connection to a device or gateway, from connected to closed; never reopened. The caller sends one request
 * at a time. Any answer that is late or does not fit ends the link: modbus-serial numbers its requests modulo 256 and
 * keeps the old ones, so on a link that lived on, a late reply could be taken for the answer to a later request.
 *
 * The socket is made here and not by modbus-serial, whose promises stay open for ever when the other side resets.
 */
export class ModbusLink {
  readonly #socket: Socket;
  readonly #client: InstanceType<typeof modbusSerial.default>;
  readonly #scheduler: Scheduler;
  readonly #where: string;
  #closedBecause: EdgeError | undefined;
  #onClosed: (cause: EdgeError) => void = () => undefined;
  #failInFlight: ((cause: EdgeError) => void) | undefined;

  private constructor(socket: Socket, scheduler: Scheduler, where: string) {
    this.#socket = socket;
    this.#where = where;
    this.#client = new modbusSerial.default();
    this.#scheduler = scheduler;
  }

  /** Rejects with EdgeError MODBUS_UNREACHABLE or MODBUS_STOPPED. */
  static async open(
    endpoint: Endpoint,
    timeoutMs: number,
    scheduler: Scheduler,
    signal: AbortSignal,
  ): Promise<ModbusLink> {
    const socket = await connect(endpoint, timeoutMs, scheduler, signal);
    const link = new ModbusLink(socket, scheduler, `${endpoint.host}:${endpoint.port}`);
    await link.#adopt(endpoint);
    return link;
  }

  /** Called once, when the link has closed for whatever reason; at once when it already has. */
  onClosed(listener: (cause: EdgeError) => void): void {
    this.#onClosed = listener;
    if (this.#closedBecause !== undefined) listener(this.#closedBecause);
  }

  /**
   * Rejects with a ModbusRefusal, or with MODBUS_TIMEOUT, MODBUS_GARBLED or MODBUS_UNREACHABLE; after one of the
   * latter three the link is closed.
   */
  read(request: ReadRequest, timeoutMs: number): Promise<ReadAnswer> {
    assertSendable(request);
    if (this.#failInFlight !== undefined) throw new Error('one request at a time');
    return new Promise((resolve, reject) => {
      if (this.#closedBecause !== undefined) {
        reject(this.#closedBecause);
        return;
      }
      const settle = (finish: () => void): void => {
        cancelTimer();
        this.#failInFlight = undefined;
        finish();
      };
      const cancelTimer = this.#scheduler.after(timeoutMs, () =>
        this.close(
          modbusError(
            'MODBUS_TIMEOUT',
            `unit ${request.unitId} at ${this.#where} gave no answer in ${timeoutMs} ms`,
          ),
        ),
      );
      this.#failInFlight = (cause) => settle(() => reject(cause));
      this.#send(request).then(
        (answer) => {
          if (this.#closedBecause === undefined)
            this.#accept(request, answer, () => settle(() => resolve(answer)));
        },
        (error: unknown) => {
          if (this.#closedBecause !== undefined) return;
          const exception = exceptionOf(error);
          if (exception !== undefined) settle(() => reject(new ModbusRefusal(exception, error)));
          else
            this.close(
              modbusError(
                'MODBUS_GARBLED',
                `unusable answer of unit ${request.unitId} at ${this.#where}: ${socketReason(error)}`,
                error,
              ),
            );
        },
      );
    });
  }

  /** Ends the link; a request in flight rejects with `cause`. */
  close(cause: EdgeError): void {
    if (this.#closedBecause !== undefined) return;
    this.#closedBecause = cause;
    this.#socket.destroy();
    this.#failInFlight?.(cause);
    this.#onClosed(cause);
  }

  async #adopt(endpoint: Endpoint): Promise<void> {
    this.#socket.setNoDelay(true);
    this.#socket.setKeepAlive(true, KEEP_ALIVE_MS);
    this.#socket.on('error', (error) =>
      this.close(
        modbusError('MODBUS_UNREACHABLE', `no answer from ${this.#where}: ${socketReason(error)}`, error),
      ),
    );
    this.#socket.on('close', () =>
      this.close(
        modbusError(
          'MODBUS_UNREACHABLE',
          `no answer from ${this.#where}: connection closed by the other side`,
        ),
      ),
    );
    try {
      await this.#client.linkTCP(this.#socket, { ...endpoint });
    } catch (error) {
      const cause = modbusError(
        'MODBUS_UNREACHABLE',
        `no answer from ${this.#where}: ${socketReason(error)}`,
        error,
      );
      this.close(cause);
      throw cause;
    }
  }

  #accept(request: ReadRequest, answer: ReadAnswer, accept: () => void): void {
    if (answer.length === request.count) accept();
    else
      this.close(
        modbusError(
          'MODBUS_GARBLED',
          `unusable answer of unit ${request.unitId} at ${this.#where}: ${answer.length} values for ${request.count}`,
        ),
      );
  }

  /** The unit id is state of the client: it is read while the request is built, before anything else can run. */
  async #send({ unitId, table, address, count }: ReadRequest): Promise<ReadAnswer> {
    this.#client.setID(unitId);
    switch (table) {
      case 'holding':
        return (await this.#client.readHoldingRegisters(address, count)).data;
      case 'input':
        return (await this.#client.readInputRegisters(address, count)).data;
      case 'coil':
        return bits((await this.#client.readCoils(address, count)).data, count);
      case 'discrete_input':
        return bits((await this.#client.readDiscreteInputs(address, count)).data, count);
    }
  }
}

function connect(
  endpoint: Endpoint,
  timeoutMs: number,
  scheduler: Scheduler,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = new Socket();
    const finish = (error: EdgeError | undefined): void => {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
      socket.removeAllListeners();
      if (error === undefined) {
        resolve(socket);
        return;
      }
      // A destroyed socket may still report its error, and an error nobody listens to ends the process.
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error);
    };
    const unreachable = (reason: string, cause?: unknown): EdgeError =>
      modbusError('MODBUS_UNREACHABLE', `no answer from ${endpoint.host}:${endpoint.port}: ${reason}`, cause);
    const onAbort = (): void => finish(modbusError('MODBUS_STOPPED', 'stopped while connecting'));
    const cancelTimer = scheduler.after(timeoutMs, () =>
      finish(unreachable(`no reply to the connection attempt in ${timeoutMs} ms`)),
    );
    signal.addEventListener('abort', onAbort);
    socket.once('error', (error) => finish(unreachable(socketReason(error), error)));
    socket.once('connect', () => finish(undefined));
    if (signal.aborted) onAbort();
    else socket.connect({ ...endpoint });
  });
}

/** Bits arrive in whole bytes; those beyond the request mean nothing. */
function bits(data: readonly boolean[], count: number): number[] {
  return data.slice(0, count).map(Number);
}

function exceptionOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('modbusCode' in error)) return undefined;
  return typeof error.modbusCode === 'number' ? error.modbusCode : undefined;
}
