import { readdir, readFile } from 'node:fs/promises';

/** Stands in the environment of a worker, and of whatever it starts, however far that detaches itself. */
export const WORKER_MARK = 'HERMES_TOOL_WORKER';

const MAX_ROUNDS = 20;

/**
 * Kills what a worker started that has left its process group: found by the mark in its environment, again and again
 * until nothing more turns up. A program that replaced its own environment as well would stay; under the permission
 * model a handler cannot start any. Returns how many were killed.
 */
export async function killMarked(mark: string): Promise<number> {
  let killed = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const pids = await marked(mark);
    if (pids.length === 0) break;
    for (const pid of pids) if (killOne(pid)) killed += 1;
  }
  return killed;
}

async function marked(mark: string): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found: number[] = [];
  for (const name of names) {
    if (await carries(name, mark)) found.push(Number(name));
  }
  return found;
}

async function carries(pid: string, mark: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1');
    return environment.split('\0').includes(`${WORKER_MARK}=${mark}`);
  } catch {
    // It ended, or it is another user's and so none of ours.
    return false;
  }
}

function killOne(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It ended meanwhile.
    return false;
  }
}
