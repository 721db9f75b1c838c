import type { Question } from './question.ts';

interface Owed {
  readonly question: Question;
  readonly untilMs: number;
}

export interface LineQuietOptions {
  /** Silence between two frames, milliseconds; 0 where something else sees to it. */
  readonly frameGapMs: number;
  /** Silence behind each answer, milliseconds, in which a second one shows itself; 0 where the gap has to do. */
  readonly answerSilenceMs: number;
  /** Limit of one request, milliseconds. */
  readonly timeoutMs: number;
}

/** Adapters and gateways hand on what they hear in pieces: silence shorter than this proves nothing. */
const LEAST_SILENCE_MS = 20;
/** Behind trouble, answers may be one question late for so long. */
const DOUBT_MS = 60_000;
/** The long silence, in which an answer that is still owed comes, is at least this. */
const LEAST_LONG_SILENCE_MS = 50;
/** Without any doubt, one answer in so many is followed by the long silence. */
const ANSWERS_PER_LONG_SILENCE = 32;
/** More than `ANSWERS_PER_LONG_SILENCE`: once answers are a question late, only earlier ones tell how slow the device is. */
const RECENT_ROUND_TRIPS = 40;

/**
 * When a serial line may be spoken to: not within the gap between frames, not while it babbles, and not while an answer
 * is owed that could be taken for the answer to the next request, since frames of a serial line have no transaction id.
 * Should one have been taken for another's all the same, the answer really owed comes in the silence that is kept behind
 * answers. Outlives the links of its line.
 * All times are monotonic. Called by ModbusLink.
 */
export class LineQuiet {
  readonly #options: LineQuietOptions;
  #lastByteMs = Number.NEGATIVE_INFINITY;
  /** When something began to come that was not asked for. */
  #disturbedMs: number | undefined;
  /** A device may still be about to speak. */
  #occupiedUntilMs = Number.NEGATIVE_INFINITY;
  #owed: Owed[] = [];
  #doubtedUntilMs = Number.NEGATIVE_INFINITY;
  #answeredMs = Number.NEGATIVE_INFINITY;
  #answersSinceLongSilence = 0;
  #roundTripsMs: number[] = [];

  constructor(options: LineQuietOptions) {
    this.#options = options;
  }

  /** Questions whose answers may still come and are waited for. */
  owed(nowMs: number): readonly Question[] {
    return this.#owed.filter(({ untilMs }) => untilMs > nowMs).map(({ question }) => question);
  }

  noteBytes(nowMs: number): void {
    this.#lastByteMs = nowMs;
  }

  /** Something came that nobody asked for. */
  noteDisturbed(nowMs: number): void {
    this.#disturbedMs ??= nowMs;
    this.#doubtedUntilMs = nowMs + DOUBT_MS;
  }

  noteAnswer(sentMs: number, nowMs: number): void {
    this.#answeredMs = nowMs;
    this.#answersSinceLongSilence += 1;
    this.#roundTripsMs.push(nowMs - sentMs);
    if (this.#roundTripsMs.length > RECENT_ROUND_TRIPS) this.#roundTripsMs.shift();
  }

  /** A second answer came to the last question: whose the first was is open, and how many more come. */
  noteSurplus(nowMs: number): void {
    this.noteDisturbed(nowMs);
    this.#answeredMs = nowMs;
    this.#roundTripsMs.pop();
  }

  /** An answer came damaged. Should it have been that of an earlier question, the right one still comes in time. */
  noteDamaged(question: Question, sentMs: number, nowMs: number): void {
    this.noteDisturbed(nowMs);
    this.#owe(question, sentMs + this.#options.timeoutMs, nowMs);
  }

  /** A question was given up: its answer may still come, as late again as it already is. */
  noteUnanswered(question: Question, sentMs: number, nowMs: number): void {
    this.noteDisturbed(nowMs);
    this.#occupiedUntilMs = sentMs + this.#options.timeoutMs;
    this.#owe(question, sentMs + 2 * this.#options.timeoutMs, nowMs);
  }

  /** The late answer has come. */
  noteLate(question: Question): void {
    this.#occupiedUntilMs = Number.NEGATIVE_INFINITY;
    this.#owed = this.#owed.filter((owed) => owed.question !== question);
  }

  noteSent(nowMs: number): void {
    this.#disturbedMs = undefined;
    if (nowMs - this.#answeredMs >= this.#longSilenceMs()) this.#answersSinceLongSilence = 0;
  }

  /**
   * Milliseconds until the unit may be asked by the function; 0 or less when it may be now. An exception names neither
   * address nor length, so whatever is asked of one unit by one function has the same answer as far as can be told.
   */
  waitMs(unitId: number, functionCode: number, nowMs: number): number {
    const { frameGapMs, timeoutMs } = this.#options;
    let readyMs = Math.max(
      this.#occupiedUntilMs,
      this.#lastByteMs + frameGapMs,
      this.#answeredMs + this.#silenceMs(nowMs),
    );
    if (this.#disturbedMs !== undefined) {
      const silentMs = this.#lastByteMs + Math.max(frameGapMs, LEAST_SILENCE_MS);
      // A line that never falls silent is asked all the same: checksums part right from wrong.
      readyMs = Math.max(readyMs, Math.min(silentMs, this.#disturbedMs + timeoutMs));
    }
    for (const { question, untilMs } of this.#owed)
      if (question.unitId === unitId && question.functionCode === functionCode)
        readyMs = Math.max(readyMs, untilMs);
    return readyMs - nowMs;
  }

  #silenceMs(nowMs: number): number {
    const isLong = nowMs < this.#doubtedUntilMs || this.#answersSinceLongSilence >= ANSWERS_PER_LONG_SILENCE;
    return isLong ? this.#longSilenceMs() : this.#options.answerSilenceMs;
  }

  /** Twice the slowest of the recent round trips, within `LEAST_LONG_SILENCE_MS` and the limit of a request. */
  #longSilenceMs(): number {
    const slowestMs = Math.max(0, ...this.#roundTripsMs);
    return Math.max(
      this.#options.answerSilenceMs,
      Math.min(this.#options.timeoutMs, Math.max(LEAST_LONG_SILENCE_MS, 2 * slowestMs)),
    );
  }

  #owe(question: Question, untilMs: number, nowMs: number): void {
    this.#owed = this.#owed.filter((owed) => owed.untilMs > nowMs);
    this.#owed.push({ question, untilMs });
  }
}
