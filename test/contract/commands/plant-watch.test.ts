import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onePlant } from '../../support/demo-site.ts';
import { freePort } from '../../support/free-port.ts';
import { type PymodbusServer, startPymodbusServer } from '../../support/pymodbus-server.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

let directory: string;
let server: PymodbusServer;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-watch-'));
  server = await startPymodbusServer();
  await server.set(1, 'holding', 10, 70);
  await server.set(1, 'holding', 20, 4);
});
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true });
});

function watch(port: number, ...args: string[]) {
  const file = join(directory, 'plant.yaml');
  writeFileSync(file, onePlant(port));
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      ['dist/main.js', 'plant', 'watch', file, '--once', ...args],
      { cwd: ROOT },
      (error, stdout, stderr) => resolve({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

describe('hermes-edge plant watch FILE --once', () => {
  it('shows the points of the machine that is named, and ends with 0 when all are good', async () => {
    const { status, stdout } = await watch(server.port, '--machine', '3号泵');
    expect(status).toBe(0);
    expect(stdout).toMatch(/pump-3 +pressure .* good/u);
    expect(stdout).not.toContain('machine-12');
  });

  it('ends with 1 when the PLC is off', async () => {
    const { status, stdout } = await watch(await freePort(), '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ points: [{ quality: 'bad' }, { quality: 'bad' }] });
  });

  it('ends with 2 for a machine that there is not, and lists those there are', async () => {
    const { status, stderr } = await watch(server.port, '--machine', 'pump four');
    expect(status).toBe(2);
    expect(stderr).toContain('pump-3 (pump three, 三号泵)');
  });
});
