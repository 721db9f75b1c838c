import { terminalText } from './terminal-text.ts';
/** Writes a result to stdout: as JSON for programs, else as the line a person reads. */
export function print(json: boolean, result: unknown, line: () => string): void {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${terminalText(line())}\n`);
}
