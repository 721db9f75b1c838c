import { ILLEGAL_ADDRESS, ILLEGAL_FUNCTION, ILLEGAL_VALUE } from '../../domain/plc/modbus-error.ts';
import {
  MAX_BITS_PER_REQUEST,
  MAX_BITS_PER_WRITE,
  MAX_REGISTERS_PER_WRITE,
} from '../../domain/plc/modbus-request.ts';
import {
  MAX_ADDRESS,
  MAX_REGISTERS_PER_REQUEST,
  type RegisterTable,
} from '../../domain/plc/register-address.ts';
import type { CellsOrException } from './cells.ts';

/** What a device holds, for whoever answers its requests. Counts and addresses it is asked for are possible ones. */
export interface DeviceMemory {
  read(table: RegisterTable, address: number, count: number): CellsOrException;
  write(
    table: 'coil' | 'holding',
    address: number,
    values: readonly number[],
  ): { readonly exception: number } | undefined;
  /** Exception 2 where there is no such file or record. */
  readFile(file: number, record: number, count: number): CellsOrException;
}

/** Ends the work on a request with an exception; caught in `answerRequest`. */
class DeviceException extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exception ${code}`);
    this.code = code;
  }
}

const EXCEPTION_FLAG = 0x80;
const COIL_ON = 0xff00;
/** Function 23 writes fewer than function 16 (Modbus Application Protocol V1.1b3, section 6.17). */
const MAX_REGISTERS_READ_WRITE = 121;
/** Of one request of function 20 (the same, section 6.14), and of any answer (section 4.1). */
const FILE_REQUEST_BYTES = 7;
const MAX_FILE_REQUESTS_BYTES = 0xf5;
const FILE_REFERENCE = 6;
const MAX_FILE_RECORD = 9_999;
const MAX_PDU_BYTES = 253;

/** Answers a request from its function code on. Modbus Application Protocol V1.1b3, section 6; never throws. */
export function answerRequest(request: Buffer, memory: DeviceMemory): Buffer {
  try {
    return answerOf(request, memory);
  } catch (error) {
    if (!(error instanceof DeviceException)) throw error;
    return exceptionAnswer(request[0] ?? 0, error.code);
  }
}

export function exceptionAnswer(functionCode: number, exception: number): Buffer {
  return Buffer.from([functionCode | EXCEPTION_FLAG, exception]);
}

function answerOf(request: Buffer, memory: DeviceMemory): Buffer {
  switch (request[0]) {
    case 1:
      return readBits(request, 'coil', memory);
    case 2:
      return readBits(request, 'discrete_input', memory);
    case 3:
      return readRegisters(request, 'holding', memory);
    case 4:
      return readRegisters(request, 'input', memory);
    case 5:
      return writeCoil(request, memory);
    case 6:
      return writeRegister(request, memory);
    case 15:
      return writeCoils(request, memory);
    case 16:
      return writeRegisters(request, memory);
    case 20:
      return readFiles(request, memory);
    case 22:
      return maskRegister(request, memory);
    case 23:
      return readWrite(request, memory);
    default:
      throw new DeviceException(ILLEGAL_FUNCTION);
  }
}

function readBits(request: Buffer, table: RegisterTable, memory: DeviceMemory): Buffer {
  mustBe(request.length === 5);
  const { address, count } = spanAt(request, 1, MAX_BITS_PER_REQUEST);
  const cells = read(memory, table, address, count);
  const bytes = Buffer.alloc(Math.ceil(count / 8));
  for (const [index, bit] of cells.entries())
    if (bit !== 0) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7));
  return Buffer.concat([Buffer.from([request[0] ?? 0, bytes.length]), bytes]);
}

function readRegisters(request: Buffer, table: RegisterTable, memory: DeviceMemory): Buffer {
  mustBe(request.length === 5);
  const { address, count } = spanAt(request, 1, MAX_REGISTERS_PER_REQUEST);
  const bytes = registerBytes(read(memory, table, address, count));
  return Buffer.concat([Buffer.from([request[0] ?? 0, bytes.length]), bytes]);
}

function writeCoil(request: Buffer, memory: DeviceMemory): Buffer {
  mustBe(request.length === 5);
  const value = request.readUInt16BE(3);
  mustBe(value === 0 || value === COIL_ON);
  write(memory, 'coil', request.readUInt16BE(1), [value === COIL_ON ? 1 : 0]);
  return Buffer.from(request);
}

function writeRegister(request: Buffer, memory: DeviceMemory): Buffer {
  mustBe(request.length === 5);
  write(memory, 'holding', request.readUInt16BE(1), [request.readUInt16BE(3)]);
  return Buffer.from(request);
}

function writeCoils(request: Buffer, memory: DeviceMemory): Buffer {
  mustBe(request.length >= 6);
  const { address, count } = spanAt(request, 1, MAX_BITS_PER_WRITE);
  const bytes = Math.ceil(count / 8);
  mustBe(request[5] === bytes && request.length === 6 + bytes);
  const values = Array.from(
    { length: count },
    (_, index) => ((request[6 + (index >> 3)] ?? 0) >> (index & 7)) & 1,
  );
  write(memory, 'coil', address, values);
  return Buffer.from(request.subarray(0, 5));
}

function writeRegisters(request: Buffer, memory: DeviceMemory): Buffer {
  mustBe(request.length >= 6);
  const { address, count } = spanAt(request, 1, MAX_REGISTERS_PER_WRITE);
  mustBe(request[5] === count * 2 && request.length === 6 + count * 2);
  write(memory, 'holding', address, registersAt(request, 6, count));
  return Buffer.from(request.subarray(0, 5));
}

/** register = (register AND andMask) OR (orMask AND NOT andMask) */
function maskRegister(request: Buffer, memory: DeviceMemory): Buffer {
  mustBe(request.length === 7);
  const address = request.readUInt16BE(1);
  const [andMask, orMask] = [request.readUInt16BE(3), request.readUInt16BE(5)];
  const [before = 0] = read(memory, 'holding', address, 1);
  write(memory, 'holding', address, [(before & andMask) | (orMask & ~andMask & 0xffff)]);
  return Buffer.from(request);
}

/** Writes before it reads, and writes nothing when it cannot read. */
function readWrite(request: Buffer, memory: DeviceMemory): Buffer {
  mustBe(request.length >= 10);
  const reading = spanAt(request, 1, MAX_REGISTERS_PER_REQUEST);
  const writing = spanAt(request, 5, MAX_REGISTERS_READ_WRITE);
  mustBe(request[9] === writing.count * 2 && request.length === 10 + writing.count * 2);
  read(memory, 'holding', reading.address, reading.count);
  write(memory, 'holding', writing.address, registersAt(request, 10, writing.count));
  const bytes = registerBytes(read(memory, 'holding', reading.address, reading.count));
  return Buffer.concat([Buffer.from([request[0] ?? 0, bytes.length]), bytes]);
}

function readFiles(request: Buffer, memory: DeviceMemory): Buffer {
  const bytes = request[1] ?? 0;
  mustBe(request.length === 2 + bytes && bytes >= FILE_REQUEST_BYTES && bytes <= MAX_FILE_REQUESTS_BYTES);
  mustBe(bytes % FILE_REQUEST_BYTES === 0);
  const asked = Array.from({ length: bytes / FILE_REQUEST_BYTES }, (_, index) => {
    const at = 2 + index * FILE_REQUEST_BYTES;
    return {
      reference: request.readUInt8(at),
      file: request.readUInt16BE(at + 1),
      record: request.readUInt16BE(at + 3),
      count: request.readUInt16BE(at + 5),
    };
  });
  // The length of the answer is one byte: what does not fit cannot be asked for.
  mustBe(asked.reduce((sum, { count }) => sum + 2 + count * 2, 2) <= MAX_PDU_BYTES);
  const parts = asked.map(({ reference, file, record, count }) => {
    if (reference !== FILE_REFERENCE || file === 0 || record + count > MAX_FILE_RECORD + 1)
      throw new DeviceException(ILLEGAL_ADDRESS);
    mustBe(count > 0);
    const found = memory.readFile(file, record, count);
    if ('exception' in found) throw new DeviceException(found.exception);
    return Buffer.concat([Buffer.from([1 + count * 2, FILE_REFERENCE]), registerBytes(found.cells)]);
  });
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([request[0] ?? 0, body.length]), body]);
}

function spanAt(
  request: Buffer,
  at: number,
  most: number,
): { readonly address: number; readonly count: number } {
  const address = request.readUInt16BE(at);
  const count = request.readUInt16BE(at + 2);
  mustBe(count >= 1 && count <= most);
  if (address + count > MAX_ADDRESS + 1) throw new DeviceException(ILLEGAL_ADDRESS);
  return { address, count };
}

function read(memory: DeviceMemory, table: RegisterTable, address: number, count: number): readonly number[] {
  const found = memory.read(table, address, count);
  if ('exception' in found) throw new DeviceException(found.exception);
  return found.cells;
}

function write(
  memory: DeviceMemory,
  table: 'coil' | 'holding',
  address: number,
  values: readonly number[],
): void {
  const refused = memory.write(table, address, values);
  if (refused !== undefined) throw new DeviceException(refused.exception);
}

function registersAt(request: Buffer, at: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => request.readUInt16BE(at + index * 2));
}

function registerBytes(words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(words.length * 2);
  for (const [index, word] of words.entries()) bytes.writeUInt16BE(word, index * 2);
  return bytes;
}

function mustBe(isWellFormed: boolean): void {
  if (!isWellFormed) throw new DeviceException(ILLEGAL_VALUE);
}
