import { textOfBytes } from '../domain/plc/import/text-of-bytes.ts';

const NAMES: Readonly<Record<string, string>> = {
  gbk: 'GBK',
  'windows-1252': 'Latin-1',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
};

export type Utf8Text =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** The text of a file that must be UTF-8; where it is not, what it seems to be. A byte order mark is left out. */
export function utf8Text(bytes: Uint8Array): Utf8Text {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\u0000')) return { ok: true, text };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const name = NAMES[textOfBytes(bytes).encoding];
  return {
    ok: false,
    reason: `the file is not UTF-8${name === undefined ? '' : ` (${name}?)`}; save it as UTF-8`,
  };
}
