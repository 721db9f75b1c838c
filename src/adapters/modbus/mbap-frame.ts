/** Transaction id, protocol id and length, 2 bytes each; the unit id that follows is counted into the length. */
const HEADER_BYTES = 6;
/** As far as the function code: what tells whose answer it is. */
const IDENTITY_BYTES = 8;
const CRC_BYTES = 2;
const EXCEPTION_FLAG = 0x80;
/** Unit id, function code, exception code. */
const EXCEPTION_LENGTH = 3;
/** Functions 1 and 2 read bits, 3 and 4 registers. */
const LAST_BIT_FUNCTION = 2;

/** A read request on the wire: what its answer has to match. */
export interface Question {
  readonly transactionId: number;
  readonly unitId: number;
  readonly functionCode: number;
  /** Bytes of values that the answer carries. */
  readonly valueBytes: number;
}

export type Inspection =
  | { readonly kind: 'incomplete' }
  /** `rtu` is the answer as on a serial line; the frame took `size` bytes of what was received. */
  | { readonly kind: 'answer'; readonly rtu: Buffer; readonly size: number }
  /** Belongs to no question of ours. */
  | { readonly kind: 'stray'; readonly reason: string }
  /** Bears our transaction id and does not fit the question. */
  | { readonly kind: 'unfit'; readonly reason: string };

/** `rtu` is a read request as on a serial line: unit id, function code, address, count, checksum. */
export function questionOf(rtu: Buffer, transactionId: number): Question {
  const functionCode = rtu.readUInt8(1);
  const count = rtu.readUInt16BE(4);
  const valueBytes = functionCode <= LAST_BIT_FUNCTION ? Math.ceil(count / 8) : count * 2;
  return { transactionId, unitId: rtu.readUInt8(0), functionCode, valueBytes };
}

/** From the serial form to that of TCP (Modbus Messaging on TCP/IP Implementation Guide V1.0b, section 3.1.3). */
export function mbapOf(rtu: Buffer, transactionId: number): Buffer {
  const body = rtu.subarray(0, -CRC_BYTES);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(transactionId, 0);
  header.writeUInt16BE(body.length, 4);
  return Buffer.concat([header, body]);
}

/** Judges the bytes received since the question was sent, as soon as enough of them are there. */
export function inspectAnswer(received: Buffer, question: Question): Inspection {
  if (received.length < IDENTITY_BYTES) return { kind: 'incomplete' };
  const transactionId = received.readUInt16BE(0);
  if (transactionId !== question.transactionId)
    return { kind: 'stray', reason: `an answer under transaction ${transactionId}, which was not asked` };
  const unfit = (what: string, got: number, wanted: number): Inspection => ({
    kind: 'unfit',
    reason: `${what} ${got} instead of ${wanted}`,
  });
  const protocolId = received.readUInt16BE(2);
  if (protocolId !== 0) return unfit('protocol', protocolId, 0);
  const unitId = received.readUInt8(6);
  if (unitId !== question.unitId) return unfit('unit', unitId, question.unitId);
  const functionCode = received.readUInt8(7);
  const isException = functionCode === (question.functionCode | EXCEPTION_FLAG);
  if (functionCode !== question.functionCode && !isException)
    return unfit('function', functionCode, question.functionCode);
  const length = received.readUInt16BE(4);
  const wantedLength = isException ? EXCEPTION_LENGTH : 3 + question.valueBytes;
  if (length !== wantedLength) return unfit('length', length, wantedLength);
  const size = HEADER_BYTES + length;
  if (received.length < size) return { kind: 'incomplete' };
  const valueBytes = received.readUInt8(IDENTITY_BYTES);
  if (!isException && valueBytes !== question.valueBytes)
    return unfit('byte count', valueBytes, question.valueBytes);
  return { kind: 'answer', rtu: withChecksum(received.subarray(HEADER_BYTES, size)), size };
}

/** CRC-16 of Modbus over Serial Line V1.02, appendix B; low byte first. */
function withChecksum(body: Buffer): Buffer {
  let crc = 0xffff;
  for (const byte of body) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return Buffer.concat([body, Buffer.from([crc & 0xff, crc >> 8])]);
}
