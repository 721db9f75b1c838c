import { messageOf } from './edge-error.ts';

const IN_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'this is a directory and not a file',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ELOOP: 'its symbolic links go in a circle',
  ENAMETOOLONG: 'the name is too long for a file',
};

/** Why a file could not be read, in words; of rarer faults the system's own. */
export function readFault(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return (typeof code === 'string' ? IN_WORDS[code] : undefined) ?? messageOf(error);
}
