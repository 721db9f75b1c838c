import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onePlant } from '../support/demo-site.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type QuietMachine, quietMachine } from '../support/no-sound-card.ts';
import { SYSTEM_PYTHON } from '../support/pymodbus-server.ts';
import { type RunningProgram, startProgram } from '../support/running-program.ts';

describe('under systemd', () => {
  let machine: QuietMachine;
  let directory: string;
  let receiver: ChildProcess;
  let daemon: RunningProgram | undefined;
  const received: string[] = [];
  let onReady: (() => Promise<void>) | undefined;

  beforeEach(async () => {
    machine = quietMachine();
    directory = mkdtempSync(join(tmpdir(), 'hermes-systemd-'));
    received.length = 0;
    const script = join(import.meta.dirname, '../support/datagram-receiver.py');
    const child = spawn(SYSTEM_PYTHON, [script, join(directory, 'notify')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    receiver = child;
    createInterface(child.stdout).on('line', (line) => {
      received.push(line === 'ready' ? line : JSON.parse(line));
      if (line.includes('READY=1')) void onReady?.();
    });
    await eventually('the receiver', () => received.includes('ready'));
  });
  afterEach(async () => {
    await daemon?.ended('SIGKILL');
    receiver.kill();
    machine.remove();
    rmSync(directory, { recursive: true });
  });

  it('READY comes when it is ready, pings come while it works, STOPPING when it is asked to end', async () => {
    const port = await freePort();
    const file = join(directory, 'hermes-edge.yaml');
    writeFileSync(join(directory, 'plant.yaml'), onePlant(await freePort()));
    writeFileSync(file, `plant: [plant.yaml]\nstate_dir: state\nhttp: { port: ${port} }\n`);
    const statuses: number[] = [];
    const asked = new Promise<void>((resolve, reject) => {
      onReady = async () => {
        try {
          statuses.push((await fetch(`http://127.0.0.1:${port}/readyz`)).status);
          resolve();
        } catch (error) {
          reject(error);
        }
      };
    });
    daemon = startProgram(['run', '--config', file], {
      env: { ...machine.env, NOTIFY_SOCKET: join(directory, 'notify'), WATCHDOG_USEC: '400000' },
    });
    await asked;
    expect(statuses).toEqual([200]);
    expect(received[1]).toContain('READY=1');
    const pings = (): number => received.filter((line) => line === 'WATCHDOG=1').length;
    const fromMs = performance.now();
    await eventually('five pings', () => pings() >= 5);
    // Twice in each interval of 400 ms, on a busy machine at least once.
    expect(performance.now() - fromMs).toBeLessThan(5 * 400);
    expect(received).not.toContain('STOPPING=1');
    expect(await daemon.ended('SIGTERM')).toBe(0);
    await eventually('STOPPING', () => received.at(-1) === 'STOPPING=1');
  });

  it('READY is never said when the start fails', async () => {
    const file = join(directory, 'hermes-edge.yaml');
    writeFileSync(join(directory, 'plant.yaml'), onePlant(await freePort()));
    writeFileSync(
      file,
      'plant: [plant.yaml]\nstate_dir: state\nhttp: { host: 192.0.2.1, token: 0123456789abcdef }\n',
    );
    daemon = startProgram(['run', '--config', file], {
      env: { ...machine.env, NOTIFY_SOCKET: join(directory, 'notify') },
    });
    expect(await daemon.ended(undefined, 10_000)).toBe(1);
    expect(daemon.stderr).toContain('cannot listen on 192.0.2.1');
    // A last datagram of the test's own: whatever the daemon had sent would have come before it.
    spawn(SYSTEM_PYTHON, [
      '-c',
      'import socket,sys; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"end", sys.argv[1])',
      join(directory, 'notify'),
    ]);
    await eventually('the last datagram', () => received.includes('end'));
    expect(received).toEqual(['ready', 'end']);
  });
});
