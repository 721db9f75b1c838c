import { EdgeError } from '../../runtime/edge-error.ts';

export interface WavAudio {
  readonly sampleRateHz: number;
  readonly channels: number;
  /** Channels interleaved. */
  readonly pcm: Int16Array;
}

const PCM = 1;
const EXTENSIBLE = 0xfffe;
const CHUNK_HEADER_BYTES = 8;

/**
 * Reads a RIFF/WAVE file of signed 16 bit PCM (Microsoft's "Multimedia Programming Interface and Data
 * Specifications 1.0", and WAVE_FORMAT_EXTENSIBLE). A data length that runs past the end means "to the end":
 * a synthesiser that writes to a pipe cannot know the length beforehand.
 * Throws EdgeError WAV_INVALID for anything else.
 */
export function decodeWav(bytes: Uint8Array): WavAudio {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 12 || tag(bytes, 0) !== 'RIFF' || tag(bytes, 8) !== 'WAVE')
    throw invalid('it does not begin with RIFF and WAVE');
  let format: { channels: number; sampleRateHz: number } | undefined;
  let at = 12;
  while (at + CHUNK_HEADER_BYTES <= bytes.byteLength) {
    const name = tag(bytes, at);
    const declaredBytes = view.getUint32(at + 4, true);
    const start = at + CHUNK_HEADER_BYTES;
    const length = Math.min(declaredBytes, bytes.byteLength - start);
    if (name === 'fmt ') format = formatOf(view, start, length);
    if (name === 'data') {
      if (format === undefined) throw invalid('its data come before their format');
      return { ...format, pcm: samples(view, start, length, format.channels) };
    }
    // Chunks begin at even offsets.
    at = start + length + (length % 2);
  }
  throw invalid('it holds no data');
}

function formatOf(view: DataView, start: number, length: number): { channels: number; sampleRateHz: number } {
  if (length < 16) throw invalid('its format is cut off');
  const coding = view.getUint16(start, true);
  const bits = view.getUint16(start + 14, true);
  if ((coding !== PCM && coding !== EXTENSIBLE) || bits !== 16)
    throw invalid(`it is coded as ${coding} with ${bits} bits a sample, not as 16 bit PCM`);
  const channels = view.getUint16(start + 2, true);
  const sampleRateHz = view.getUint32(start + 4, true);
  if (channels < 1 || sampleRateHz < 1)
    throw invalid(`it has ${channels} channels at ${sampleRateHz} samples a second`);
  return { channels, sampleRateHz };
}

function samples(view: DataView, start: number, length: number, channels: number): Int16Array {
  const blocks = Math.floor(length / (2 * channels));
  const pcm = new Int16Array(blocks * channels);
  for (let i = 0; i < pcm.length; i += 1) pcm[i] = view.getInt16(start + 2 * i, true);
  return pcm;
}

function tag(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function invalid(why: string): EdgeError {
  return new EdgeError('WAV_INVALID', `not a WAV file this program can play: ${why}`);
}
