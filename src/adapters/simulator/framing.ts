/** A request as it came over the wire. */
export interface RequestFrame {
  readonly unitId: number;
  /** From the function code on. */
  readonly request: Buffer;
  /** What the answer has to repeat; 0 on a serial line. */
  readonly transactionId: number;
}

export type NextFrame =
  /** The frame took the first `size` bytes. */
  | { readonly kind: 'frame'; readonly frame: RequestFrame; readonly size: number }
  | { readonly kind: 'incomplete' }
  /** No frame begins here and none can be found behind it. */
  | { readonly kind: 'lost' };

/** How requests and answers lie on a wire. */
export interface Framing {
  readonly name: 'tcp' | 'rtu';
  /** `isSilent`: nothing has followed for a while, so that what is there is all there is. */
  next(received: Buffer, isSilent: boolean): NextFrame;
  encode(frame: RequestFrame, answer: Buffer): Buffer;
  /** The answer damaged, in a way that whoever asked can tell. */
  garble(encoded: Buffer): Buffer;
  /** An answer to nothing that was asked. */
  stray(frame: RequestFrame): Buffer;
}

const HEADER_BYTES = 7;
/** Unit id and 253 bytes (Modbus Messaging on TCP/IP Implementation Guide V1.0b, section 3.1.3). */
const MAX_TCP_LENGTH = 254;
const STRAY_VALUE = Buffer.from([3, 2, 0x12, 0x34]);

export const tcpFraming: Framing = {
  name: 'tcp',
  next(received) {
    if (received.length < HEADER_BYTES) return { kind: 'incomplete' };
    const length = received.readUInt16BE(4);
    if (received.readUInt16BE(2) !== 0 || length < 2 || length > MAX_TCP_LENGTH) return { kind: 'lost' };
    const size = HEADER_BYTES - 1 + length;
    if (received.length < size) return { kind: 'incomplete' };
    const frame = {
      transactionId: received.readUInt16BE(0),
      unitId: received.readUInt8(6),
      request: Buffer.from(received.subarray(HEADER_BYTES, size)),
    };
    return { kind: 'frame', frame, size };
  },
  encode: ({ transactionId, unitId }, answer) => tcpFrame(transactionId, unitId, answer),
  /** There is no checksum: damage to a value could not be told, so the header is what suffers. */
  garble(encoded) {
    const damaged = Buffer.from(encoded);
    damaged.writeUInt16BE(0x5a5a, 2);
    damaged.writeUInt8(damaged.readUInt8(6) ^ 0x55, 6);
    return damaged;
  },
  stray: ({ transactionId, unitId }) => tcpFrame((transactionId + 0x4000) & 0xffff, unitId, STRAY_VALUE),
};

function tcpFrame(transactionId: number, unitId: number, answer: Buffer): Buffer {
  const frame = Buffer.alloc(HEADER_BYTES + answer.length);
  frame.writeUInt16BE(transactionId, 0);
  frame.writeUInt16BE(answer.length + 1, 4);
  frame.writeUInt8(unitId, 6);
  answer.copy(frame, HEADER_BYTES);
  return frame;
}

/** Unit id, at least a function code, checksum; at most 256 (Modbus over Serial Line V1.02, section 2.5.1). */
const MIN_RTU_BYTES = 4;
export const MAX_RTU_BYTES = 256;
const CRC_BYTES = 2;

export const rtuFraming: Framing = {
  name: 'rtu',
  next(received, isSilent) {
    const size = rtuSize(received);
    if (size === 'incomplete') return isSilent ? { kind: 'lost' } : { kind: 'incomplete' };
    // A function without a known length ends where the line falls silent.
    const end = size === 'unknown' ? (isSilent ? received.length : undefined) : size;
    if (end === undefined) return received.length > MAX_RTU_BYTES ? { kind: 'lost' } : { kind: 'incomplete' };
    if (received.length < end) return isSilent ? { kind: 'lost' } : { kind: 'incomplete' };
    if (
      end < MIN_RTU_BYTES ||
      crcOf(received.subarray(0, end - CRC_BYTES)) !== received.readUInt16LE(end - CRC_BYTES)
    )
      return { kind: 'lost' };
    const frame = {
      transactionId: 0,
      unitId: received.readUInt8(0),
      request: Buffer.from(received.subarray(1, end - CRC_BYTES)),
    };
    return { kind: 'frame', frame, size: end };
  },
  encode: ({ unitId }, answer) => rtuFrame(unitId, answer),
  garble(encoded) {
    const damaged = Buffer.from(encoded);
    const middle = encoded.length >> 1;
    damaged[middle] = (damaged[middle] ?? 0) ^ 0x10;
    return damaged;
  },
  stray: ({ unitId }) => rtuFrame((unitId + 100) & 0xff, STRAY_VALUE),
};

function rtuFrame(unitId: number, answer: Buffer): Buffer {
  const frame = Buffer.alloc(1 + answer.length + CRC_BYTES);
  frame.writeUInt8(unitId, 0);
  answer.copy(frame, 1);
  frame.writeUInt16LE(crcOf(frame.subarray(0, -CRC_BYTES)), frame.length - CRC_BYTES);
  return frame;
}

/** Bytes of the request that begins here, told by its function. */
function rtuSize(received: Buffer): number | 'unknown' | 'incomplete' {
  if (received.length < 2) return 'incomplete';
  const counted = (at: number): number | 'incomplete' =>
    received.length <= at ? 'incomplete' : at + 1 + received.readUInt8(at) + CRC_BYTES;
  switch (received[1]) {
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
      return 8;
    case 15:
    case 16:
      return counted(6);
    case 20:
      return counted(2);
    case 22:
      return 10;
    case 23:
      return counted(10);
    default:
      return 'unknown';
  }
}

/** CRC-16 of Modbus over Serial Line V1.02, section 6.2.2. */
function crcOf(bytes: Buffer): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
}
