import type { Duplex } from 'node:stream';
import type { JsonValue } from '../../domain/json.ts';
import { PartsAssembler, partsOf } from './json-parts.ts';
import { faultOf, isJsonObject } from './plain-json.ts';

/** Taken when the module loads: in a worker, a handler can replace them. */
const { stringify, parse } = JSON;

/** A payload up to this long travels inside the line of its message. */
const INLINE_CHARACTERS = 16_384;
/** No line that is sent comes near it: a part is at most twice its batch, and six bytes a character. */
const MAX_LINE_BYTES = 262_144;
const NEWLINE = 0x0a;

export interface ChannelEvents {
  /** `bytes` is what the payload took on the wire. */
  readonly onMessage: (message: JsonValue, payload: JsonValue | undefined, bytes: number) => void;
  /** Once: the far side `closed` it or sent what is no message. Nothing follows. */
  readonly onBroken: (why: string, closed: boolean) => void;
}

/**
 * Messages as lines of JSON over one pipe, in both directions and on both of its ends. A line holds `{m: MESSAGE}`,
 * `{m: MESSAGE, v: PAYLOAD}`, or one part of a larger payload, `{p: PART}`, that belongs to the next message with `w`.
 */
export class MessageChannel {
  readonly #stream: Duplex;
  readonly #events: ChannelEvents;
  readonly #maxPayloadBytes: number;
  readonly #outgoing: Iterator<string>[] = [];
  readonly #assembler = new PartsAssembler();
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #payloadBytes = 0;
  #blocked = false;
  #broken = false;

  constructor(stream: Duplex, maxPayloadBytes: number, events: ChannelEvents) {
    this.#stream = stream;
    this.#maxPayloadBytes = maxPayloadBytes;
    this.#events = events;
    stream.on('data', (bytes: Buffer) => this.#read(bytes));
    stream.on('drain', () => {
      this.#blocked = false;
      this.#write();
    });
    stream.on('error', (error) => this.#break(`its pipe broke: ${error.message}`, true));
    for (const end of ['end', 'close']) stream.once(end, () => this.#break('it closed its pipe', true));
  }

  /** In order; a large payload goes out piece by piece as the far side reads. Throws RangeError when it is nested too deep. */
  send(message: object, payload?: JsonValue): void {
    if (this.#broken) return;
    this.#outgoing.push(linesOf(message, payload));
    this.#write();
  }

  close(): void {
    this.#broken = true;
    this.#stream.destroy();
  }

  #write(): void {
    while (!this.#blocked && !this.#broken) {
      const first = this.#outgoing[0];
      if (first === undefined) return;
      const { done, value } = first.next();
      if (done === true) this.#outgoing.shift();
      else this.#blocked = !this.#stream.write(value);
    }
  }

  #read(bytes: Buffer): void {
    let from = 0;
    while (!this.#broken) {
      const at = bytes.indexOf(NEWLINE, from);
      const piece = bytes.subarray(from, at < 0 ? undefined : at);
      if (piece.length > 0) this.#pending.push(piece);
      this.#pendingBytes += piece.length;
      if (this.#pendingBytes > MAX_LINE_BYTES) this.#break('it sent a line without an end');
      else if (at < 0) return;
      else {
        const line = Buffer.concat(this.#pending);
        this.#pending = [];
        this.#pendingBytes = 0;
        this.#line(line);
        from = at + 1;
      }
    }
  }

  #line(line: Buffer): void {
    try {
      const frame: unknown = parse(line.toString());
      if (!isFrame(frame)) throw new TypeError('a line has no message');
      this.#frame(frame, line.length);
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
      this.#break(`it sent what is no message: ${error.message}`);
    }
  }

  #frame(frame: Readonly<Record<string, JsonValue>>, bytes: number): void {
    if (frame['p'] !== undefined) {
      this.#payloadBytes += bytes;
      if (this.#payloadBytes <= this.#maxPayloadBytes) this.#assembler.take(frame['p']);
      else this.#break(`it sent more than ${this.#maxPayloadBytes} bytes at once`);
      return;
    }
    const { m: message, v: inline } = frame;
    if (!isJsonObject(message)) throw new TypeError('a line has no message');
    const whole = frame['w'] === true;
    const fault = faultOf(message) ?? (inline === undefined ? undefined : faultOf(inline));
    if (fault !== undefined) throw new TypeError(fault);
    const size = whole ? this.#payloadBytes : bytes;
    this.#payloadBytes = 0;
    this.#events.onMessage(message, whole ? this.#assembler.done() : inline, size);
  }

  #break(why: string, closed = false): void {
    if (this.#broken) return;
    this.close();
    this.#events.onBroken(why, closed);
  }
}

function* linesOf(message: object, payload: JsonValue | undefined): Generator<string, void, undefined> {
  const head = stringify(message);
  const text = payload === undefined ? undefined : stringify(payload);
  if (payload === undefined || text === undefined) yield `{"m":${head}}\n`;
  else if (text.length <= INLINE_CHARACTERS) yield `{"m":${head},"v":${text}}\n`;
  else {
    for (const part of partsOf(payload)) yield `{"p":${part}}\n`;
    yield `{"m":${head},"w":true}\n`;
  }
}

function isFrame(value: unknown): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
