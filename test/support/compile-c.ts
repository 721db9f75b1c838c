import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Compiles a C program against libmodbus; returns the path of what it made, in a new folder. */
export async function compileWithLibmodbus(source: string): Promise<string> {
  const program = join(await mkdtemp(join(tmpdir(), 'libmodbus-')), 'program');
  const include = ['-I/usr/include/modbus'];
  await run('gcc', ['-O2', '-Wall', ...include, '-o', program, source, '-lmodbus', '-lpthread']);
  return program;
}
