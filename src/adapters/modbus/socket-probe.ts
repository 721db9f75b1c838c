import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ModbusProbe, ProbeAnswer, ProbeQuestion } from '../../app/ports/modbus-probe.ts';
import type { Clocks, Scheduler } from '../../runtime/clocks.ts';
import { connectSocket, type Endpoint } from './connect-socket.ts';
import { frameOf, type ProbeFraming, questionPdu, takeFrame } from './probe-frame.ts';

export interface SocketProbeOptions {
  readonly endpoint: Endpoint;
  readonly framing: ProbeFraming;
  readonly connectTimeoutMs: number;
  /** Ends a connection attempt. */
  readonly signal: AbortSignal;
}

interface Parts {
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
}

interface InFlight {
  readonly unitId: number;
  readonly transactionId: number;
  readonly question: ProbeQuestion;
  readonly sentAtMs: number;
  readonly settle: (answer: ProbeAnswer) => void;
}

/**
 * Questions of a scan over one TCP connection at a time. It is apart from `ModbusLink`, which ends a link at the first
 * answer that is late or odd: a scan goes on and tells of it. Called by PlantScan.
 */
export class SocketProbe implements ModbusProbe {
  readonly #options: SocketProbeOptions;
  readonly #parts: Parts;
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  #inFlight: InFlight | undefined;
  #transactionId = randomInt(1, 0x8000);
  #hasAnswered = false;
  #closedAfterAnswer = 0;

  constructor(options: SocketProbeOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
  }

  get closedAfterAnswer(): number {
    return this.#closedAfterAnswer;
  }

  async ask(unitId: number, question: ProbeQuestion, timeoutMs: number): Promise<ProbeAnswer> {
    if (this.#inFlight !== undefined) throw new Error('one question at a time');
    const socket = await this.#connected();
    this.#transactionId = (this.#transactionId % 0xffff) + 1;
    const transactionId = this.#transactionId;
    const { framing } = this.#options;
    this.#received = Buffer.alloc(0);
    return new Promise((resolve) => {
      const cancel = this.#parts.scheduler.after(timeoutMs, () => {
        this.#inFlight?.settle({ kind: 'silent' });
        // Without a transaction id a late answer would be taken for that of the next question.
        if (framing === 'rtu') this.#drop();
      });
      this.#inFlight = {
        unitId,
        transactionId,
        question,
        sentAtMs: this.#parts.clocks.monotonicMs(),
        settle: (answer) => {
          cancel();
          this.#inFlight = undefined;
          this.#hasAnswered = answer.kind === 'answer' || answer.kind === 'refused';
          resolve(answer);
        },
      };
      socket.write(frameOf(framing, unitId, questionPdu(question), transactionId));
    });
  }

  async close(): Promise<void> {
    this.#drop();
  }

  async #connected(): Promise<Socket> {
    if (this.#socket !== undefined) return this.#socket;
    const { endpoint, connectTimeoutMs, signal } = this.#options;
    const socket = await connectSocket(endpoint, connectTimeoutMs, this.#parts.scheduler, signal);
    socket.setNoDelay(true);
    this.#socket = socket;
    this.#hasAnswered = false;
    socket.on('data', (bytes) => this.#receive(socket, bytes));
    socket.on('error', (error) => this.#lost(socket, error.message));
    socket.on('close', () => this.#lost(socket, 'the connection was closed'));
    return socket;
  }

  #receive(socket: Socket, bytes: Buffer): void {
    const asked = this.#inFlight;
    // A late answer to a question given up long ago.
    if (socket !== this.#socket || asked === undefined) return;
    this.#received = Buffer.concat([this.#received, bytes]);
    for (;;) {
      const frame = takeFrame(this.#options.framing, this.#received, asked.question);
      if (frame.kind === 'incomplete') return;
      if (frame.kind === 'garbled') {
        asked.settle({ kind: 'broken', reason: frame.reason });
        this.#drop();
        return;
      }
      this.#received = this.#received.subarray(frame.size);
      const isLate = this.#options.framing === 'mbap' && frame.transactionId !== asked.transactionId;
      if (isLate) continue;
      asked.settle(this.#answerOf(frame.unitId, frame.pdu, asked));
      return;
    }
  }

  #answerOf(unitId: number, pdu: Buffer, { unitId: askedUnit, question, sentAtMs }: InFlight): ProbeAnswer {
    const tookMs = this.#parts.clocks.monotonicMs() - sentAtMs;
    if (unitId !== askedUnit)
      return { kind: 'broken', reason: `unit ${unitId} answered for unit ${askedUnit}` };
    const functionCode = questionPdu(question).readUInt8(0);
    const given = pdu.readUInt8(0);
    if (given === (functionCode | 0x80) && pdu.length >= 2)
      return { kind: 'refused', exception: pdu.readUInt8(1), tookMs };
    if (given !== functionCode || (question.kind === 'read' && !isWhole(pdu, question)))
      return {
        kind: 'broken',
        reason: `an answer that does not fit the question: ${pdu.toString('hex').slice(0, 20)}`,
      };
    return { kind: 'answer', pdu: Uint8Array.from(pdu), tookMs };
  }

  #lost(socket: Socket, reason: string): void {
    if (socket !== this.#socket) return;
    if (this.#inFlight === undefined && this.#hasAnswered) this.#closedAfterAnswer += 1;
    this.#inFlight?.settle({ kind: 'broken', reason });
    this.#drop();
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#received = Buffer.alloc(0);
    socket?.destroy();
  }
}

function isWhole(pdu: Buffer, question: Extract<ProbeQuestion, { kind: 'read' }>): boolean {
  const isBits = question.table === 'coil' || question.table === 'discrete_input';
  const bytes = isBits ? Math.ceil(question.count / 8) : question.count * 2;
  return pdu.length === 2 + bytes && pdu.readUInt8(1) === bytes;
}
