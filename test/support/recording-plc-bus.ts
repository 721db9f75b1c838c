import type { BusCall, PlcBus } from '../../src/app/ports/plc-bus.ts';
import { ModbusRefusal } from '../../src/domain/plc/modbus-error.ts';
import type { RegisterSpan, RegisterWrite } from '../../src/domain/plc/modbus-request.ts';
import type { RegisterTable } from '../../src/domain/plc/register-address.ts';

/** What may become of one write instead of being carried out and answered. */
export type WriteTrouble = (write: RegisterWrite, carryOut: () => void) => void | Promise<void>;

/** Cells of some devices, and a line for everything that went over the bus. */
export class RecordingPlcBus implements Pick<PlcBus, 'read' | 'write'> {
  readonly log: string[] = [];
  readonly writes: RegisterWrite[] = [];
  /** How long each write was allowed to take, milliseconds. */
  readonly writeDeadlinesMs: number[] = [];
  readonly #cells = new Map<string, number>();
  /** Called before each read is answered; throws what the read is to fail with. */
  onRead: (device: string, span: RegisterSpan, call: BusCall) => void = () => undefined;
  onWrite: WriteTrouble = (_, carryOut) => carryOut();

  set(device: string, table: RegisterTable, address: number, ...values: number[]): void {
    for (const [index, value] of values.entries())
      this.#cells.set(`${device} ${table} ${address + index}`, value);
  }

  cells(device: string, { table, address, count }: RegisterSpan): number[] {
    return Array.from({ length: count }, (_, index) => {
      const cell = this.#cells.get(`${device} ${table} ${address + index}`);
      if (cell === undefined) throw new ModbusRefusal(2, undefined);
      return cell;
    });
  }

  async read(device: string, span: RegisterSpan, call: BusCall): Promise<readonly number[]> {
    this.log.push(`${call.priority} ${device} ${span.table} ${span.address}+${span.count}`);
    await Promise.resolve();
    this.onRead(device, span, call);
    return this.cells(device, span);
  }

  async write(device: string, write: RegisterWrite, call: BusCall): Promise<void> {
    this.writes.push(write);
    this.writeDeadlinesMs.push(call.deadlineMs);
    this.log.push(`write ${device} ${write.kind} ${write.address}`);
    await Promise.resolve();
    await this.onWrite(write, () => this.#carryOut(device, write));
  }

  #carryOut(device: string, write: RegisterWrite): void {
    if (write.kind === 'mask') {
      const [register = 0] = this.cells(device, { table: 'holding', address: write.address, count: 1 });
      const masked = (register & write.andMask) | (write.orMask & ~write.andMask & 0xffff);
      this.set(device, 'holding', write.address, masked);
      return;
    }
    const table = write.kind === 'coils' ? 'coil' : 'holding';
    this.set(device, table, write.address, ...write.values.map(Number));
  }
}
