import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { pymodbus } from '../../support/modbus-peers.ts';

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

describe('hermes-edge simulate', () => {
  const runtime = mkdtempSync(join(tmpdir(), 'line-'));
  const running: ReturnType<typeof start>[] = [];

  function start(...args: readonly string[]) {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...process.env, XDG_RUNTIME_DIR: runtime },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const program = { child, stdout: '', stderr: '', ended: once(child, 'close') };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      program.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      program.stderr += text;
    });
    return program;
  }
  const line = async (...args: readonly string[]) => {
    const port = await freePort();
    const program = start('simulate', '--port', String(port), ...args);
    running.push(program);
    await eventually('the line is up', () => /Stop with|"up"/.test(program.stdout), 40_000);
    return { program, port };
  };
  const fault = async (...args: readonly string[]) => {
    const program = start('simulate', 'fault', ...args);
    await program.ended;
    return { code: program.child.exitCode, stdout: program.stdout, stderr: program.stderr };
  };

  afterEach(async () => {
    for (const { child, ended } of running.splice(0)) {
      child.kill('SIGTERM');
      await ended;
    }
  });
  afterAll(() => rmSync(runtime, { recursive: true, force: true }));

  it('takes faults from another terminal, lists them and lets them go', async () => {
    const { program, port } = await line('--speed', '50', '--fault', 'busy:motor-a');
    expect(program.stdout).toContain(`simulate fault overheat machine-12 --for 5m --port ${port}\n`);
    expect(await pymodbus(port, [3, 'holding', 0, 1])).toEqual([{ exception: 6 }]);
    const on = await fault('overheat', 'machine-12', '--for', '10m', '--json');
    expect(on).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(on.stdout)).toMatchObject({
      port,
      name: 'overheat',
      target: 'machine-12',
      left_ms: 600_000,
    });
    expect((await fault('list')).stdout).toMatch(/busy motor-a\n {2}overheat machine-12, \d+ s left/);
    await eventually('the machine trips', () => /machine-12 {2}overheat 95/.test(program.stdout), 20_000);
    expect(await fault('clear', 'busy')).toMatchObject({ code: 0, stdout: 'busy motor-a: gone\n' });
    expect(await pymodbus(port, [3, 'holding', 0, 1])).toEqual([[expect.any(Number)]]);
    expect(await fault('clear', 'machine-12')).toMatchObject({
      code: 0,
      stdout: 'overheat machine-12: gone\n',
    });
  });

  it('says what is wrong with a fault that cannot be', async () => {
    await line();
    expect(await fault('overheet', 'machine-12')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "overheat"?'),
    });
    expect(await fault('jam', 'conveyor-3')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "conveyor-2"?'),
    });
    expect(await fault('slow', 'motor-a', '--delay', 'soon')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--delay takes a time such as 380ms'),
    });
    expect(await fault('clear', 'jam')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no such fault'),
    });
  });

  it('asks which line is meant where several run, and leaves no socket behind', async () => {
    expect(await fault('list')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no simulated line is running'),
    });
    const [one, two] = [await line('--json'), await line('--json')];
    expect(JSON.parse(one.program.stdout.split('\n')[0] ?? '')).toMatchObject({
      event: 'up',
      port: one.port,
    });
    expect(await fault('dead', 'oven-1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('say which with --port'),
    });
    expect(await fault('dead', 'oven-1', '--port', String(two.port))).toMatchObject({ code: 0 });
    const [answer] = await pymodbus(two.port, [4, 'holding', 100, 1]);
    expect(answer).toMatchObject({ failed: expect.any(String) });
    expect(await pymodbus(one.port, [4, 'holding', 100, 1])).toEqual([[expect.any(Number)]]);
    for (const { child, ended } of running.splice(0)) {
      child.kill('SIGTERM');
      await ended;
      expect(child.exitCode).toBe(0);
    }
    expect(readdirSync(join(runtime, 'hermes-edge'))).toEqual([]);
  });
});
