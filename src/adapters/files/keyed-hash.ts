import { createHmac, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { KeyedHash } from '../../app/ports/keyed-hash.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';

export const KEY_FILE = 'memory.key';
const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/u;
const DIGITS = 16;

export interface KeyPlace {
  /** The key is made there, readable by its owner alone, when there is none. */
  readonly stateDirectory: string;
  /** Of systemd; a `memory.key` in it goes before that of the state directory. */
  readonly credentialsDirectory?: string | undefined;
}

/** Throws EdgeError MEMORY_KEY_FAILED when the key cannot be read or made, or is none: with another key no hash of before fits any more. */
export function openKeyedHash({ stateDirectory, credentialsDirectory }: KeyPlace): KeyedHash {
  const given = credentialsDirectory === undefined ? undefined : keyIn(join(credentialsDirectory, KEY_FILE));
  const own = join(stateDirectory, KEY_FILE);
  const key = given ?? keyIn(own) ?? made(own);
  return {
    of: (kind, value) =>
      createHmac('sha256', key).update(`${kind}\0${value}`, 'utf8').digest('hex').slice(0, DIGITS),
  };
}

function keyIn(file: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw failed(file, messageOf(error), error);
  }
  if (!KEY.test(text)) throw failed(file, 'it does not hold 64 hexadecimal digits');
  return Buffer.from(text, 'hex');
}

/** Of two programs that make it at once, one key stays and both use it. */
function made(file: string): Buffer {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o750 });
    writeSynced(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    syncDirectory(dirname(file));
  } catch (error) {
    throw failed(file, messageOf(error), error);
  }
  const key = keyIn(file);
  if (key === undefined) throw failed(file, 'it was removed as soon as it was made');
  return key;
}

function writeSynced(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function failed(file: string, what: string, cause?: unknown): EdgeError {
  return new EdgeError('MEMORY_KEY_FAILED', `${file}: ${what}`, {
    hint: 'put back the key of this box; where there is none any more, remove the file and a new one is made',
    cause,
  });
}
