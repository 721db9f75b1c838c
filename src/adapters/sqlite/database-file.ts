import { existsSync, renameSync, statSync } from 'node:fs';
import sqlite3 from 'sqlite3';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import { openingHint } from './sqlite-failure.ts';

/** Moves a damaged file away as `FILE.damaged-TIME`, with what belongs to it, and says where to. */
export function setAside(file: string, now: Date): string {
  const aside = `${file}.damaged-${now.toISOString().replace(/[:.]/gu, '-')}`;
  for (const ending of ['', '-wal', '-shm']) {
    if (existsSync(file + ending)) renameSync(file + ending, aside + ending);
  }
  return aside;
}

/** Opens a connection in one of the modes of `sqlite3`. Rejects with EdgeError STATE_DB_FAILED. */
export function connect(file: string, mode: number): Promise<sqlite3.Database> {
  return new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(file, mode, (error) =>
      error === null ? resolve(opened) : reject(error),
    );
  }).catch((error: unknown) => {
    throw failed(`cannot open ${file}`, error, openingHint(error));
  });
}

/** Device and inode, or undefined when the path leads to no file or cannot be followed. */
export function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** As an EdgeError STATE_DB_FAILED, with what to do. */
export function failed(what: string, cause: unknown, hint: string): EdgeError {
  return new EdgeError('STATE_DB_FAILED', `${what}: ${messageOf(cause)}`, { hint, cause });
}
