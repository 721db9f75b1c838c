import { EdgeError, isEdgeError, messageOf, type Retry } from '../../runtime/edge-error.ts';

/**
 * What can become of a request:
 * MODBUS_LEFT_ALONE not asked, since the device gave no answer a moment ago; MODBUS_UNREACHABLE no connection, or it broke; MODBUS_TIMEOUT no answer in time; MODBUS_GARBLED an answer that does
 * not fit the question; MODBUS_STRAY an answer to nothing that was asked; MODBUS_BUSY too many requests waiting, or this one for too long; MODBUS_STOPPED the service has ended.
 * A device's own refusal is a `ModbusRefusal`.
 */
export type ModbusErrorCode =
  | 'MODBUS_UNREACHABLE'
  | 'MODBUS_TIMEOUT'
  | 'MODBUS_GARBLED'
  | 'MODBUS_STRAY'
  | 'MODBUS_BUSY'
  | 'MODBUS_LEFT_ALONE'
  | 'MODBUS_STOPPED';

const HINTS: Readonly<Record<ModbusErrorCode, string>> = {
  MODBUS_UNREACHABLE:
    'Check that the PLC is switched on and connected, and that host and port, or serial_path, in the plant file are right.',
  MODBUS_TIMEOUT: 'Check unit_id in the plant file, the device behind the gateway, and timeout_ms.',
  MODBUS_GARBLED:
    'Check transport in the plant file, on a serial line also baud_rate, parity and wiring, and that no second program shares it.',
  MODBUS_STRAY: 'Raise timeout_ms if the device is slow; check that no second program shares the gateway.',
  MODBUS_BUSY: 'More is being read than the device can answer; read less or less often.',
  MODBUS_LEFT_ALONE: 'Check the device and its unit_id; it is asked again by itself.',
  MODBUS_STOPPED: 'The program is ending.',
};

/**
 * `retry` is `safe` unless given: a read changes nothing, and neither does a write that was not sent. A write that may have
 * reached the device is `unknown-outcome`.
 */
export function modbusError(
  code: ModbusErrorCode,
  message: string,
  cause?: unknown,
  retry: Retry = 'safe',
): EdgeError {
  return new EdgeError(code, message, { retry, hint: HINTS[code], cause });
}

/** Modbus Application Protocol V1.1b3, section 7. */
const EXCEPTION_NAMES: Readonly<Record<number, string>> = {
  1: 'illegal function',
  2: 'illegal data address',
  3: 'illegal data value',
  4: 'device failure',
  5: 'acknowledge, still working',
  6: 'device busy',
  8: 'memory parity error',
  10: 'gateway path unavailable',
  11: 'gateway target failed to respond',
};

export const ILLEGAL_FUNCTION = 1;
export const ILLEGAL_ADDRESS = 2;
export const ILLEGAL_VALUE = 3;
export const DEVICE_FAILURE = 4;
export const ACKNOWLEDGE = 5;
export const DEVICE_BUSY = 6;
export const GATEWAY_PATH_UNAVAILABLE = 10;
export const GATEWAY_TARGET_SILENT = 11;

/** With these nothing was done (the same): what was asked is not possible, was not taken on, or did not get through. */
const NOTHING_DONE: ReadonlySet<number> = new Set([
  ILLEGAL_FUNCTION,
  ILLEGAL_ADDRESS,
  ILLEGAL_VALUE,
  DEVICE_BUSY,
  GATEWAY_PATH_UNAVAILABLE,
]);

/**
 * The device answered, with an exception. `retry` is `unknown-outcome` for a write that may be carried out in spite of it:
 * a device can fail in the middle, take it on for later, or be out of a gateway's hearing.
 */
export class ModbusRefusal extends EdgeError {
  readonly exception: number;

  constructor(exception: number, cause: unknown, asked: 'read' | 'write' = 'read') {
    super('MODBUS_REFUSED', `exception ${exception} (${EXCEPTION_NAMES[exception] ?? 'unknown'})`, {
      retry: asked === 'read' || NOTHING_DONE.has(exception) ? 'safe' : 'unknown-outcome',
      hint: 'Compare register, address and type in the plant file with the manual of the device.',
      cause,
    });
    this.exception = exception;
  }
}

const SOCKET_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed by the other side',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the name server does not answer',
};

/** A socket error in words that a maintenance engineer knows. */
export function socketReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return SOCKET_REASONS[code] ?? messageOf(error);
}

/** The device answered, and what came cannot be used: it is there, and may be asked again at once. */
export function isNoise(error: unknown): boolean {
  return isEdgeError(error, 'MODBUS_GARBLED') || isEdgeError(error, 'MODBUS_STRAY');
}
