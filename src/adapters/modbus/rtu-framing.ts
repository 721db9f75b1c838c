import { checksum } from './checksum.ts';
import type { Framing, Inspection } from './framing.ts';
import { CRC_BYTES, EXCEPTION_FLAG, EXCEPTION_LENGTH, type Question } from './question.ts';

/** Functions that a device answers with the request itself, so that an echo of the line looks like the answer. */
const ECHOED_FUNCTIONS: ReadonlySet<number> = new Set([5, 6, 22]);
const INCOMPLETE: Inspection = { kind: 'incomplete' };

/** Whether the answer begins at a place in what was received; `damaged` has its looks but not its checksum. */
type Match = 'none' | 'begun' | 'damaged' | 'whole';

/**
 * Frames of a serial line, on the line itself or through a gateway (Modbus over Serial Line V1.02, section 2.5.1). The
 * gaps that part them there are lost behind USB adapters and gateways, so the answer is found by its length, which the
 * question tells, and its checksum, wherever it begins: adapters add bytes when the line changes hands.
 */
export class RtuFraming implements Framing {
  #request: Buffer = Buffer.alloc(0);
  /** The adapter hears itself: each request comes back before its answer. */
  #hasEcho = false;

  frame(rtu: Buffer): Buffer {
    this.#request = rtu;
    return rtu;
  }

  inspect(received: Buffer, question: Question): Inspection {
    const echoEnd = this.#echoEnd(received, question);
    // What is inside a damaged answer are its values, whatever they look like.
    let damagedEnd = 0;
    for (let start = echoEnd; start < received.length; start += 1) {
      const isException = received[start + 1] === (question.functionCode | EXCEPTION_FLAG);
      const end = start + (isException ? EXCEPTION_LENGTH : question.length) + CRC_BYTES;
      const match = matchAt(received, start, end, question, isException);
      if (match === 'begun') return INCOMPLETE;
      if (match === 'damaged') damagedEnd = Math.max(damagedEnd, end);
      if (match === 'whole' && end > damagedEnd) {
        if (echoEnd > 0) this.#hasEcho = true;
        return { kind: 'answer', rtu: received.subarray(start, end), size: end };
      }
    }
    return damagedEnd > 0 ? { kind: 'unfit', reason: 'its checksum is wrong' } : INCOMPLETE;
  }

  /**
   * Where the echo of the request ends, 0 when there is none. The echo of a write could be its answer, and is taken for
   * an echo only on a line that has echoed something else.
   */
  #echoEnd(received: Buffer, { functionCode }: Question): number {
    if (ECHOED_FUNCTIONS.has(functionCode) && !this.#hasEcho) return 0;
    const { length } = this.#request;
    return received.length >= length && received.compare(this.#request, 0, length, 0, length) === 0
      ? length
      : 0;
  }
}

function matchAt(
  received: Buffer,
  start: number,
  end: number,
  { unitId, head }: Question,
  isException: boolean,
): Match {
  if (received[start] !== unitId) return 'none';
  if (!isException) {
    const known = Math.min(head.length, received.length - start);
    for (let index = 1; index < known; index += 1) if (received[start + index] !== head[index]) return 'none';
  }
  if (received.length < end) return 'begun';
  const isSound = received.readUInt16LE(end - CRC_BYTES) === checksum(received, start, end - CRC_BYTES);
  return isSound ? 'whole' : 'damaged';
}
