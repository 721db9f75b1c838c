import { accessSync, constants, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEY_FILE } from '../adapters/files/keyed-hash.ts';
import { GitProgram } from '../adapters/git/git-program.ts';
import { knownHosts, type Remote, remoteEnvironment } from '../adapters/git/remote-access.ts';
import { remoteFault } from '../adapters/git/remote-fault.ts';
import type { Config } from '../config/config-schema.ts';
import { isEdgeError, messageOf } from '../runtime/edge-error.ts';
import { findProgram } from '../runtime/find-program.ts';
import { bad, type Check, good } from './check.ts';
import type { Runtime } from './runtime.ts';

const REMOTE_WITHIN_MS = 20_000;
/** Anybody but the owner. */
const OTHERS = 0o077;

/** The files of memory, the keys that must be nobody else's, git, and the remote that how-tos are pushed to. */
export async function checkMemory(
  config: Pick<Config, 'state_dir' | 'memory'>,
  runtime: Pick<Runtime, 'scheduler'>,
): Promise<readonly Check[]> {
  const { procedures } = config.memory;
  const keys = [join(config.state_dir, KEY_FILE), procedures.key_file ?? ''].flatMap(checkKey);
  const checks = [checkFile(join(config.state_dir, 'memory.db')), ...keys];
  if ((await findProgram('git', process.env)) === undefined)
    return [
      ...checks,
      bad('memory git', 'git is not installed: how-tos have no versions', 'sudo apt-get install git'),
    ];
  const { remote: url, host_key: hostKey, key_file: keyFile, token } = procedures;
  if (url === undefined) return [...checks, good('memory git', 'installed; no remote is configured')];
  return [...checks, await checkRemote({ url, hostKey, keyFile, token }, runtime)];
}

function checkFile(file: string): Check {
  if (!existsSync(file)) return good('memory', `${file} is made at the first start`);
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return good('memory', `${file}, ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  } catch (error) {
    return bad('memory', messageOf(error), `sudo chown "$USER" ${file}, as the user that the daemon runs as`);
  }
}

/** Nothing of one that is not there yet. */
function checkKey(file: string): readonly Check[] {
  if (file === '' || !existsSync(file)) return [];
  const { mode } = statSync(file);
  return (mode & OTHERS) === 0
    ? []
    : [
        bad(
          'memory key',
          `${file} has mode ${(mode & 0o777).toString(8)}: others may read it`,
          `chmod 600 ${file}`,
        ),
      ];
}

/** Asks what is there, as the daemon would; it writes nothing. */
async function checkRemote(remote: Remote, { scheduler }: Pick<Runtime, 'scheduler'>): Promise<Check> {
  const part = 'memory remote';
  const directory = mkdtempSync(join(tmpdir(), 'hermes-edge-doctor-'));
  const knownHostsFile = join(directory, 'known_hosts');
  try {
    writeFileSync(knownHostsFile, remote.hostKey === undefined ? '' : knownHosts(remote.hostKey));
    const author = { name: 'doctor', email: 'doctor@localhost' };
    const git = new GitProgram({ directory, author, path: process.env['PATH'] ?? '' }, scheduler);
    const env = remoteEnvironment(remote, knownHostsFile);
    const made = await git.run(['init', '--quiet', '--bare']);
    const { code, complaint } =
      made.code === 0
        ? await git.run(['ls-remote', '--quiet', remote.url], { env, deadlineMs: REMOTE_WITHIN_MS })
        : made;
    return code === 0 ? good(part, `${remote.url} answers`) : faulty(complaint);
  } catch (error) {
    if (!isEdgeError(error)) throw error;
    return faulty(error.message);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }

  function faulty(complaint: string): Check {
    const { message, hint } = remoteFault(complaint, remote, knownHostsFile);
    return bad(part, `${remote.url}: ${message}`, hint ?? 'check memory.procedures.remote');
  }
}
