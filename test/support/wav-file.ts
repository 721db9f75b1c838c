const HEADER_BYTES = 44;

/** A mono 16 bit WAV file. */
export function encodeWav(pcm: Int16Array, rateHz: number): Buffer {
  const wav = Buffer.alloc(HEADER_BYTES + pcm.length * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rateHz, 24);
  wav.writeUInt32LE(rateHz * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(pcm.length * 2, 40);
  pcm.forEach((sample, i) => {
    wav.writeInt16LE(sample, HEADER_BYTES + 2 * i);
  });
  return wav;
}
