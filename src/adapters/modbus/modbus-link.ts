import { ModbusRefusal, modbusError, socketReason } from '../../domain/plc/modbus-error.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { Framing } from './framing.ts';
import type { Line } from './line.ts';
import type { LineQuiet } from './line-quiet.ts';
import { exceptionOf, ModbusCodec } from './modbus-codec.ts';
import { type Question, questionOf } from './question.ts';
import { functionCodeOf, isBroadcast, type UnitRequest } from './unit-request.ts';

/** Called once: with the values of a read (none of a write), or with a ModbusRefusal or an EdgeError of `ModbusErrorCode`. */
export type Done = (error: EdgeError | undefined, answer: readonly number[] | undefined) => void;

interface InFlight {
  readonly request: UnitRequest;
  readonly question: Question;
  readonly sentMs: number;
  readonly done: Done;
  readonly cancelTimer: Cancel;
}

export interface ModbusLinkParts {
  readonly line: Line;
  readonly framing: Framing;
  /**
   * On a serial line: a late or damaged answer is waited out. Without, as on TCP, any trouble ends the link: a side that
   * mixes up its answers once is not asked again over the same connection.
   */
  readonly quiet: LineQuiet | undefined;
  readonly where: string;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
}

const NOTHING: Buffer = Buffer.alloc(0);
const NO_VALUES: readonly number[] = [];
/** Twice the longest frame (Modbus over Serial Line V1.02, section 2.3): an answer behind noise is still found. */
const MOST_RECEIVED_BYTES = 512;
/** After so many requests in a row without a byte, the far side may be gone and the network not have noticed. */
const MOST_SILENT_IN_A_ROW = 3;
/** A frame that is damaged may be noise in front of the answer: this much silence behind it, and it was the answer. */
const DAMAGED_SILENCE_MS = 20;

/**
 * One line to a device or gateway, from open to closed; never reopened. The caller sends one request at a time; one
 * answer that fits the request in flight comes back, and nothing else is ever taken for it. Called by ModbusConnection.
 */
export class ModbusLink {
  readonly #parts: ModbusLinkParts;
  readonly #codec = new ModbusCodec();
  readonly #openedMs: number;
  #closedBecause: EdgeError | undefined;
  #onClosed: (cause: EdgeError) => void = () => undefined;
  #onFree: () => void = () => undefined;
  #released = Promise.resolve();
  #inFlight: InFlight | undefined;
  #received = NOTHING;
  /** The last request, when it was a broadcast: some gateways answer for the devices. */
  #broadcast: Question | undefined;
  /** The last request, unless it was a broadcast. */
  #asked: Question | undefined;
  #silentInARow = 0;
  #answers = 0;
  #cancelSilence: Cancel | undefined;

  constructor(parts: ModbusLinkParts) {
    this.#parts = parts;
    this.#openedMs = parts.clocks.monotonicMs();
    parts.line.listen({
      onBytes: (bytes) => this.#receive(bytes),
      onLost: (cause) => this.close(cause),
    });
  }

  /** Answers that came over it, exceptions among them. */
  get answers(): number {
    return this.#answers;
  }

  get isAsking(): boolean {
    return this.#inFlight !== undefined;
  }

  get openedMs(): number {
    return this.#openedMs;
  }

  /** Resolves when the line of a closed link may be opened again. */
  get released(): Promise<void> {
    return this.#released;
  }

