import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** A real sshd on the loopback, with keys of its own, that lets one key in. */
export interface SshServer {
  readonly hostKey: string;
  /** The private key that it takes. */
  readonly keyFile: string;
  url(path: string): string;
  stop(): Promise<void>;
}

/** As `ssh-ed25519 AAAA…`, without the comment. */
export function newKey(file: string): string {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file]);
  return readFileSync(`${file}.pub`, 'utf8').trim();
}

export async function startSshServer(directory: string): Promise<SshServer> {
  const { username, uid } = userInfo();
  // sshd that was started by root asks for it; Debian makes it at boot.
  if (uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const hostKey = newKey(join(directory, 'host'));
  const keyFile = join(directory, 'client');
  newKey(keyFile);
  copyFileSync(`${keyFile}.pub`, join(directory, 'authorized'));
  chmodSync(join(directory, 'authorized'), 0o600);
  const port = await freePort();
  const config = join(directory, 'sshd_config');
  writeFileSync(
    config,
    [
      `ListenAddress 127.0.0.1:${port}`,
      `HostKey ${join(directory, 'host')}`,
      `AuthorizedKeysFile ${join(directory, 'authorized')}`,
      'AuthenticationMethods publickey',
      'PermitRootLogin yes',
      'StrictModes no',
      'UsePAM no',
      'PidFile none',
      '',
    ].join('\n'),
  );
  const server: ChildProcess = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', config], { stdio: 'ignore' });
  await eventually('sshd listens', () => listens(port));
  return {
    hostKey,
    keyFile,
    url: (path) => `ssh://${username}@127.0.0.1:${port}${path}`,
    stop: () =>
      new Promise((resolve) => {
        server.once('exit', () => resolve());
        server.kill();
      }),
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
