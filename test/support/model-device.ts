import type { PlcBus } from '../../src/app/ports/plc-bus.ts';
import {
  ILLEGAL_ADDRESS,
  ILLEGAL_VALUE,
  ModbusRefusal,
  modbusError,
} from '../../src/domain/plc/modbus-error.ts';
import type { RegisterSpan } from '../../src/domain/plc/modbus-request.ts';

/** A device as its manual would describe it, for properties over many of them. */
export interface ModelDevice {
  readonly bus: PlcBus;
  readonly reads: readonly RegisterSpan[];
  /** Registers it does not have. */
  readonly missing: Set<number>;
  /** Addresses that begin a block of memory which cannot be read together with the one before. */
  readonly blockStarts: Set<number>;
  /** The most that it gives at once. */
  most: number;
  /** Gives no answer while set. */
  isSilent: boolean;
  /** Addresses of reads that it gives no answer to. */
  readonly silentAt: Set<number>;
  /** Whether noise spoils the answer to this read. */
  isSpoilt: () => boolean;
}

/** Register n holds n; everything else is as a test sets it. */
export function modelDevice(): ModelDevice {
  const reads: RegisterSpan[] = [];
  const device: ModelDevice = {
    reads,
    missing: new Set(),
    blockStarts: new Set(),
    most: 125,
    isSilent: false,
    silentAt: new Set(),
    isSpoilt: () => false,
    bus: {
      readFile: () => Promise.reject(new Error('it has no files')),
      write: () => Promise.reject(new Error('it takes no writes')),
      endCycle: () => undefined,
      async read(_device, span) {
        reads.push(span);
        if (device.isSilent || device.silentAt.has(span.address))
          throw modbusError('MODBUS_TIMEOUT', 'no answer');
        if (device.isSpoilt()) throw modbusError('MODBUS_GARBLED', 'a wrong checksum');
        if (span.count > device.most) throw new ModbusRefusal(ILLEGAL_VALUE, undefined);
        const addresses = Array.from({ length: span.count }, (_, index) => span.address + index);
        const isRefused = addresses.some(
          (address) =>
            device.missing.has(address) || (address !== span.address && device.blockStarts.has(address)),
        );
        if (isRefused) throw new ModbusRefusal(ILLEGAL_ADDRESS, undefined);
        return addresses;
      },
    },
  };
  return device;
}
