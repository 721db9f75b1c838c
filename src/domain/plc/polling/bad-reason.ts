import { isEdgeError } from '../../../runtime/edge-error.ts';
import { GATEWAY_PATH_UNAVAILABLE, GATEWAY_TARGET_SILENT, ModbusRefusal } from '../modbus-error.ts';
import type { BadReason } from '../reading.ts';

const TIMEOUTS: readonly string[] = ['MODBUS_TIMEOUT', 'MODBUS_BUSY', 'MODBUS_LEFT_ALONE'];

/**
 * Why the points of a failed request have no value. A gateway's word about the device behind it is not the device's own:
 * it says that the device was not heard. Throws what is no operating error.
 */
export function badReasonOf(error: unknown): BadReason {
  if (error instanceof ModbusRefusal) {
    if (error.exception === GATEWAY_PATH_UNAVAILABLE) return 'unreachable';
    return error.exception === GATEWAY_TARGET_SILENT ? 'timeout' : 'refused';
  }
  if (!isEdgeError(error)) throw error;
  return TIMEOUTS.includes(error.code) ? 'timeout' : 'unreachable';
}
