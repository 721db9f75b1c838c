import { closeSync, openSync, readSync } from 'node:fs';

/** Of the ELF header, System V ABI: e_machine of the 64-bit ARM architecture. */
const EM_AARCH64 = 183;

/** Throws when the file is not made for ARM64. */
export function assertAarch64(file: string): void {
  const header = Buffer.alloc(20);
  const descriptor = openSync(file, 'r');
  const length = readSync(descriptor, header);
  closeSync(descriptor);
  if (length < header.length || header.toString('latin1', 0, 4) !== '\x7fELF')
    throw new Error(`${file} is no ELF file`);
  const machine = header.readUInt16LE(18);
  if (machine !== EM_AARCH64) throw new Error(`${file} is made for machine ${machine}, not for ARM64`);
}
