/**
 * What the daemon sends to the recogniser's child on its standard input: frames of one header and a body.
 * The header is 6 bytes: kind, flags, body length (32 bit, little-endian).
 */
const HEADER_BYTES = 6;
/** The largest body: a grammar of some ten thousand phrases. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const KINDS = { audio: 1, discard: 2, grammar: 3, knownWords: 4, rest: 5, cut: 6 } as const;
const AUDIO_LOST_BEFORE = 1;

export type WorkerFrame =
  | { readonly kind: 'audio'; readonly pcm: Int16Array; readonly lostBefore: boolean }
  | { readonly kind: 'discard' | 'rest' | 'cut' }
  | { readonly kind: 'grammar' | 'knownWords'; readonly id: number; readonly items: readonly string[] };

export function encodeFrame(frame: WorkerFrame): Buffer {
  const body = bodyOf(frame);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(KINDS[frame.kind], 0);
  header.writeUInt8(frame.kind === 'audio' && frame.lostBefore ? AUDIO_LOST_BEFORE : 0, 1);
  header.writeUInt32LE(body.length, 2);
  return Buffer.concat([header, body]);
}

function bodyOf(frame: WorkerFrame): Buffer {
  switch (frame.kind) {
    case 'audio':
      return Buffer.from(frame.pcm.buffer, frame.pcm.byteOffset, frame.pcm.byteLength);
    case 'discard':
    case 'rest':
    case 'cut':
      return Buffer.alloc(0);
    case 'grammar':
    case 'knownWords':
      return Buffer.from([String(frame.id), ...frame.items].join('\n'));
  }
}

/** Cuts a byte stream into frames, however the bytes arrive. Throws RangeError on a stream that is none. */
export class FrameDecoder {
  #rest: Buffer = Buffer.alloc(0);

  push(bytes: Buffer): WorkerFrame[] {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: WorkerFrame[] = [];
    let at = 0;
    while (all.length - at >= HEADER_BYTES) {
      const length = all.readUInt32LE(at + 2);
      if (length > MAX_BODY_BYTES) throw new RangeError(`a frame of ${length} bytes`);
      const end = at + HEADER_BYTES + length;
      if (end > all.length) break;
      frames.push(decodeBody(all.readUInt8(at), all.readUInt8(at + 1), all.subarray(at + HEADER_BYTES, end)));
      at = end;
    }
    this.#rest = Buffer.from(all.subarray(at));
    return frames;
  }
}

function decodeBody(kind: number, flags: number, body: Buffer): WorkerFrame {
  switch (kind) {
    case KINDS.audio: {
      const pcm = new Int16Array(body.length >> 1);
      new Uint8Array(pcm.buffer).set(body.subarray(0, pcm.byteLength));
      return { kind: 'audio', pcm, lostBefore: (flags & AUDIO_LOST_BEFORE) !== 0 };
    }
    case KINDS.discard:
      return { kind: 'discard' };
    case KINDS.rest:
      return { kind: 'rest' };
    case KINDS.cut:
      return { kind: 'cut' };
    case KINDS.grammar:
      return { kind: 'grammar', ...listOf(body) };
    case KINDS.knownWords:
      return { kind: 'knownWords', ...listOf(body) };
    default:
      throw new RangeError(`a frame of unknown kind ${kind}`);
  }
}

function listOf(body: Buffer): { id: number; items: string[] } {
  const [id, ...items] = body.toString().split('\n');
  return { id: Number(id), items };
}
