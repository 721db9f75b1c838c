import { describe, expect, it } from 'vitest';
import { decodeWav } from '../../../../src/domain/voice/wav.ts';
import { isEdgeError } from '../../../../src/runtime/edge-error.ts';
import { encodeWav } from '../../../support/wav-file.ts';

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isEdgeError(error)) return error.code;
    throw error;
  }
  return 'nothing thrown';
}

describe('decodeWav', () => {
  const samples = Int16Array.of(0, 1, -1, 32_767, -32_768);

  it('reads rate, channels and samples', () => {
    expect(decodeWav(encodeWav(samples, 22_050))).toEqual({
      sampleRateHz: 22_050,
      channels: 1,
      pcm: samples,
    });
  });

  it('reads a view that does not begin at an even address', () => {
    const wav = encodeWav(samples, 16_000);
    const shifted = new Uint8Array(wav.byteLength + 1);
    shifted.set(wav, 1);
    expect(decodeWav(shifted.subarray(1)).pcm).toEqual(samples);
  });

  it('steps over chunks it does not know, odd ones with their padding', () => {
    const wav = encodeWav(samples, 16_000);
    const list = Buffer.concat([Buffer.from('LIST'), Buffer.from([3, 0, 0, 0]), Buffer.from('abc\0')]);
    const withList = Buffer.concat([wav.subarray(0, 36), list, wav.subarray(36)]);
    expect(decodeWav(withList).pcm).toEqual(samples);
  });

  it('takes a length that runs past the end as "to the end"', () => {
    const wav = encodeWav(samples, 16_000);
    wav.writeUInt32LE(0x7fff_f000, 40);
    expect(decodeWav(wav).pcm).toEqual(samples);
  });

  it('drops half a sample at the end', () => {
    const wav = Buffer.concat([encodeWav(samples, 16_000), Buffer.from([7])]);
    wav.writeUInt32LE(samples.length * 2 + 1, 40);
    expect(decodeWav(wav).pcm).toEqual(samples);
  });

  it('refuses what is not 16 bit PCM in a RIFF file', () => {
    const eightBits = encodeWav(samples, 16_000);
    eightBits.writeUInt16LE(8, 34);
    const floats = encodeWav(samples, 16_000);
    floats.writeUInt16LE(3, 20);
    const noData = encodeWav(samples, 16_000).subarray(0, 36);
    for (const bytes of [eightBits, floats, noData, Buffer.from('ID3 music'), Buffer.alloc(0)])
      expect(codeOf(() => decodeWav(bytes))).toBe('WAV_INVALID');
  });
});
