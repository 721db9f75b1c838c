import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { syncDirectory } from '../../runtime/sync-directory.ts';

const OBJECT_ID = /^[0-9a-f]{40}\n?$/u;

/**
 * Takes away what a crash or a power cut leaves behind in a repository: locks and drafts of a git that is gone, objects and
 * refs without content, refs that hold no object id. Gives what it took away that had been more than a draft.
 */
export async function clearLeftovers(directory: string): Promise<readonly string[]> {
  const torn: string[] = [];
  for (const path of await filesBelow(directory)) {
    const name = basename(path);
    const inside = relative(directory, path);
    const isDraft =
      (name.endsWith('.lock') && !inside.startsWith('objects/')) ||
      /^(tmp_|\.tmp-|fast_import_crash_)/u.test(name);
    if (isDraft) {
      await rm(path, { force: true });
      continue;
    }
    const isObject = /^objects\/[0-9a-f]{2}\//u.test(inside);
    const isRef = inside.startsWith('refs/');
    const isTorn =
      ((isObject || inside === 'packed-refs') && (await stat(path)).size === 0) ||
      (isRef && !OBJECT_ID.test(await readFile(path, 'latin1')));
    if (!isTorn) continue;
    await rm(path, { force: true });
    torn.push(inside);
  }
  return torn;
}

/** Whether its first two files can be read: without them git does not take the directory for a repository. */
export async function hasHeadAndConfig(directory: string, ref: string): Promise<boolean> {
  const [head, config] = await Promise.all([
    textOf(join(directory, 'HEAD')),
    textOf(join(directory, 'config')),
  ]);
  return head === `ref: ${ref}\n` && config.includes('repositoryformatversion');
}

/** Moves objects that git calls damaged out of its way, into `damaged/`. */
export async function setObjectsAside(directory: string, paths: readonly string[]): Promise<void> {
  await mkdir(join(directory, 'damaged'), { recursive: true, mode: 0o750 });
  for (const path of paths) {
    const to = join(directory, 'damaged', path.replaceAll('/', ''));
    await rename(join(directory, 'objects', path), to);
  }
}

/** A directory gets another name, for good. */
export async function moveDirectory(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncDirectory(dirname(to));
}

async function filesBelow(directory: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) found.push(...(await filesBelow(path)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

/** Empty for a file that is not there or cannot be read. */
async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
