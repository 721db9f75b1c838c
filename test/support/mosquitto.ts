import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** A real mosquitto on loopback, which can go away and come back at the same port with what it had kept. */
export interface Mosquitto {
  readonly port: number;
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it for good and removes its files. */
  remove(): Promise<void>;
}

export async function startMosquitto(): Promise<Mosquitto> {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-mosquitto-'));
  const port = await freePort();
  const config = join(directory, 'mosquitto.conf');
  writeFileSync(
    config,
    [
      `listener ${port} 127.0.0.1`,
      'allow_anonymous true',
      'persistence true',
      `persistence_location ${directory}/`,
      'autosave_interval 1',
      ...(process.getuid?.() === 0 ? ['user root'] : []),
      '',
    ].join('\n'),
  );
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`;
    child = spawn('mosquitto', ['-c', config], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, PATH: path },
    });
    await eventually('mosquitto listens', () => connects(port));
  };
  const stop = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  };
  await start();
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    start,
    stop,
    remove: async () => {
      await stop();
      rmSync(directory, { recursive: true });
    },
  };
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
