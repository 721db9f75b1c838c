import type { FileSpan, RegisterSpan, RegisterWrite } from '../../domain/plc/modbus-request.ts';

/**
 * Why a device is asked, the most urgent first: to verify a write, to read what a confirmation is about, to answer a
 * voice or an alarm, or because it is time again. The poll is never starved by the others.
 */
export const BUS_PRIORITIES = ['verify', 'confirm', 'answer', 'poll'] as const;
export type BusPriority = (typeof BUS_PRIORITIES)[number];

export interface BusCall {
  readonly priority: BusPriority;
  /** Limit of the whole call from now, the time spent waiting for others included, milliseconds. */
  readonly deadlineMs: number;
}

/**
 * The devices of a plant by their ids, one request in flight on each bus. Every call rejects by its own deadline at the
 * latest, with a ModbusRefusal (the device answered with an exception) or an EdgeError of `ModbusErrorCode`.
 * MODBUS_INVALID_REQUEST is never sent.
 */
export interface PlcBus {
  /** Registers as 0 to 65535, bits as 0 or 1; as many as were asked for. */
  read(device: string, span: RegisterSpan, call: BusCall): Promise<readonly number[]>;

  readFile(device: string, span: FileSpan, call: BusCall): Promise<readonly number[]>;

  /**
   * Never sent twice. An error with retry `unknown-outcome` came after the request may have reached the device: whether
   * it was carried out is settled by reading. To a broadcast device it resolves when it has been sent, since none answers.
   */
  write(device: string, write: RegisterWrite, call: BusCall): Promise<void>;

  /**
   * A poll cycle of a connection is through: one with `close_after_cycle` is closed as soon as nothing waits for it, and
   * opened again by the next request.
   */
  endCycle(connection: string): void;
}
