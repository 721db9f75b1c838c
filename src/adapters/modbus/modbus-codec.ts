import { EventEmitter } from 'node:events';
import modbusSerial from 'modbus-serial';
import { FILE_REFERENCE } from './question.ts';
import { functionCodeOf, type UnitRequest } from './unit-request.ts';

/** `answer` has the values of a read, and none of a write; `error` is what modbus-serial says of an exception. */
export type Decoded = (error: unknown, answer: readonly number[] | undefined) => void;

const NO_VALUES: readonly number[] = [];
/** Bytes of a request for one file record, after the byte that says so. */
const FILE_REQUEST_BYTES = 7;

/**
 * modbus-serial as a codec and nothing else: requests come out as for a serial line, answers of that form go in. Its
 * ports are not used: they count transactions modulo 256, take a late answer for the next one's, and leave promises open
 * for ever when a connection is reset. Called by ModbusLink.
 */
export class ModbusCodec {
  readonly #port = new CodecPort();
  readonly #client: InstanceType<typeof modbusSerial.default>;

  constructor() {
    this.#client = new modbusSerial.default(this.#port);
    this.#client.open();
  }

  /**
   * The request as on a serial line. Its answer is decoded by callback and not by promise: it is settled in the turn in
   * which it arrives, before whatever follows it ends the link.
   */
  encode(request: UnitRequest, decoded: Decoded): Buffer {
    this.#write(request, decoded);
    return this.#port.takeRequest();
  }

  /** `rtu` is the answer to the last request, as on a serial line. */
  decode(rtu: Buffer): void {
    this.#port.emit('data', rtu);
  }

  #write(request: UnitRequest, decoded: Decoded): void {
    const client = this.#client;
    const { unitId } = request;
    if (request.kind === 'file') {
      const { file, record, count } = request.span;
      const words = [file, record, count].flatMap((word) => [word >> 8, word & 0xff]);
      // Its own function for file records always asks for 100 registers.
      client.writeCustomFC(unitId, 20, [FILE_REQUEST_BYTES, FILE_REFERENCE, ...words], (error, answer) =>
        decoded(error, answer === undefined ? undefined : wordsOf(answer.data, count)),
      );
      return;
    }
    const functionCode = functionCodeOf(request);
    if (request.kind === 'read') {
      const { address, count } = request.span;
      const registers = (error: unknown, answer?: { data: number[] }): void => decoded(error, answer?.data);
      const bits = (error: unknown, answer?: { data: boolean[] }): void =>
        // Bits arrive in whole bytes; those beyond the request mean nothing.
        decoded(error, answer?.data.slice(0, count).map(Number));
      if (functionCode === 3) client.writeFC3(unitId, address, count, registers);
      else if (functionCode === 4) client.writeFC4(unitId, address, count, registers);
      else if (functionCode === 1) client.writeFC1(unitId, address, count, bits);
      else client.writeFC2(unitId, address, count, bits);
      return;
    }
    const { write } = request;
    const written = (error: unknown, answer?: object): void =>
      decoded(error, answer === undefined ? undefined : NO_VALUES);
    if (write.kind === 'mask') client.writeFC22(unitId, write.address, write.andMask, write.orMask, written);
    else if (write.kind === 'coils') {
      if (functionCode === 15) client.writeFC15(unitId, write.address, [...write.values], written);
      else client.writeFC5(unitId, write.address, write.values[0] === true, written);
    } else if (functionCode === 16) client.writeFC16(unitId, write.address, [...write.values], written);
    else client.writeFC6(unitId, write.address, write.values[0] ?? 0, written);
  }
}

/** The exception of a device, from modbus-serial's error. */
export function exceptionOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('modbusCode' in error)) return undefined;
  return typeof error.modbusCode === 'number' ? error.modbusCode : undefined;
}

/** modbus-serial hands on the bytes from the record on, and the checksum behind them. */
function wordsOf(bytes: readonly number[], count: number): number[] {
  return Array.from(
    { length: count },
    (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0),
  );
}

/** What modbus-serial takes for a port. */
class CodecPort extends EventEmitter {
  readonly isOpen = true;
  #request: Buffer | undefined;

  open(callback: () => void): void {
    callback();
  }

  write(rtu: Buffer): void {
    this.#request = rtu;
  }

  /** Throws when nothing was written: modbus-serial refused the request without a word. */
  takeRequest(): Buffer {
    const request = this.#request;
    this.#request = undefined;
    if (request === undefined) throw new Error('modbus-serial has not encoded the request');
    return request;
  }
}
