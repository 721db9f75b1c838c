import type { Duplex } from 'node:stream';
import type { NoiseKind } from '../../domain/plc/simulation/line-fault.ts';
import type { Cancel, Scheduler } from '../../runtime/clocks.ts';
import type { Framing, RequestFrame } from './framing.ts';

/** What the line does with a request. */
export interface Reply {
  /** From the function code on; undefined keeps silent. */
  readonly answer: Buffer | undefined;
  readonly delayMs: number;
  readonly noise: NoiseKind | undefined;
  readonly closes: boolean;
}

export type Answerer = (frame: RequestFrame, framing: Framing['name']) => Reply;

/** A serial line is at rest after 3.5 characters; a pseudo terminal and a network need more than the 2 ms of that. */
const SILENCE_MS = 30;
/** More than any request: whoever sends more without a frame in it is talking about something else. */
const MAX_PENDING_BYTES = 64 * 1024 + 512;
/** How long a peer that was hung up on may take to hang up as well; its place is given to others then. */
const HANG_UP_MS = 1_000;
const GARBAGE = Buffer.from([0x00, 0xff, 0x13, 0x37, 0x5a, 0x81, 0x00, 0x42, 0x99]);

/**
 * One peer of the line, on a socket or a serial port: takes requests off its bytes one after another, and reads on only
 * when the answer is out, so that a peer that asks without end fills its own buffers and not ours.
 */
export class LineClient {
  readonly #stream: Duplex;
  readonly #framing: Framing;
  readonly #answer: Answerer;
  readonly #scheduler: Scheduler;
  #received: Buffer = Buffer.alloc(0);
  #isBusy = false;
  #isClosed = false;
  #cancelSilence: Cancel = () => undefined;
  #wake: () => void = () => undefined;

  constructor(stream: Duplex, framing: Framing, answer: Answerer, scheduler: Scheduler) {
    this.#stream = stream;
    this.#framing = framing;
    this.#answer = answer;
    this.#scheduler = scheduler;
  }

  /** `onFailure` is told what must not happen; the peer is disconnected then. */
  listen(onFailure: (error: unknown) => void): void {
    this.#stream.on('data', (bytes: Buffer) => {
      if (this.#isClosed) return;
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#cancelSilence();
      if (!this.#isBusy) this.#work(false, onFailure);
    });
    this.#stream.once('close', () => this.#end());
  }

  close(): void {
    this.#end();
    this.#stream.destroy();
  }

  #end(): void {
    this.#isClosed = true;
    this.#cancelSilence();
    this.#wake();
  }

  #work(isSilent: boolean, onFailure: (error: unknown) => void): void {
    this.#isBusy = true;
    this.#drain(isSilent)
      .catch((error: unknown) => {
        onFailure(error);
        this.close();
      })
      .finally(() => {
        this.#isBusy = false;
        if (this.#received.length > 0 && !this.#isClosed && this.#framing.name === 'rtu')
          this.#cancelSilence = this.#scheduler.after(SILENCE_MS, () => this.#work(true, onFailure));
      });
  }

  async #drain(isSilent: boolean): Promise<void> {
    while (!this.#isClosed) {
      const next = this.#framing.next(this.#received, isSilent);
      if (next.kind === 'incomplete') {
        if (this.#received.length > MAX_PENDING_BYTES) this.#lose(true);
        return;
      }
      if (next.kind === 'lost') {
        this.#lose(isSilent);
        return;
      }
      this.#received = this.#received.subarray(next.size);
      this.#stream.pause();
      await this.#reply(next.frame);
      if (!this.#isClosed) this.#stream.resume();
    }
  }

  /** Over TCP nothing tells where the next frame begins; on a serial line silence does. */
  #lose(isSilent: boolean): void {
    if (this.#framing.name === 'tcp') this.close();
    else if (isSilent) this.#received = Buffer.alloc(0);
    else if (this.#received.length > MAX_PENDING_BYTES) this.#received = this.#received.subarray(0, 1);
  }

  async #reply(frame: RequestFrame): Promise<void> {
    const { answer, delayMs, noise, closes } = this.#answer(frame, this.#framing.name);
    if (delayMs > 0) await this.#pause(delayMs);
    if (this.#isClosed) return;
    if (answer !== undefined) await this.#send(this.#bytesOf(frame, answer, noise));
    if (closes && this.#framing.name === 'tcp') {
      this.#end();
      this.#hangUp();
    }
  }

  /** Reads on without listening: the end of a peer is not seen while its stream is paused. */
  #hangUp(): void {
    const cancel = this.#scheduler.after(HANG_UP_MS, () => this.#stream.destroy());
    this.#stream.once('close', cancel);
    this.#stream.end();
    this.#stream.resume();
  }

  #bytesOf(frame: RequestFrame, answer: Buffer, noise: NoiseKind | undefined): Buffer {
    const encoded = this.#framing.encode(frame, answer);
    if (noise === 'garbage') return GARBAGE;
    if (noise === 'garbled') return this.#framing.garble(encoded);
    if (noise === 'stray') return Buffer.concat([this.#framing.stray(frame), encoded]);
    return encoded;
  }

  #send(bytes: Buffer): Promise<void> {
    if (this.#stream.write(bytes)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#stream.once('drain', resolve);
    });
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#scheduler.after(delayMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
