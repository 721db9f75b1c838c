import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GitProcedures } from '../../../src/adapters/git/git-procedures.ts';
import type { Remote } from '../../../src/adapters/git/remote-access.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { git, opened, proceduresAt, reportOf, temporaryDirectory } from '../../support/git-site.ts';
import { newKey, type SshServer, startSshServer } from '../../support/ssh-server.ts';

let keys: ReturnType<typeof temporaryDirectory>;
let server: SshServer;
let home: ReturnType<typeof temporaryDirectory>;
let shared: string;
const running: GitProcedures[] = [];

beforeAll(async () => {
  keys = temporaryDirectory();
  server = await startSshServer(keys.path);
});
afterAll(async () => {
  await server.stop();
  keys.remove();
});
beforeEach(() => {
  home = temporaryDirectory();
  shared = join(home.path, 'shared.git');
  git(shared, 'init', '--quiet', '--bare', '--initial-branch=main');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((procedures) => procedures.stop()));
  home.remove();
});

const overSsh = (more: Partial<Remote> = {}): Remote => ({
  url: server.url(shared),
  hostKey: server.hostKey,
  keyFile: server.keyFile,
  token: undefined,
  ...more,
});
const overFiles = (): Remote => ({
  url: `file://${shared}`,
  hostKey: undefined,
  keyFile: undefined,
  token: undefined,
});
const box = async (
  node: string,
  remote: Remote,
  files?: ReadonlyMap<string, string>,
): Promise<GitProcedures> => {
  const given = files === undefined ? { node, remote } : { node, remote, files };
  const procedures = proceduresAt(join(home.path, node), given);
  running.push(procedures);
  return opened(procedures);
};
const stopped = async (procedures: GitProcedures): Promise<void> => {
  running.splice(running.indexOf(procedures), 1);
  await procedures.stop();
};
const pushed = (procedures: GitProcedures): Promise<true> =>
  eventually('it is pushed', () => procedures.pushState().pushed === true, 30_000).then(() => true);
const faultOf = (procedures: GitProcedures) =>
  eventually('a fault is told', () => procedures.pushState().fault, 30_000);
const grease = (step: string): ReadonlyMap<string, string> =>
  new Map([['grease.en.md', `# Grease it\n\n1. ${step}\n`]]);
const ownHead = (node: string): string => git(join(home.path, node, 'procedures.git'), 'rev-parse', 'main');

describe('over ssh', () => {
  it('reports are pushed to a server with the pinned key, and health says so', async () => {
    const procedures = await box('edge-1', overSsh());
    await procedures.commitReport(reportOf('a'));
    await pushed(procedures);
    expect(git(shared, 'rev-parse', 'main')).toBe(ownHead('edge-1'));
    expect(procedures.health()).toMatchObject({ status: 'ok', figures: { ahead: 0 } });
    expect(readFileSync(join(home.path, 'edge-1', 'procedures.known-hosts'), 'utf8').split('\n')).toEqual([
      `hermes-edge-procedures ${server.hostKey}`,
      '',
    ]);
  });

  it('nothing goes to a server with another key, and the hint names the key and its file', async () => {
    const hostKey = newKey(join(home.path, 'other'));
    const procedures = await box('edge-1', overSsh({ hostKey }));
    await procedures.commitReport(reportOf('a'));
    const fault = await faultOf(procedures);
    expect(fault.message).toBe('the server shows another host key than the pinned one');
    expect(fault.hint).toContain('memory.procedures.host_key');
    expect(fault.hint).toContain(join(home.path, 'edge-1', 'procedures.known-hosts'));
    await eventually('what waits is counted', () => procedures.pushState().ahead === 1);
    expect(procedures.pushState().pushed).toBe(false);
    expect(git(shared, 'for-each-ref')).toBe('');
  });

  it('a key that the server does not take is named, and whose it has to be', async () => {
    const keyFile = join(home.path, 'stranger');
    newKey(keyFile);
    const fault = await faultOf(await box('edge-1', overSsh({ keyFile })));
    expect(fault.message).toBe('the server does not take the key of this box');
    expect(fault.hint).toContain(`ssh-keygen -y -f ${keyFile}`);
    expect(fault.hint).toContain('user of the service');
  });

  it('a key that others may read is named, with what to do', async () => {
    const keyFile = join(home.path, 'open');
    writeFileSync(keyFile, readFileSync(server.keyFile));
    chmodSync(keyFile, 0o644);
    expect(await faultOf(await box('edge-1', overSsh({ keyFile })))).toEqual({
      message: 'ssh does not take the private key: others may read its file',
      hint: `chmod 600 ${keyFile}, owned by the user of the service`,
    });
  });

  it('a repository that is not there is named', async () => {
    const fault = await faultOf(await box('edge-1', overSsh({ url: server.url('/nowhere.git') })));
    expect(fault.message).toBe('there is no repository at that address');
  });

  it('paths with spaces, quotes and per cent signs stay whole', async () => {
    const keyFile = join(home.path, "a key of '50%h'");
    writeFileSync(keyFile, readFileSync(server.keyFile), { mode: 0o600 });
    const procedures = await box("edge '1' %d", overSsh({ keyFile }));
    await procedures.commitReport(reportOf('a'));
    await pushed(procedures);
  });
});

