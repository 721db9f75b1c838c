import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const LIBRARY = fileURLToPath(new URL('../../../scripts/lib/machine.sh', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'progress-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a command as `scripts/start` runs npm, its output in a file, and nowhere a terminal. */
function withProgress(command: string): Promise<{ readonly code: number; readonly out: string }> {
  const script = `set -euo pipefail; . "${LIBRARY}"; with_progress bash -c '${command}' 3>&1 >"${folder}/log" 2>&1`;
  return new Promise((resolve) => {
    execFile('bash', ['-c', script], { env: { ...process.env, PROGRESS_S: '1' } }, (error, out) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out }),
    );
  });
}

describe('a long installation', () => {
  it('says after how many seconds it is at what, and nothing of what npm says', async () => {
    const build = join(folder, 'node_modules', 'sqlite3', 'build');
    mkdirSync(build, { recursive: true });
    copyFileSync('/bin/sleep', join(folder, 'cc1plus'));
    const { code, out } = await withProgress(`echo noise; sleep 1.6; cd ${build}; ${folder}/cc1plus 2; true`);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}… \d+ s: fetching and unpacking packages\n/u);
    expect(out).toMatch(/ {2}… \d+ s: compiling sqlite3\n$/u);
    expect(out).not.toContain('noise');
  });

  it('passes on how the command ended', async () => {
    expect(await withProgress('exit 3')).toEqual({ code: 3, out: '' });
  });
});
