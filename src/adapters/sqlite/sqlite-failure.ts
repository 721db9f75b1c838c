/** What SQLite, or the system below it, reports when the machine, not the statement, is at fault, and what a person can do about it. */
const HINTS: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'the disk is full: free space on the disk that holds state_dir',
  SQLITE_READONLY: 'the file or its disk is read-only: check the mount and the owner of state_dir',
  SQLITE_IOERR: 'the disk fails: look at dmesg, and replace the card or disk when it shows errors',
  SQLITE_CANTOPEN: 'the file cannot be opened any more: check state_dir and the mount, then restart',
  SQLITE_PERM: 'access is denied: check the owner of state_dir',
  SQLITE_BUSY: 'another program holds the file: end it',
  SQLITE_LOCKED: 'another program holds the file: end it',
  SQLITE_CORRUPT: 'the file is damaged: restart, it is then set aside and a new one begun',
  SQLITE_NOTADB: 'the file is damaged: restart, it is then set aside and a new one begun',
  SQLITE_NOMEM: 'the machine is out of memory: see what uses it',
  ENOSPC: 'the disk is full: free space on the disk that holds state_dir',
  EROFS: 'the file or its disk is read-only: check the mount and the owner of state_dir',
  EIO: 'the disk fails: look at dmesg, and replace the card or disk when it shows errors',
  SQLITE_MISUSE: 'the database is closed: restart',
};

function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** What to do about a failure of the machine; undefined when the error is the statement's or the caller's own. */
export function machineHint(error: unknown): string | undefined {
  return HINTS[codeOf(error) ?? ''];
}

/** What to do about a file that does not open at all. */
export function openingHint(error: unknown): string {
  const hint = codeOf(error) === 'SQLITE_CANTOPEN' ? undefined : machineHint(error);
  return hint ?? 'make the file and its directory writable for this user';
}

/** Whether another program holds what is wanted. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_BUSY';
}

export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT';
}

/** Whether the view `incoming` refused what was made before others wrote (`state-migrations.ts`). */
export function isStale(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_CONSTRAINT' && error instanceof Error && error.message.endsWith('stale');
}
