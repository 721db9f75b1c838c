import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcedureChange, ProcedureVersion } from '../../app/ports/procedure-repository.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import { syncDirectory } from '../../runtime/sync-directory.ts';
import type { GitAuthor, GitProgram, GitRun } from './git-program.ts';
import { type FileChanges, importStream } from './import-stream.ts';

/** A file at one version. */
export interface TreeFile {
  readonly path: string;
  readonly blob: string;
  readonly bytes: number;
}

interface Options {
  readonly directory: string;
  readonly branch: string;
  readonly author: GitAuthor;
}

const MAX_READ_BYTES = 32_000_000;
const MAX_TREE_BYTES = 16_000_000;
const COMMIT_DEADLINE_MS = 60_000;

/** One branch of a repository without a working tree, read and written through git's plumbing. Everything rejects with EdgeError GIT_FAILED. */
export class BareRepository {
  readonly ref: string;
  readonly git: GitProgram;
  readonly #options: Options;
  readonly #clocks: Clocks;

  constructor(options: Options, git: GitProgram, clocks: Clocks) {
    this.#options = options;
    this.ref = `refs/heads/${options.branch}`;
    this.git = git;
    this.#clocks = clocks;
  }

  /** Undefined before the first commit. */
  async head(): Promise<ProcedureVersion | undefined> {
    return versionIn(
      await this.git.text(['for-each-ref', '--format=%(objectname) %(committerdate:unix)', this.ref]),
    );
  }

  async tree(commit: string): Promise<readonly TreeFile[]> {
    const listed = await this.git.text(['ls-tree', '-r', '-z', '-l', '--full-tree', commit], {
      maxOutputBytes: MAX_TREE_BYTES,
    });
    return listed.split('\0').flatMap((entry) => {
      const [, blob, bytes, path] = /^100\d{3} blob ([0-9a-f]{40}) +(\d+)\t(.+)$/su.exec(entry) ?? [];
      return blob === undefined || path === undefined ? [] : [{ path, blob, bytes: Number(bytes) }];
    });
  }

  /** Texts by path; those that are no UTF-8 are left out. */
  async texts(files: readonly TreeFile[], run: GitRun = {}): Promise<ReadonlyMap<string, string>> {
    if (files.length === 0) return new Map();
    const output = await this.git.bytes(['cat-file', '--batch'], {
      input: files.map(({ blob }) => `${blob}\n`).join(''),
      maxOutputBytes: MAX_READ_BYTES * 2,
      deadlineMs: COMMIT_DEADLINE_MS,
      ...run,
    });
    const texts = new Map<string, string>();
    let at = 0;
    for (const { path, blob } of files) {
      const lineEnd = output.indexOf(0x0a, at);
      const [, bytes] = /^[0-9a-f]{40} blob (\d+)$/u.exec(output.toString('latin1', at, lineEnd)) ?? [];
      if (bytes === undefined) throw new EdgeError('GIT_FAILED', `${path}: ${blob} cannot be read`);
      const from = lineEnd + 1;
      const text = utf8(output.subarray(from, from + Number(bytes)));
      if (text !== undefined) texts.set(path, text);
      at = from + Number(bytes) + 1;
    }
    return texts;
  }

  /** Resolves when the commit and the branch that names it are on the disk. */
  async commit(
    parent: ProcedureVersion | undefined,
    message: string,
    changes: FileChanges,
  ): Promise<ProcedureVersion> {
    const { author } = this.#options;
    const atMs = this.#clocks.wall().getTime();
    await this.git.text(['fast-import', '--quiet', '--done', '--date-format=raw'], {
      input: importStream({ ref: this.ref, parent: parent?.commit, author, atMs, message, changes }),
      deadlineMs: COMMIT_DEADLINE_MS,
    });
    await this.syncDirectories();
    const made = await this.head();
    if (made === undefined || made.commit === parent?.commit)
      throw new EdgeError('GIT_FAILED', `the commit did not become ${this.ref}`);
    return made;
  }

  /** The branch goes to a commit, provided that it still is where it was. */
  async advance(to: string, from: string | undefined): Promise<void> {
    await this.git.text(['update-ref', this.ref, to, from ?? '0'.repeat(40)]);
    await this.syncDirectories();
  }

  /** The newest first. */
  async history(paths: readonly string[], limit: number): Promise<readonly ProcedureChange[]> {
    if ((await this.head()) === undefined) return [];
    const format = '--format=%H%x00%ct%x00%an%x00%s';
    const log = await this.git.text(['log', format, `--max-count=${limit}`, this.ref, '--', ...paths]);
    return log.split('\n').flatMap((line) => {
      const [commit = '', atS, author = '', what = ''] = line.split('\0');
      return commit === '' ? [] : [{ commit, atMs: Number(atS) * 1000, author, what }];
    });
  }

  /** Git syncs the files that it writes, not the directories that name them. */
  async syncDirectories(): Promise<void> {
    const { directory } = this.#options;
    const objects = join(directory, 'objects');
    const fans = (await readdir(objects, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    const branch = join(directory, this.ref, '..');
    for (const path of [...fans.map(({ name }) => join(objects, name)), objects, branch])
      await syncDirectory(path);
  }
}

function versionIn(line: string): ProcedureVersion | undefined {
  const [, commit, atS] = /^([0-9a-f]{40}) (\d+)$/u.exec(line) ?? [];
  return commit === undefined ? undefined : { commit, atMs: Number(atS) * 1000 };
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