describe('while the server is away', () => {
  it('reports are kept and read as ever, and how many wait is told', async () => {
    const port = await freePort();
    const procedures = await box('edge-1', overSsh({ url: `ssh://git@127.0.0.1:${port}/x.git` }));
    await procedures.commitReport(reportOf('a'));
    await procedures.commitReport(reportOf('b'));
    expect((await procedures.read())?.cases.reports).toHaveLength(2);
    expect((await faultOf(procedures)).message).toBe('the server cannot be reached');
    await eventually('both are counted', () => procedures.pushState().ahead === 2);
    expect(procedures.health().status).toBe('degraded');
    expect(procedures.health().detail).toContain('2 commits wait to be pushed');
  });
});

describe('a remote that others push to', () => {
  it('gets what both have, and so does each', async () => {
    const one = await box('edge-1', overFiles());
    await one.commitReport(reportOf('a'));
    await pushed(one);
    const other = await box('edge-2', overFiles(), grease('Open it.'));
    await pushed(other);
    await one.commitReport(reportOf('b'));
    await pushed(one);
    const shelf = await one.read();
    expect(shelf?.cases.reports.map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
    expect(shelf?.procedures.procedures.map(({ id }) => id)).toEqual(['grease']);
    expect(git(shared, 'rev-parse', 'main')).toBe(ownHead('edge-1'));
  });

  it('keeps its side of a contradiction and gets ours as a branch, until a person has joined them', async () => {
    const one = await box('edge-1', overFiles(), grease('Open it.'));
    await pushed(one);
    await stopped(one);
    const other = await box('edge-2', overFiles());
    await pushed(other);
    await stopped(other);
    const theirs = await box('edge-2', overFiles(), grease('Open it slowly.'));
    await pushed(theirs);
    const ours = proceduresAt(join(home.path, 'edge-1'), {
      node: 'edge-1',
      remote: overFiles(),
      files: grease('Open it fast.'),
    });
    running.push(ours);
    await opened(ours);
    await eventually('the contradiction is told', () => ours.pushState().conflict, 30_000);
    expect(ours.pushState()).toMatchObject({ pushed: false, conflict: 'conflict/edge-1' });
    expect(ours.health()).toMatchObject({ status: 'degraded' });
    await eventually('it is a branch there', () =>
      git(shared, 'for-each-ref', '--format=%(refname)').includes('refs/heads/conflict/edge-1'),
    );
    expect(git(shared, 'show', 'main:how-to/grease.en.md')).toContain('slowly');
    expect(git(shared, 'show', 'conflict/edge-1:how-to/grease.en.md')).toContain('fast');
    expect((await ours.read())?.procedures.find('grease', 1)[0]?.texts.en?.steps).toEqual(['Open it fast.']);

    // A person takes ours.
    const tree = git(shared, 'rev-parse', 'conflict/edge-1^{tree}');
    const joined = git(
      shared,
      ...['-c', 'user.name=p', '-c', 'user.email=p@example.com'],
      ...['commit-tree', tree, '-p', 'main', '-p', 'conflict/edge-1', '-m', 'Join'],
    );
    git(shared, 'update-ref', 'refs/heads/main', joined);
    await ours.commitReport(reportOf('a'));
    await pushed(ours);
    expect(ours.pushState().conflict).toBeUndefined();
    expect(git(shared, 'merge-base', '--is-ancestor', joined, 'main')).toBe('');
  });

  it('is never forced: a history that was replaced there is kept', async () => {
    const one = await box('edge-1', overFiles());
    await one.commitReport(reportOf('a'));
    await pushed(one);
    const tree = git(shared, 'write-tree');
    const fresh = git(
      shared,
      ...['-c', 'user.name=p', '-c', 'user.email=p@example.com'],
      ...['commit-tree', tree, '-m', 'Begin again'],
    );
    git(shared, 'update-ref', 'refs/heads/main', fresh);
    await one.commitReport(reportOf('b'));
    await pushed(one);
    expect(git(shared, 'merge-base', '--is-ancestor', fresh, 'main')).toBe('');
    expect((await one.read())?.cases.reports).toHaveLength(2);
  });
});

describe('a token', () => {
  it('is on no command line and in no file of the repository', async () => {
    const port = await freePort();
    const token = 'glpat-very-secret';
    const remote = { ...overFiles(), url: `https://127.0.0.1:${port}/x.git`, token };
    const procedures = await box('edge-1', remote);
    const fault = await faultOf(procedures);
    expect(JSON.stringify([fault, procedures.health()])).not.toContain(token);
    expect(existsSync(join(home.path, 'edge-1', 'procedures.known-hosts'))).toBe(false);
  });
});
