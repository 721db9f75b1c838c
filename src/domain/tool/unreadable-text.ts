import { createHash } from 'node:crypto';

/** What is kept of a text that could not be read: enough to find equal ones, and none of its words. */
export interface UnreadableText {
  readonly bytes: number;
  /** Twelve hexadecimal digits of its SHA-256. */
  readonly digest: string;
}

export function unreadableText(text: string | Uint8Array): UnreadableText {
  return {
    bytes: typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength,
    digest: createHash('sha256').update(text).digest('hex').slice(0, 12),
  };
}