  /** Called once, when the link has closed for whatever reason; at once when it already has. */
  onClosed(listener: (cause: EdgeError) => void): void {
    this.#onClosed = listener;
    if (this.#closedBecause !== undefined) listener(this.#closedBecause);
  }

  /** Called when `waitMs` has become shorter than it was said to be. */
  onFree(listener: () => void): void {
    this.#onFree = listener;
  }

  /** Milliseconds until the request may be sent; 0 or less when it may be now. */
  waitMs(request: UnitRequest, nowMs: number): number {
    return this.#parts.quiet?.waitMs(request.unitId, functionCodeOf(request), nowMs) ?? 0;
  }

  /**
   * Sends a valid request. A write that may have reached the device fails with retry `unknown-outcome`, whatever the
   * reason. A broadcast is done when it has been sent.
   */
  ask(request: UnitRequest, limitMs: number, done: Done): void {
    if (this.#inFlight !== undefined) throw new Error('one request at a time');
    if (this.#closedBecause !== undefined) {
      done(this.#closedBecause, undefined);
      return;
    }
    const { line, framing, quiet, clocks, scheduler } = this.#parts;
    const rtu = this.#codec.encode(request, (error, answer) => this.#decoded(error, answer));
    const inFlight = {
      request,
      question: questionOf(rtu),
      sentMs: clocks.monotonicMs(),
      done,
      cancelTimer: scheduler.after(limitMs, () => this.#timeOut(limitMs)),
    };
    this.#inFlight = inFlight;
    this.#received = NOTHING;
    this.#broadcast = undefined;
    this.#asked = isBroadcast(request) ? undefined : inFlight.question;
    quiet?.noteSent(inFlight.sentMs);
    if (isBroadcast(request)) {
      this.#broadcast = inFlight.question;
      line.write(framing.frame(rtu), () => {
        if (this.#inFlight === inFlight) this.#settle(undefined, NO_VALUES);
      });
    } else line.write(framing.frame(rtu));
  }

  /** Ends the link; a request in flight fails with `cause`. */
  close(cause: EdgeError): void {
    if (this.#closedBecause !== undefined) return;
    this.#closedBecause = cause;
    this.#cancelSilence?.();
    this.#released = this.#parts.line.release();
    this.#onClosed(cause);
    this.#settle(cause, undefined);
  }

  #receive(bytes: Buffer): void {
    if (this.#closedBecause !== undefined) return;
    const { quiet, clocks } = this.#parts;
    this.#cancelSilence?.();
    this.#cancelSilence = undefined;
    this.#silentInARow = 0;
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    if (quiet !== undefined) {
      quiet.noteBytes(clocks.monotonicMs());
      if (this.#received.length > MOST_RECEIVED_BYTES)
        this.#received = this.#received.subarray(-MOST_RECEIVED_BYTES);
    }
    if (this.#inFlight === undefined || isBroadcast(this.#inFlight.request)) this.#receiveUnasked(quiet);
    else this.#judge(this.#inFlight, quiet);
  }

  #judge({ question, sentMs }: InFlight, quiet: LineQuiet | undefined): void {
    const inspection = this.#parts.framing.inspect(this.#received, question);
    if (inspection.kind === 'answer') {
      this.#received = this.#received.subarray(inspection.size);
      this.#answers += 1;
      quiet?.noteAnswer(sentMs, this.#parts.clocks.monotonicMs());
      if (quiet !== undefined && this.#isContradicted(inspection.rtu, question)) {
        quiet.noteSurplus(this.#parts.clocks.monotonicMs());
        this.#closeOver('MODBUS_STRAY', 'two answers that differ to one question');
        return;
      }
      this.#codec.decode(inspection.rtu);
    } else if (quiet !== undefined) {
      this.#takeLate(quiet);
      if (inspection.kind === 'unfit') this.#awaitSilence(inspection.reason);
    } else if (inspection.kind === 'stray') this.#closeOver('MODBUS_STRAY', inspection.reason);
    else if (inspection.kind === 'unfit') this.#closeOver('MODBUS_GARBLED', inspection.reason);
  }

  #receiveUnasked(quiet: LineQuiet | undefined): void {
    if (quiet === undefined) {
      if (!this.#isOfBroadcast()) this.#closeOver('MODBUS_STRAY', 'data that was not asked for');
      return;
    }
    const nowMs = this.#parts.clocks.monotonicMs();
    quiet.noteDisturbed(nowMs);
    this.#takeLate(quiet);
    // Noise is waited out; behind an answer too many, the next could be taken for that of another question.
    if (this.#asked === undefined) return;
    if (this.#parts.framing.inspect(this.#received, this.#asked).kind !== 'answer') return;
    quiet.noteSurplus(nowMs);
    this.#closeOver('MODBUS_STRAY', 'a second answer to one question');
  }

  #isContradicted(answer: Buffer, question: Question): boolean {
    const further = this.#parts.framing.inspect(this.#received, question);
    return further.kind === 'answer' && !further.rtu.equals(answer);
  }

  #isOfBroadcast(): boolean {
    if (this.#broadcast === undefined) return false;
    const { kind } = this.#parts.framing.inspect(this.#received, this.#broadcast);
    return kind === 'answer' || kind === 'incomplete';
  }

  /** Answers to what was given up before are no longer owed, and no part of what comes next. */
  #takeLate(quiet: LineQuiet): void {
    for (const question of quiet.owed(this.#parts.clocks.monotonicMs())) {
      const inspection = this.#parts.framing.inspect(this.#received, question);
      if (inspection.kind !== 'answer') continue;
      quiet.noteLate(question);
      this.#received = this.#received.subarray(inspection.size);
      this.#onFree();
    }
  }

  #awaitSilence(reason: string): void {
    this.#cancelSilence = this.#parts.scheduler.after(DAMAGED_SILENCE_MS, () => {
      const { quiet, clocks } = this.#parts;
      if (this.#inFlight !== undefined)
        quiet?.noteDamaged(this.#inFlight.question, this.#inFlight.sentMs, clocks.monotonicMs());
      this.#settle(this.#unusable(reason), undefined);
    });
  }

  #timeOut(limitMs: number): void {
    const { quiet, where, clocks } = this.#parts;
    const inFlight = this.#inFlight;
    if (inFlight === undefined) return;
    const { unitId } = inFlight.request;
    const silent = modbusError(
      'MODBUS_TIMEOUT',
      `unit ${unitId} at ${where} gave no answer in ${Math.round(limitMs)} ms`,
    );
    if (quiet === undefined) {
      this.close(silent);
      return;
    }
    quiet.noteUnanswered(inFlight.question, inFlight.sentMs, clocks.monotonicMs());
    const { length } = this.#received;
    if (length === 0) this.#silentInARow += 1;
    if (this.#silentInARow >= MOST_SILENT_IN_A_ROW) this.close(silent);
    else this.#settle(length === 0 ? silent : this.#unusable(`${length} bytes that do not fit`), undefined);
  }

  #decoded(error: unknown, answer: readonly number[] | undefined): void {
    const exception = exceptionOf(error);
    if (answer !== undefined) this.#settle(undefined, answer);
    else if (exception !== undefined)
      this.#settle(
        new ModbusRefusal(exception, error, this.#inFlight?.request.kind === 'write' ? 'write' : 'read'),
        undefined,
      );
    else this.#closeOver('MODBUS_GARBLED', socketReason(error));
  }

  #settle(error: EdgeError | undefined, answer: readonly number[] | undefined): void {
    const inFlight = this.#inFlight;
    if (inFlight === undefined) return;
    this.#inFlight = undefined;
    inFlight.cancelTimer();
    this.#cancelSilence?.();
    this.#cancelSilence = undefined;
    // An answer stands whatever follows it, but the next request has to know.
    const isAnswered = answer !== undefined || error instanceof ModbusRefusal;
    if (isAnswered && this.#received.length > 0) this.#receiveUnasked(this.#parts.quiet);
    const isOpenWrite = inFlight.request.kind === 'write' && error !== undefined;
    inFlight.done(isOpenWrite && !(error instanceof ModbusRefusal) ? outcomeUnknown(error) : error, answer);
  }

  #closeOver(code: 'MODBUS_STRAY' | 'MODBUS_GARBLED', reason: string): void {
    this.#parts.quiet?.noteDisturbed(this.#parts.clocks.monotonicMs());
    this.close(
      code === 'MODBUS_STRAY'
        ? modbusError(code, `${this.#parts.where} sent ${reason}`)
        : this.#unusable(reason),
    );
  }

  #unusable(reason: string): EdgeError {
    return modbusError('MODBUS_GARBLED', `unusable answer of ${this.#parts.where}: ${reason}`);
  }
}

function outcomeUnknown(error: EdgeError): EdgeError {
  return new EdgeError(error.code, error.message, {
    retry: 'unknown-outcome',
    cause: error,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  });
}
