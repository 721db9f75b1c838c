import { readFileSync } from 'node:fs';
import type { Config } from '../config/config-schema.ts';
import { utf8Text } from '../config/utf8-text.ts';
import { PeopleDirectory } from '../domain/people/directory.ts';
import { parsePeople } from '../domain/people/people-file.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { readFault } from '../runtime/read-fault.ts';

/** The people of the site; nobody where no file is configured. Throws EdgeErrors that name file and line. */
export function loadPeople({ people: file }: Pick<Config, 'people'>): PeopleDirectory {
  if (file === undefined) return new PeopleDirectory([]);
  const read = utf8Text(bytesOf(file));
  if (!read.ok) throw new EdgeError('CONFIG_INVALID', `${file}: ${read.reason}`);
  return new PeopleDirectory(parsePeople(read.text, file));
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new EdgeError('CONFIG_UNREADABLE', `people: ${file}: ${readFault(error)}`, {
      hint: 'check the path and that this user may read it',
      cause: error,
    });
  }
}
