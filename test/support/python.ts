import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SYSTEM_PYTHON } from './pymodbus-server.ts';

/** What a Python program of this directory prints, read as JSON. */
export function runPython(program: string, args: readonly string[], input?: Buffer): unknown {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const output = execFileSync(SYSTEM_PYTHON, [file, ...args], {
    encoding: 'utf8',
    maxBuffer: 50_000_000,
    ...(input === undefined ? {} : { input }),
  });
  return JSON.parse(output);
}
