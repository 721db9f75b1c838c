import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

function importList(...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['dist/main.js', 'plant', 'import', ...args], { cwd: ROOT }, (_, __, stderr) =>
      resolve(stderr),
    );
  });
}

it('what a tag list holds cannot act on the terminal of whoever imports it, nor can a message about it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-import-terminal-'));
  const file = join(directory, 'tags.csv');
  try {
    writeFileSync(
      file,
      'Name,Address,Type,No\u0099te\nspeed\u202e,40001,INT,x\nbad\u001b[2J\u202ename,nowhere,INT,y\n',
    );
    const report = await importList(file, '--machine', 'oven');
    expect(report).toContain('bad[2Jname');
    expect(report).toContain('Note');
    const message = await importList(file, '--column', 'addr\u001b[2J\u202e=Address');
    expect(message).toContain('addr[2J=Address');
    for (const text of [report, message]) expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  } finally {
    rmSync(directory, { recursive: true });
  }
}, 30_000);
