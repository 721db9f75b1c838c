import { readdir, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

/**
 * A symbolic link below the handler's directory that leads out of it, by its path; undefined when there is none. Node's
 * permission model follows links, so one of these would open a file that the worker may not read.
 */
export async function linkOutOf(handler: string): Promise<string | undefined> {
  const directory = await realpath(dirname(handler));
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const target = await targetOf(path);
    if (target !== undefined && !target.startsWith(directory + sep)) return path;
  }
  return undefined;
}

async function targetOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    // It leads nowhere, so nothing can be read through it.
    return undefined;
  }
}
