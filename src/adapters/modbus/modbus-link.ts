import type { Socket } from 'node:net';
import modbusSerial from 'modbus-serial';
import { ModbusRefusal, modbusError, socketReason } from '../../domain/plc/modbus-error.ts';
import { assertReadable, type RegisterSpan } from '../../domain/plc/modbus-request.ts';
import type { Scheduler } from '../../runtime/clocks.ts';
import type { EdgeError } from '../../runtime/edge-error.ts';
import { connectSocket, type Endpoint } from './connect-socket.ts';
import { MbapPort } from './mbap-port.ts';
import type { TransactionIds } from './transaction-ids.ts';

/** A span of the device under one unit id. */
export interface UnitRead extends RegisterSpan {
  readonly unitId: number;
}

type Settle = (error: unknown, answer: readonly number[] | undefined) => void;

/** An idle connection whose other side vanished without a word is noticed after about twice this. */
const KEEP_ALIVE_MS = 10_000;

/**
 * One TCP connection to a device or gateway, from connected to closed; never reopened. The caller sends one request
 * at a time. Any answer that is late or does not fit ends the link, and so does anything that was not asked for: a side
 * that mixes up its answers once is not asked again over the same connection.
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

  private constructor(socket: Socket, transactionIds: TransactionIds, scheduler: Scheduler, where: string) {
    this.#socket = socket;
    this.#where = where;
    this.#scheduler = scheduler;
    const port = new MbapPort(transactionIds, {
      send: (frame) => socket.write(frame),
      onStray: (reason) => this.close(modbusError('MODBUS_STRAY', `${where} sent ${reason}`)),
      onUnfit: (reason) =>
        this.close(modbusError('MODBUS_GARBLED', `unusable answer of ${where}: ${reason}`)),
    });
    this.#client = new modbusSerial.default(port);
    this.#client.open();
    this.#listen(port);
  }

  /** Rejects with EdgeError MODBUS_UNREACHABLE or MODBUS_STOPPED. */
  static async open(
    endpoint: Endpoint,
    timeoutMs: number,
    transactionIds: TransactionIds,
    scheduler: Scheduler,
    signal: AbortSignal,
  ): Promise<ModbusLink> {
    const socket = await connectSocket(endpoint, timeoutMs, scheduler, signal);
    return new ModbusLink(socket, transactionIds, scheduler, `${endpoint.host}:${endpoint.port}`);
  }

  /** Called once, when the link has closed for whatever reason; at once when it already has. */
  onClosed(listener: (cause: EdgeError) => void): void {
    this.#onClosed = listener;
    if (this.#closedBecause !== undefined) listener(this.#closedBecause);
  }

  /**
   * Rejects with a ModbusRefusal, or with MODBUS_TIMEOUT, MODBUS_GARBLED, MODBUS_STRAY or MODBUS_UNREACHABLE; after
   * one of the latter four the link is closed.
   */
  read(request: UnitRead, timeoutMs: number): Promise<readonly number[]> {
    assertReadable(request);
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
      this.#send(request, (error, answer) => {
        if (this.#closedBecause !== undefined) return;
        const exception = exceptionOf(error);
        if (answer !== undefined) settle(() => resolve(answer));
        else if (exception !== undefined) settle(() => reject(new ModbusRefusal(exception, error)));
        else
          this.close(
            modbusError(
              'MODBUS_GARBLED',
              `unusable answer of unit ${request.unitId} at ${this.#where}: ${socketReason(error)}`,
              error,
            ),
          );
      });
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

  #listen(port: MbapPort): void {
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
    this.#socket.on('data', (bytes) => port.receive(bytes));
  }

  /**
   * By callback and not by promise: an answer is settled in the turn in which it arrives, before whatever follows it
   * ends the link.
   */
  #send({ unitId, table, address, count }: UnitRead, settle: Settle): void {
    const registers = (error: unknown, answer?: { data: number[] }): void => settle(error, answer?.data);
    const bits = (error: unknown, answer?: { data: boolean[] }): void =>
      // Bits arrive in whole bytes; those beyond the request mean nothing.
      settle(error, answer?.data.slice(0, count).map(Number));
    const client = this.#client;
    if (table === 'holding') client.writeFC3(unitId, address, count, registers);
    else if (table === 'input') client.writeFC4(unitId, address, count, registers);
    else if (table === 'coil') client.writeFC1(unitId, address, count, bits);
    else client.writeFC2(unitId, address, count, bits);
  }
}

function exceptionOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('modbusCode' in error)) return undefined;
  return typeof error.modbusCode === 'number' ? error.modbusCode : undefined;
}
