import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The path of an executable in PATH, or undefined. */
export async function findProgram(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const directory of (env['PATH'] ?? '').split(delimiter)) {
    if (directory === '') continue;
    const candidate = join(directory, name);
    const usable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return candidate;
  }
  return undefined;
}
