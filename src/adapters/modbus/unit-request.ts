import {
  assertFileReadable,
  assertReadable,
  assertUnit,
  assertWritable,
  type FileSpan,
  type RegisterSpan,
  type RegisterWrite,
} from '../../domain/plc/modbus-request.ts';
import type { RegisterTable } from '../../domain/plc/register-address.ts';

/** What is asked of the device under one unit id. */
export type UnitRequest =
  | { readonly kind: 'read'; readonly unitId: number; readonly span: RegisterSpan }
  | { readonly kind: 'file'; readonly unitId: number; readonly span: FileSpan }
  | {
      readonly kind: 'write';
      readonly unitId: number;
      readonly write: RegisterWrite;
      /** A single coil or register goes out by the function for many. */
      readonly alwaysMany: boolean;
      /** Nobody answers. */
      readonly isBroadcast: boolean;
    };

const READ_FUNCTIONS: Readonly<Record<RegisterTable, number>> = {
  coil: 1,
  discrete_input: 2,
  holding: 3,
  input: 4,
};

/** Throws EdgeError MODBUS_INVALID_REQUEST for what no device could carry out. */
export function assertRequest(request: UnitRequest): void {
  assertUnit(request.unitId);
  if (request.kind === 'read') assertReadable(request.span);
  else if (request.kind === 'file') assertFileReadable(request.span);
  else assertWritable(request.write);
}

/** The function by which a valid request is asked. */
export function functionCodeOf(request: UnitRequest): number {
  if (request.kind === 'read') return READ_FUNCTIONS[request.span.table];
  if (request.kind === 'file') return 20;
  const { write, alwaysMany } = request;
  if (write.kind === 'mask') return 22;
  const isMany = alwaysMany || write.values.length > 1;
  if (write.kind === 'coils') return isMany ? 15 : 5;
  return isMany ? 16 : 6;
}

export function isBroadcast(request: UnitRequest): boolean {
  return request.kind === 'write' && request.isBroadcast;
}
