import { checksum } from './checksum.ts';
import type { Framing, Inspection } from './framing.ts';
import { CRC_BYTES, EXCEPTION_FLAG, EXCEPTION_LENGTH, type Question } from './question.ts';
import type { TransactionIds } from './transaction-ids.ts';

/** Transaction id, protocol id and length, 2 bytes each; the unit id that follows is counted into the length. */
const HEADER_BYTES = 6;
/** As far as the function code: what tells whose answer it is. */
const IDENTITY_BYTES = 8;
const INCOMPLETE: Inspection = { kind: 'incomplete' };

/**
 * Modbus TCP (Modbus Messaging on TCP/IP Implementation Guide V1.0b, section 3.1.3). modbus-serial's own TCP port counts
 * transactions modulo 256, from 1 on each connection, so that a gateway which delivers an answer late, on the next
 * connection, would be believed.
 */
export class MbapFraming implements Framing {
  readonly #transactionIds: TransactionIds;
  #transactionId = 0;

  constructor(transactionIds: TransactionIds) {
    this.#transactionIds = transactionIds;
  }

  frame(rtu: Buffer): Buffer {
    this.#transactionId = this.#transactionIds.next();
    const bodyBytes = rtu.length - CRC_BYTES;
    const frame = Buffer.allocUnsafe(HEADER_BYTES + bodyBytes);
    frame.writeUInt16BE(this.#transactionId, 0);
    frame.writeUInt16BE(0, 2);
    frame.writeUInt16BE(bodyBytes, 4);
    rtu.copy(frame, HEADER_BYTES, 0, bodyBytes);
    return frame;
  }

  inspect(received: Buffer, question: Question): Inspection {
    if (received.length < IDENTITY_BYTES) return INCOMPLETE;
    const transactionId = received.readUInt16BE(0);
    if (transactionId !== this.#transactionId)
      return { kind: 'stray', reason: `an answer under transaction ${transactionId}, which was not asked` };
    const protocolId = received.readUInt16BE(2);
    if (protocolId !== 0) return unfit('protocol', protocolId, 0);
    const unitId = received.readUInt8(6);
    if (unitId !== question.unitId) return unfit('unit', unitId, question.unitId);
    const functionCode = received.readUInt8(7);
    const isException = functionCode === (question.functionCode | EXCEPTION_FLAG);
    if (functionCode !== question.functionCode && !isException)
      return unfit('function', functionCode, question.functionCode);
    const length = received.readUInt16BE(4);
    const wantedLength = isException ? EXCEPTION_LENGTH : question.length;
    if (length !== wantedLength) return unfit('length', length, wantedLength);
    const size = HEADER_BYTES + length;
    if (received.length < size) return INCOMPLETE;
    if (!isException)
      for (const [index, wanted] of question.head.entries()) {
        const got = received.readUInt8(HEADER_BYTES + index);
        if (got !== wanted) return unfit(`byte ${index}`, got, wanted);
      }
    return { kind: 'answer', rtu: withChecksum(received, HEADER_BYTES, size), size };
  }
}

function unfit(what: string, got: number, wanted: number): Inspection {
  return { kind: 'unfit', reason: `${what} ${got} instead of ${wanted}` };
}

function withChecksum(bytes: Buffer, start: number, end: number): Buffer {
  const length = end - start;
  const rtu = Buffer.allocUnsafe(length + CRC_BYTES);
  bytes.copy(rtu, 0, start, end);
  rtu.writeUInt16LE(checksum(bytes, start, end), length);
  return rtu;
}
