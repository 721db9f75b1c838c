import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** A gzip header with an extra field (RFC 1952): 10 bytes, the field's length, its id "HE", 4, and the member's whole length. */
const HEADER_BYTES = 20;
const PLAIN_HEADER_BYTES = 10;
const MARK = Buffer.from([0x1f, 0x8b, 0x08, 0x04]);
const FIELD = Buffer.from([0x08, 0x00, 0x48, 0x45, 0x04, 0x00]);
const FIELD_AT = 10;
const LENGTH_AT = 16;
/** Of one member's text. */
const MAX_TEXT_BYTES = 16_000_000;

export interface Members {
  readonly texts: readonly string[];
  /** Where the last whole member ends: what comes after it was torn. */
  readonly wholeBytes: number;
  readonly damagedBytes: number;
}

/** A text as a gzip member that says how long it is: members stand one behind another, and `gunzip` reads them all. */
export async function gzipMember(text: string): Promise<Buffer> {
  const plain = await promisify(gzip)(text);
  const header = Buffer.alloc(HEADER_BYTES);
  plain.copy(header, 0, 0, PLAIN_HEADER_BYTES);
  MARK.copy(header);
  FIELD.copy(header, FIELD_AT);
  header.writeUInt32LE(plain.length - PLAIN_HEADER_BYTES + HEADER_BYTES, LENGTH_AT);
  return Buffer.concat([header, plain.subarray(PLAIN_HEADER_BYTES)]);
}

/** All members that can be read, also those behind damaged ones. */
export async function gunzipMembers(file: Buffer): Promise<Members> {
  const texts: string[] = [];
  let wholeBytes = 0;
  let readBytes = 0;
  let at = 0;
  while (at < file.length) {
    const end = memberEnd(file, at);
    const text = end === undefined ? undefined : await textOf(file.subarray(at, end));
    if (end === undefined || text === undefined) {
      // Behind the damage, the next header is where it goes on.
      const next = file.indexOf(MARK, at + 1);
      at = next < 0 ? file.length : next;
      continue;
    }
    texts.push(text);
    readBytes += end - at;
    wholeBytes = end;
    at = end;
  }
  return { texts, wholeBytes, damagedBytes: file.length - readBytes };
}

function memberEnd(file: Buffer, at: number): number | undefined {
  if (at + HEADER_BYTES > file.length) return undefined;
  if (!file.subarray(at, at + MARK.length).equals(MARK)) return undefined;
  if (!file.subarray(at + FIELD_AT, at + LENGTH_AT).equals(FIELD)) return undefined;
  const end = at + file.readUInt32LE(at + LENGTH_AT);
  return end > at + HEADER_BYTES && end <= file.length ? end : undefined;
}

async function textOf(member: Buffer): Promise<string | undefined> {
  try {
    return (await promisify(gunzip)(member, { maxOutputLength: MAX_TEXT_BYTES })).toString('utf8');
  } catch (error) {
    // A checksum or a length that does not fit; zlib names them all by a code.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
