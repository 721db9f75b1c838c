import type { ProbeQuestion } from '../../app/ports/modbus-probe.ts';
import type { RegisterTable } from '../../domain/plc/register-address.ts';
import { checksum } from './checksum.ts';

export type ProbeFraming = 'mbap' | 'rtu';

/** A scan asks with these functions and with no other: none of them changes anything. */
const READ_FUNCTIONS: Readonly<Record<RegisterTable, number>> = {
  coil: 1,
  discrete_input: 2,
  holding: 3,
  input: 4,
};
const IDENTIFY = 0x2b;
const MBAP_BYTES = 7;
const CRC_BYTES = 2;

export function questionPdu(question: ProbeQuestion): Buffer {
  if (question.kind === 'identify') return Buffer.from([IDENTIFY, 0x0e, 0x01, 0x00]);
  const pdu = Buffer.alloc(5);
  pdu.writeUInt8(READ_FUNCTIONS[question.table], 0);
  pdu.writeUInt16BE(question.address, 1);
  pdu.writeUInt16BE(question.count, 3);
  return pdu;
}

export function frameOf(framing: ProbeFraming, unitId: number, pdu: Buffer, transactionId: number): Buffer {
  if (framing === 'rtu') {
    const body = Buffer.concat([Buffer.from([unitId]), pdu]);
    return Buffer.concat([body, crcOf(body)]);
  }
  const header = Buffer.alloc(MBAP_BYTES);
  header.writeUInt16BE(transactionId, 0);
  header.writeUInt16BE(pdu.length + 1, 4);
  header.writeUInt8(unitId, 6);
  return Buffer.concat([header, pdu]);
}

export type ReceivedFrame =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'garbled'; readonly reason: string }
  | {
      readonly kind: 'frame';
      readonly unitId: number;
      readonly transactionId: number;
      readonly pdu: Buffer;
      readonly size: number;
    };

/** The first whole frame of what was received; of a serial line `question` tells how long it is. */
export function takeFrame(framing: ProbeFraming, received: Buffer, question: ProbeQuestion): ReceivedFrame {
  return framing === 'mbap' ? takeMbap(received) : takeRtu(received, question);
}

function takeMbap(received: Buffer): ReceivedFrame {
  if (received.length < MBAP_BYTES + 1) return { kind: 'incomplete' };
  const protocol = received.readUInt16BE(2);
  const length = received.readUInt16BE(4);
  if (protocol !== 0 || length < 3 || length > 254)
    return {
      kind: 'garbled',
      reason: 'what came is no Modbus TCP frame: is the port another protocol, or RTU over TCP?',
    };
  const size = MBAP_BYTES - 1 + length;
  if (received.length < size) return { kind: 'incomplete' };
  return {
    kind: 'frame',
    unitId: received.readUInt8(6),
    transactionId: received.readUInt16BE(0),
    pdu: received.subarray(MBAP_BYTES, size),
    size,
  };
}

function takeRtu(received: Buffer, question: ProbeQuestion): ReceivedFrame {
  if (received.length < 3) return { kind: 'incomplete' };
  const size = rtuSize(received, question);
  if (size === undefined || received.length < size) return { kind: 'incomplete' };
  const body = received.subarray(0, size - CRC_BYTES);
  if (!crcOf(body).equals(received.subarray(size - CRC_BYTES, size)))
    return { kind: 'garbled', reason: 'a checksum that does not fit: wrong baud rate or parity, or noise' };
  return { kind: 'frame', unitId: body.readUInt8(0), transactionId: 0, pdu: body.subarray(1), size };
}

/** Unit, function, what follows, checksum; undefined while it cannot be told yet. */
function rtuSize(received: Buffer, question: ProbeQuestion): number | undefined {
  const isException = (received.readUInt8(1) & 0x80) !== 0;
  if (isException) return 5;
  if (question.kind === 'read') return 3 + received.readUInt8(2) + CRC_BYTES;
  // Function, 0x0E, code, conformity, more, next, number of objects; then id, length and text of each.
  if (received.length < 8) return undefined;
  let at = 8;
  for (let left = received.readUInt8(7); left > 0; left -= 1) {
    if (received.length < at + 2) return undefined;
    at += 2 + received.readUInt8(at + 1);
  }
  return at + CRC_BYTES;
}

/** Low byte first. */
function crcOf(body: Buffer): Buffer {
  const crc = checksum(body, 0, body.length);
  return Buffer.from([crc & 0xff, crc >> 8]);
}
