import {
  MAX_ADDRESS,
  MAX_REGISTERS_PER_REQUEST,
  type RegisterTable,
} from '../../domain/plc/register-address.ts';
import { EdgeError } from '../../runtime/edge-error.ts';

/** One read as it goes to a device. */
export interface ReadRequest {
  readonly unitId: number;
  readonly table: RegisterTable;
  /** Address of the first register or bit as sent, 0 to 65535. */
  readonly address: number;
  /** Registers or bits. */
  readonly count: number;
}

/** Registers as 0 to 65535, bits as 0 or 1; as many as were asked for. */
export type ReadAnswer = readonly number[];

/** Modbus Application Protocol V1.1b3, section 6.1. */
export const MAX_BITS_PER_REQUEST = 2000;

const MOST_AT_ONCE: Readonly<Record<RegisterTable, number>> = {
  coil: MAX_BITS_PER_REQUEST,
  discrete_input: MAX_BITS_PER_REQUEST,
  holding: MAX_REGISTERS_PER_REQUEST,
  input: MAX_REGISTERS_PER_REQUEST,
};

/** Throws EdgeError MODBUS_INVALID_REQUEST for a request that no device could answer. */
export function assertSendable({ unitId, table, address, count }: ReadRequest): void {
  const most = MOST_AT_ONCE[table];
  const reason = !isWithin(unitId, 0, 255)
    ? `unit id ${unitId} is outside 0 to 255`
    : !isWithin(count, 1, most)
      ? `${count} at once is outside 1 to ${most} for ${table}`
      : !isWithin(address, 0, MAX_ADDRESS + 1 - count)
        ? `${count} from address ${address} leave 0 to ${MAX_ADDRESS}`
        : undefined;
  if (reason !== undefined) throw new EdgeError('MODBUS_INVALID_REQUEST', reason);
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
