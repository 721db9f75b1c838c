import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GitProcedures } from '../../../src/adapters/git/git-procedures.ts';
import { git, opened, proceduresAt, reportOf, temporaryDirectory } from '../../support/git-site.ts';

const GREASE = '# Grease a bearing\n\n1. Open it.\n2. Grease it.\n';
const CLEAN = '# Clean a filter\n\n1. Take it out.\n';

let home: ReturnType<typeof temporaryDirectory>;
let repository: string;
const running: GitProcedures[] = [];

beforeEach(() => {
  home = temporaryDirectory();
  repository = join(home.path, 'procedures.git');
});
afterEach(async () => {
  for (const procedures of running.splice(0)) await procedures.stop();
  home.remove();
});

const open = async (...given: Parameters<typeof proceduresAt>): Promise<GitProcedures> => {
  const procedures = proceduresAt(...given);
  running.push(procedures);
  return opened(procedures);
};
const files = (...entries: readonly [string, string][]): ReadonlyMap<string, string> => new Map(entries);
const again = async (given?: Parameters<typeof proceduresAt>[1]): Promise<GitProcedures> => {
  for (const procedures of running.splice(0)) await procedures.stop();
  return open(home.path, given);
};

describe('the procedures of a site', () => {
  it('are read at a version, with its commit and its time', async () => {
    const procedures = await open(home.path, { files: files(['grease.en.md', GREASE]) });
    const shelf = await procedures.read();
    expect(shelf?.version.commit).toBe(git(repository, 'rev-parse', 'main'));
    expect(shelf?.version.atMs).toBe(Number(git(repository, 'log', '-1', '--format=%ct')) * 1000);
    expect(shelf?.procedures.find('grease', 3).map(({ id }) => id)).toEqual(['grease']);
  });

  it('are committed at the start where something changed, and the message says what', async () => {
    await open(home.path, { files: files(['grease.en.md', GREASE]) });
    await again({ files: files(['grease.en.md', GREASE]) });
    expect(git(repository, 'rev-list', '--count', 'main')).toBe('1');
    const procedures = await again({
      files: files(['grease.en.md', `${GREASE}3. Close it.\n`], ['clean.en.md', CLEAN]),
    });
    expect(git(repository, 'log', '-1', '--format=%B', 'main')).toBe(
      'How-tos of edge-1: change grease.en.md and 1 more\n\nchange grease.en.md\nadd clean.en.md',
    );
    expect((await procedures.history('grease', 10)).map(({ what }) => what)).toEqual([
      'How-tos of edge-1: change grease.en.md and 1 more',
      'How-tos of edge-1: add grease.en.md',
    ]);
    const shelf = await (await again({ files: files(['clean.en.md', CLEAN]) })).read();
    expect(shelf?.procedures.procedures.map(({ id }) => id)).toEqual(['clean']);
  });

  it('are not there without git, which says what to install, and are there when it was', async () => {
    const programs = join(home.path, 'programs');
    mkdirSync(programs);
    const procedures = proceduresAt(home.path, { path: programs });
    running.push(procedures);
    await procedures.start();
    await expect(procedures.commitReport(reportOf('a'))).rejects.toMatchObject({ code: 'PROCEDURES_FAILED' });
    expect(procedures.health()).toMatchObject({ status: 'degraded' });
    expect(procedures.health().detail).toContain('sudo apt-get install git');
    expect(await procedures.read()).toBeUndefined();
  });
});

describe('a confirmed diagnosis', () => {
  it('becomes a file with its front matter, is found by words, and is kept once', async () => {
    const procedures = await open(home.path);
    const report = reportOf('ab12', {
      texts: {
        en: { cause: 'The bearing ran dry.', done: ['Greased it.'] },
        zh: { cause: '轴承缺油。', done: ['加注润滑脂。'] },
      },
    });
    expect((await procedures.commitReport(report)).outcome).toBe('written');
    const path = 'reports/2026/2026-11-30-pump-7-ab12.md';
    const text = git(repository, 'show', `main:${path}`);
    expect(text).toContain('confirmed_by: "zhang-wei@maintenance"');
    const shelf = await procedures.read();
    expect(shelf?.cases.find('轴承', 3)).toEqual([report]);
    expect(shelf?.cases.find('E-203', 3)).toEqual([report]);
    const repeated = await procedures.commitReport({ ...report, day: '2026-12-01' });
    expect(repeated).toEqual({ outcome: 'repeated', version: shelf?.version });
    expect(git(repository, 'rev-list', '--count', 'main')).toBe('1');
  });

  it('holds pseudonymous ids in place of people', async () => {
    const procedures = await open(home.path, {
      names: { text: (text) => text.replaceAll('张伟', 'p-1'), person: () => 'p-1' },
    });
    await procedures.commitReport(reportOf('a', { texts: { zh: { cause: '张伟 发现轴承缺油', done: [] } } }));
    const text = git(repository, 'show', 'main:reports/2026/2026-11-30-pump-7-a.md');
    expect(text).toContain('p-1 发现轴承缺油');
    expect(text).not.toMatch(/张伟|zhang-wei/u);
  });

  it('that many report at once is committed one after another, each once', async () => {
    const procedures = await open(home.path);
    const ids = Array.from({ length: 10 }, (_, at) => `r${at % 5}`);
    const outcomes = await Promise.all(ids.map((id) => procedures.commitReport(reportOf(id))));
    expect(outcomes.filter(({ outcome }) => outcome === 'written')).toHaveLength(5);
    expect(git(repository, 'rev-list', '--count', 'main')).toBe('5');
  });
});

