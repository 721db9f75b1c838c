import { randomInt } from 'node:crypto';
import type { ModbusProbe, ProbeAnswer, ProbeQuestion } from '../../app/ports/modbus-probe.ts';
import type { Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Line, LineSource } from './line.ts';
import { frameOf, type ProbeFraming, questionPdu, takeFrame } from './probe-frame.ts';

export interface LineProbeOptions {
  readonly source: LineSource;
  readonly framing: ProbeFraming;
  /** Limit of one attempt to connect, or to open the port. */
  readonly openTimeoutMs: number;
  /** Ends an attempt to open. */
  readonly signal: AbortSignal;
}

interface Parts {
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
}

const LATE_ANSWER_MS = 200;

interface InFlight {
  readonly unitId: number;
  readonly transactionId: number;
  readonly question: ProbeQuestion;
  readonly sentAtMs: number;
  readonly settle: (answer: ProbeAnswer) => void;
}

/**
 * Questions of a scan over one line at a time. It is apart from `ModbusLink`, which ends a link at the first
 * answer that is late or odd: a scan goes on and tells of it. Called by PlantScan.
 */
export class LineProbe implements ModbusProbe {
  readonly #options: LineProbeOptions;
  readonly #parts: Parts;
  #line: Line | undefined;
  #received = Buffer.alloc(0);
  #inFlight: InFlight | undefined;
  #transactionId = randomInt(1, 0x8000);
  #hasAnswered = false;
  #isLateExpected = false;
  #dropping: Promise<void> = Promise.resolve();
  #closedAfterAnswer = 0;

  constructor(options: LineProbeOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
  }

  get closedAfterAnswer(): number {
    return this.#closedAfterAnswer;
  }

  async ask(unitId: number, question: ProbeQuestion, timeoutMs: number): Promise<ProbeAnswer> {
    if (this.#inFlight !== undefined) throw new Error('one question at a time');
    await this.#settled();
    const line = await this.#opened();
    this.#transactionId = (this.#transactionId % 0xffff) + 1;
    const transactionId = this.#transactionId;
    const { framing } = this.#options;
    this.#received = Buffer.alloc(0);
    return new Promise((resolve) => {
      const cancel = this.#parts.scheduler.after(timeoutMs, () => this.#inFlight?.settle({ kind: 'silent' }));
      this.#inFlight = {
        unitId,
        transactionId,
        question,
        sentAtMs: this.#parts.clocks.monotonicMs(),
        settle: (answer) => {
          cancel();
          this.#inFlight = undefined;
          this.#hasAnswered = answer.kind === 'answer' || answer.kind === 'refused';
          this.#isLateExpected = answer.kind === 'silent' && framing === 'rtu';
          resolve(answer);
        },
      };
      line.write(frameOf(framing, unitId, questionPdu(question), transactionId));
    });
  }

  /** Without a transaction id a late answer would be taken for that of the next question: it gets time to come. */
  #settled(): Promise<void> {
    if (!this.#isLateExpected) return Promise.resolve();
    this.#isLateExpected = false;
    return new Promise((resolve) => {
      this.#parts.scheduler.after(LATE_ANSWER_MS, resolve);
    });
  }

  async close(): Promise<void> {
    await this.#drop();
  }

  async #opened(): Promise<Line> {
    await this.#dropping;
    if (this.#line !== undefined) return this.#line;
    const { source, openTimeoutMs, signal } = this.#options;
    const line = await source.open(openTimeoutMs, signal);
    this.#line = line;
    this.#hasAnswered = false;
    line.listen({
      onBytes: (bytes) => this.#receive(line, bytes),
      onLost: (cause) => this.#lost(line, cause.message),
    });
    return line;
  }

  #receive(line: Line, bytes: Buffer): void {
    const asked = this.#inFlight;
    // A late answer to a question given up long ago.
    if (line !== this.#line || asked === undefined) return;
    this.#received = Buffer.concat([this.#received, bytes]);
    for (;;) {
      const frame = takeFrame(this.#options.framing, this.#received, asked.question);
      if (frame.kind === 'incomplete') return;
      if (frame.kind === 'garbled') {
        asked.settle({ kind: 'broken', reason: frame.reason, isForeign: true });
        void this.#drop();
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
      return { kind: 'broken', reason: `unit ${unitId} answered for unit ${askedUnit}`, isForeign: false };
    const functionCode = questionPdu(question).readUInt8(0);
    const given = pdu.readUInt8(0);
    if (given === (functionCode | 0x80) && pdu.length >= 2)
      return { kind: 'refused', exception: pdu.readUInt8(1), tookMs };
    if (given !== functionCode || (question.kind === 'read' && !isWhole(pdu, question)))
      return {
        kind: 'broken',
        reason: `an answer that does not fit the question: ${pdu.toString('hex').slice(0, 20)}`,
        isForeign: false,
      };
    return { kind: 'answer', pdu: Uint8Array.from(pdu), tookMs };
  }

  #lost(line: Line, reason: string): void {
    if (line !== this.#line) return;
    if (this.#inFlight === undefined && this.#hasAnswered) this.#closedAfterAnswer += 1;
    this.#inFlight?.settle({ kind: 'broken', reason, isForeign: false });
    void this.#drop();
  }

  /** Two are never open at once: the next is opened when this one has been released. */
  #drop(): Promise<void> {
    const line = this.#line;
    this.#line = undefined;
    this.#received = Buffer.alloc(0);
    if (line !== undefined) this.#dropping = line.release();
    return this.#dropping;
  }
}

function isWhole(pdu: Buffer, question: Extract<ProbeQuestion, { kind: 'read' }>): boolean {
  const isBits = question.table === 'coil' || question.table === 'discrete_input';
  const bytes = isBits ? Math.ceil(question.count / 8) : question.count * 2;
  return pdu.length === 2 + bytes && pdu.readUInt8(1) === bytes;
}
