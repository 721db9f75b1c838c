/** Bytes of the checksum that ends every frame of a serial line. */
export const CRC_BYTES = 2;
export const EXCEPTION_FLAG = 0x80;
/** Unit id, function code, exception code. */
export const EXCEPTION_LENGTH = 3;
/** Reference type of a file record, the only one there is. */
export const FILE_REFERENCE = 6;

/** A request on the wire: what its answer has to match. Lengths count from the unit id on, without the checksum. */
export interface Question {
  readonly unitId: number;
  readonly functionCode: number;
  /** The bytes with which the answer begins: all of it for a write, which is answered with its own words. */
  readonly head: Uint8Array;
  readonly length: number;
}

/** `rtu` is a request as on a serial line (Modbus Application Protocol V1.1b3, section 6). */
export function questionOf(rtu: Buffer): Question {
  const unitId = rtu.readUInt8(0);
  const functionCode = rtu.readUInt8(1);
  switch (functionCode) {
    case 1:
    case 2:
      return valuesQuestion(unitId, functionCode, Math.ceil(rtu.readUInt16BE(4) / 8));
    case 3:
    case 4:
      return valuesQuestion(unitId, functionCode, rtu.readUInt16BE(4) * 2);
    case 5:
    case 6:
    case 15:
    case 16:
      return { unitId, functionCode, head: rtu.subarray(0, 6), length: 6 };
    case 22:
      return { unitId, functionCode, head: rtu.subarray(0, 8), length: 8 };
    case 20: {
      const bytes = rtu.readUInt16BE(8) * 2;
      const head = Uint8Array.of(unitId, functionCode, bytes + 2, bytes + 1, FILE_REFERENCE);
      return { unitId, functionCode, head, length: head.length + bytes };
    }
    default:
      throw new Error(`function ${functionCode} is not asked`);
  }
}

function valuesQuestion(unitId: number, functionCode: number, bytes: number): Question {
  return { unitId, functionCode, head: Uint8Array.of(unitId, functionCode, bytes), length: 3 + bytes };
}
