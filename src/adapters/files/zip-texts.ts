import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const END_BYTES = 22;
/** A part that claims to be larger is left out: no report of ours is. */
const MOST_BYTES = 64_000_000;

/** The parts of a ZIP file as texts, such as the sheets of an XLSX. Throws for what is no ZIP file. */
export function zipTexts(zip: Buffer): readonly string[] {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (end < 0 || end + END_BYTES > zip.length || zip.readUInt32LE(end) !== END_OF_DIRECTORY)
    throw new RangeError('no ZIP file');
  const texts: string[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new RangeError('a damaged ZIP file');
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    texts.push(textAt(zip, at));
    at += 46 + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  return texts;
}

function textAt(zip: Buffer, entry: number): string {
  const isDeflated = zip.readUInt16LE(entry + 10) === 8;
  const packedBytes = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(from, from + packedBytes);
  return (isDeflated ? inflateRawSync(packed, { maxOutputLength: MOST_BYTES }) : packed).toString('utf8');
}
