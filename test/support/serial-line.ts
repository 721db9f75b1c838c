import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

/** A serial line of two pseudo terminals, or of one with a TCP port behind it. */
export interface SerialLine {
  /** Where the bus opens it: a lasting name, as in /dev/serial/by-id. */
  readonly path: string;
  /** The other end; empty when it is a TCP port. */
  readonly farPath: string;
  /** Pulls the adapter: the ports at both ends are gone. */
  unplug(): Promise<void>;
  /** Puts it in again, under the same name. */
  plug(): Promise<void>;
  remove(): Promise<void>;
}

export async function startSerialLine(tcpPort?: number): Promise<SerialLine> {
  const folder = await mkdtemp(join(tmpdir(), 'serial-'));
  const path = join(folder, 'adapter');
  const farPath = tcpPort === undefined ? join(folder, 'far') : '';
  const far = tcpPort === undefined ? `pty,raw,echo=0,link=${farPath}` : `tcp:127.0.0.1:${tcpPort},nodelay`;
  let unplug = async (): Promise<void> => undefined;
  const plug = async (): Promise<void> => {
    const socat = spawn('socat', [`pty,raw,echo=0,link=${path}`, far], { stdio: 'ignore' });
    const exited = once(socat, 'exit');
    unplug = async () => {
      socat.kill('SIGKILL');
      await exited;
      // A killed socat leaves its links behind; a real adapter takes its name with it.
      await rm(path, { force: true });
      if (farPath !== '') await rm(farPath, { force: true });
    };
    await eventually(
      'the serial line is there',
      () => existsSync(path) && (farPath === '' || existsSync(farPath)),
    );
  };
  await plug();
  return {
    path,
    farPath,
    plug,
    unplug: () => unplug(),
    async remove() {
      await unplug();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
