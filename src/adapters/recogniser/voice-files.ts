import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EdgeError } from '../../runtime/edge-error.ts';

/** Machine numbers of the ELF header (System V ABI, e_machine), by Node's name of the architecture. */
const ELF_MACHINES: Readonly<Record<string, number>> = {
  ia32: 3,
  arm: 40,
  x64: 62,
  arm64: 183,
  riscv64: 243,
};
const ELF_NAMES: Readonly<Record<number, string>> = {
  3: 'x86 (32 bit)',
  40: 'ARM (32 bit)',
  62: 'x86-64',
  183: 'aarch64',
  243: 'RISC-V',
};
const FETCH_HINT =
  'Run scripts/fetch-voice-model libvosk-aarch64 and set voice.libvosk to the file it names.';

/** What a model must hold for grammars that change while it runs: the look-ahead pair of graphs. */
const MODEL_FILES = ['am/final.mdl', 'conf/mfcc.conf', 'graph/HCLr.fst', 'graph/Gr.fst'];

/**
 * The path of the libvosk to load, which is there and made for this machine. `auto` is the one inside the npm package
 * `vosk`, which has Linux on x86-64 only.
 * Throws EdgeError LIBVOSK_MISSING, LIBVOSK_WRONG_ARCHITECTURE or LIBVOSK_NOT_A_LIBRARY.
 */
export async function findLibvosk(setting: string, architecture: string = process.arch): Promise<string> {
  const path = setting === 'auto' ? packagedLibvosk() : setting;
  const machine = await elfMachine(path);
  const wanted = ELF_MACHINES[architecture];
  if (machine !== wanted)
    throw new EdgeError(
      'LIBVOSK_WRONG_ARCHITECTURE',
      `${path} is made for ${nameOf(machine)}, this machine is ${nameOf(wanted)}`,
      { hint: FETCH_HINT },
    );
  return path;
}

/**
 * Refuses a folder that is no Vosk model, or one whose words are fixed: it would ignore the grammar.
 * Throws EdgeError VOICE_MODEL_MISSING or VOICE_MODEL_FIXED.
 */
export async function checkModel(folder: string): Promise<void> {
  const missing: string[] = [];
  for (const file of MODEL_FILES) if (!(await readable(join(folder, file)))) missing.push(file);
  if (missing.length === 0) return;
  if (await readable(join(folder, 'graph/HCLG.fst')))
    throw new EdgeError('VOICE_MODEL_FIXED', `${folder} has one fixed graph and would ignore the grammar`, {
      hint: 'Use a small model with a dynamic graph: scripts/fetch-voice-model --list names those that work.',
    });
  throw new EdgeError('VOICE_MODEL_MISSING', `${folder} is no voice model: it lacks ${missing.join(', ')}`, {
    hint: 'Run scripts/fetch-voice-model, or point voice.model to a folder that holds am/, conf/ and graph/.',
  });
}

function packagedLibvosk(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('vosk/package.json');
    return join(dirname(manifest), 'lib/linux-x86_64/libvosk.so');
  } catch (cause) {
    throw new EdgeError('LIBVOSK_MISSING', 'the npm package vosk, which brings libvosk, is not installed', {
      hint: FETCH_HINT,
      cause,
    });
  }
}

async function elfMachine(path: string): Promise<number> {
  const header = Buffer.alloc(20);
  let bytesRead: number;
  try {
    const file = await open(path, 'r');
    try {
      ({ bytesRead } = await file.read(header, 0, header.length, 0));
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw new EdgeError('LIBVOSK_MISSING', `${path} cannot be read`, { hint: FETCH_HINT, cause });
  }
  if (bytesRead < header.length || header.readUInt32BE(0) !== 0x7f454c46)
    throw new EdgeError('LIBVOSK_NOT_A_LIBRARY', `${path} is no shared library for Linux`, {
      hint: FETCH_HINT,
    });
  // Byte 5 tells the byte order of what follows: 1 is little-endian.
  return header[5] === 1 ? header.readUInt16LE(18) : header.readUInt16BE(18);
}

function nameOf(machine: number | undefined): string {
  return (machine === undefined ? undefined : ELF_NAMES[machine]) ?? `machine number ${machine}`;
}

async function readable(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