describe('after a crash', () => {
  const ids = async (procedures: GitProcedures): Promise<readonly string[]> =>
    ((await procedures.read())?.cases.reports ?? []).map(({ id }) => id).toSorted();
  const objects = (): readonly string[] =>
    readdirSync(join(repository, 'objects'))
      .filter((fan) => /^[0-9a-f]{2}$/u.test(fan))
      .flatMap((fan) =>
        readdirSync(join(repository, 'objects', fan)).map((name) => join(repository, 'objects', fan, name)),
      );
  const objectFile = (spec: string): string => {
    const id = git(repository, 'rev-parse', spec);
    return join(repository, 'objects', id.slice(0, 2), id.slice(2));
  };
  const written = async (...given: readonly string[]): Promise<void> => {
    const procedures = await open(home.path);
    for (const id of given) await procedures.commitReport(reportOf(id));
    await procedures.stop();
    running.splice(0);
  };

  it('locks and drafts of a git that is gone are cleared', async () => {
    await written('a');
    for (const lock of [
      'index.lock',
      'HEAD.lock',
      'config.lock',
      'refs/heads/main.lock',
      'objects/tmp_obj_x',
    ])
      writeFileSync(join(repository, lock), '');
    const procedures = await again();
    await procedures.commitReport(reportOf('b'));
    expect(await ids(procedures)).toEqual(['a', 'b']);
    expect(existsSync(join(repository, 'index.lock'))).toBe(false);
  });

  it.each([
    ['the branch is empty', () => truncateSync(join(repository, 'refs/heads/main'), 0)],
    ['the branch is zeros', () => writeFileSync(join(repository, 'refs/heads/main'), Buffer.alloc(41))],
    [
      'HEAD and config are empty',
      () => ['HEAD', 'config'].map((file) => truncateSync(join(repository, file), 0)),
    ],
  ])('nothing is lost when %s', async (_what, harm) => {
    await written('a', 'b');
    harm();
    const procedures = await again();
    expect(await ids(procedures)).toEqual(['a', 'b']);
    expect(procedures.health()).toMatchObject({ status: 'degraded' });
    await procedures.commitReport(reportOf('c'));
    expect(await ids(procedures)).toEqual(['a', 'b', 'c']);
    expect((await again()).health()).toMatchObject({ status: 'ok' });
  });

  it.each([
    ['is empty', (file: string) => truncateSync(file, 0)],
    ['is torn', (file: string) => truncateSync(file, Math.floor(readFileSync(file).length / 2))],
  ])('what can be read of the rest is kept when the newest commit %s', async (_what, harm) => {
    await written('a', 'b');
    const file = objectFile('main');
    harm(file);
    const procedures = await again();
    expect(await ids(procedures)).toEqual(['a', 'b']);
    expect(git(repository, 'fsck', '--full')).not.toMatch(/missing|corrupt/u);
  });

  it('a report whose own text is torn is the only one lost', async () => {
    await written('a', 'b', 'c');
    const file = objectFile('main:reports/2026/2026-11-30-pump-7-b.md');
    truncateSync(file, 5);
    expect(await ids(await again())).toEqual(['a', 'c']);
  });

  it('a repository without any whole version is set aside, and its reports are taken over', async () => {
    await written('a', 'b');
    for (const commit of git(repository, 'rev-list', 'main').split('\n')) truncateSync(objectFile(commit), 0);
    const procedures = await again();
    expect(await ids(procedures)).toEqual(['a', 'b']);
    expect(procedures.health().detail).toContain('set aside as');
    expect(readdirSync(home.path).some((name) => name.startsWith('procedures.git.damaged-'))).toBe(true);
    expect(objects().length).toBeGreaterThan(0);
  });

  it('a directory that git does not know is set aside', async () => {
    mkdirSync(repository);
    writeFileSync(join(repository, 'HEAD'), 'nonsense');
    const procedures = await again();
    await procedures.commitReport(reportOf('a'));
    expect(await ids(procedures)).toEqual(['a']);
  });

  it('nothing that was acknowledged is lost by kill -9, at 20 moments of a commit', async () => {
    const program = await buildChild();
    const acknowledged: string[] = [];
    try {
      for (let round = 0; round < 20; round += 1) {
        const child = spawn(process.execPath, [program, home.path, `${round}`], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let said = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
        const ended = once(child, 'close');
        while (!said.includes('\n')) await once(child.stdout, 'data');
        // Not a wait for something to happen: the moment of the kill is what differs here.
        await sleep(round * 3);
        // Every other time git is killed with it; else it finds its input broken off.
        const gits = round % 2 === 0 ? childrenOf(child.pid) : [];
        for (const pid of [...gits, child.pid]) if (pid !== undefined) kill(pid);
        await ended;
        acknowledged.push(...said.split('\n').slice(0, -1));
      }
    } finally {
      rmSync(program);
    }
    const procedures = await again();
    const kept = await ids(procedures);
    expect(acknowledged.length).toBeGreaterThanOrEqual(20);
    expect(acknowledged.filter((id) => !kept.includes(id))).toEqual([]);
    await procedures.commitReport(reportOf('after'));
    expect(git(repository, 'fsck', '--full', '--no-dangling')).toBe('');
  });
});

/** One file, in the tree of the project so that packages are found: modules read one by one would take most of a start. */
async function buildChild(): Promise<string> {
  const outfile = fileURLToPath(
    new URL(`../../../dist/procedures-child-${process.pid}.mjs`, import.meta.url),
  );
  await build({
    entryPoints: [fileURLToPath(new URL('../../support/procedures-child.ts', import.meta.url))],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
  });
  return outfile;
}

function childrenOf(pid: number | undefined): readonly number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return listed === '' ? [] : listed.split(' ').map(Number);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
