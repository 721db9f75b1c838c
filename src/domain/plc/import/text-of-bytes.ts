/** The encodings in which engineering tools write their lists. */
export const LIST_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'gbk', 'windows-1252'] as const;
export type ListEncoding = (typeof LIST_ENCODINGS)[number];

export interface ListText {
  readonly text: string;
  readonly encoding: ListEncoding;
  /** Nothing in the bytes says so: it is what fits them best. */
  readonly isGuessed: boolean;
}

/** Text of bytes, by their byte order mark, else by what fits; `encoding` settles it. Unreadable bytes become U+FFFD. */
export function textOfBytes(bytes: Uint8Array, encoding?: ListEncoding): ListText {
  const marked = markedEncoding(bytes);
  const used = encoding ?? marked ?? guessedEncoding(bytes);
  // TextDecoder drops the mark of its own encoding.
  const text = new TextDecoder(used).decode(bytes);
  return { text, encoding: used, isGuessed: encoding === undefined && marked === undefined };
}

function markedEncoding(bytes: Uint8Array): ListEncoding | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function guessedEncoding(bytes: Uint8Array): ListEncoding {
  const sample = bytes.subarray(0, 4096);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  // Separators and digits alone put a zero beside every few characters.
  if ((zeros[1] ?? 0) > sample.length / 10) return 'utf-16le';
  if ((zeros[0] ?? 0) > sample.length / 10) return 'utf-16be';
  if (isValid(bytes, 'utf-8')) return 'utf-8';
  return isValid(bytes, 'gbk') && highBytesComeInPairs(bytes) ? 'gbk' : 'windows-1252';
}

function isValid(bytes: Uint8Array, encoding: ListEncoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

const SHARE_OF_PAIRS = 0.8;

/** The common characters of GBK are two high bytes each; the umlauts of Latin-1 stand alone among letters. */
function highBytesComeInPairs(bytes: Uint8Array): boolean {
  let high = 0;
  let paired = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if ((bytes[index] ?? 0) < 0x80) continue;
    high += 1;
    if ((bytes[index + 1] ?? 0) < 0x80) continue;
    high += 1;
    paired += 2;
    index += 1;
  }
  return paired >= high * SHARE_OF_PAIRS;
}
