import { ModbusRefusal, modbusError } from '../../domain/plc/modbus-error.ts';
import type { FileSpan, RegisterSpan, RegisterWrite } from '../../domain/plc/modbus-request.ts';
import { badReasonOf } from '../../domain/plc/polling/bad-reason.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { isEdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { BusCall, PlcBus } from '../ports/plc-bus.ts';
import type { DeviceBackoffs } from './device-backoffs.ts';

interface Parts {
  readonly bus: PlcBus;
  readonly backoffs: DeviceBackoffs;
  readonly clocks: Clocks;
}

/**
 * The bus for all who use it: of a device that gave no answer, what nobody waits for (priority `poll`) is not asked until
 * its pause is over, whoever met the silence. So a dead unit costs the others on its bus one timeout a step, however many
 * polls and logs it has. What a person waits for always goes out.
 */
export class PatientBus implements PlcBus {
  readonly #parts: Parts;
  /** What was last said of each device that is silent. */
  readonly #complaints = new Map<string, string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  read(device: string, span: RegisterSpan, call: BusCall): Promise<readonly number[]> {
    return this.#ask(device, call, () => this.#parts.bus.read(device, span, call));
  }

  readFile(device: string, span: FileSpan, call: BusCall): Promise<readonly number[]> {
    return this.#ask(device, call, () => this.#parts.bus.readFile(device, span, call));
  }

  write(device: string, write: RegisterWrite, call: BusCall): Promise<void> {
    return this.#ask(device, call, () => this.#parts.bus.write(device, write, call));
  }

  endCycle(connection: string): void {
    this.#parts.bus.endCycle(connection);
  }

  async #ask<T>(device: string, { priority }: BusCall, request: () => Promise<T>): Promise<T> {
    const { backoffs, clocks } = this.#parts;
    const backoff = backoffs.of(device);
    if (priority === 'poll' && backoff.isWaiting(clocks.monotonicMs()))
      throw modbusError('MODBUS_LEFT_ALONE', this.#complaints.get(device) ?? `${device} gave no answer`);
    try {
      const answer = await request();
      backoff.noteAnswer();
      return answer;
    } catch (error) {
      this.#judge(device, error);
      throw error;
    }
  }

  #judge(device: string, error: unknown): void {
    const { backoffs, clocks } = this.#parts;
    const backoff = backoffs.of(device);
    const isSilence =
      isEdgeError(error, 'MODBUS_TIMEOUT') ||
      isEdgeError(error, 'MODBUS_UNREACHABLE') ||
      (error instanceof ModbusRefusal && badReasonOf(error) !== 'refused');
    if (isSilence) {
      const reason = badReasonOf(error) === 'timeout' ? 'timeout' : 'unreachable';
      backoff.noteSilence(reason, clocks.monotonicMs());
      this.#complaints.set(device, messageOf(error));
    } else if (error instanceof ModbusRefusal) backoff.noteAnswer();
  }
}
