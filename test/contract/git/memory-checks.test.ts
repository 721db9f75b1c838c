import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkMemory } from '../../../src/composition/memory-checks.ts';
import { configSchema } from '../../../src/config/config-schema.ts';
import { systemScheduler } from '../../../src/runtime/clocks.ts';
import { temporaryDirectory } from '../../support/git-site.ts';

let directory: ReturnType<typeof temporaryDirectory>;

beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

function checks(procedures: object = {}) {
  const { state_dir, memory } = configSchema.parse({
    state_dir: join(directory.path, 'state'),
    memory: { procedures },
  });
  return checkMemory({ state_dir, memory }, { scheduler: systemScheduler });
}

describe('the check of memory', () => {
  it('is content with a box that was never started and has no remote', async () => {
    expect(await checks()).toMatchObject([
      { part: 'memory', ok: true, detail: expect.stringContaining('made at the first start') },
      { part: 'memory git', ok: true },
    ]);
  });

  it('asks the remote, and says what to do when there is no repository', async () => {
    const remote = join(directory.path, 'remote.git');
    expect((await checks({ remote: `file://${remote}` })).at(-1)).toMatchObject({
      part: 'memory remote',
      ok: false,
      fix: expect.stringMatching(/memory\.procedures\.remote/u),
    });
    execFileSync('git', ['init', '--quiet', '--bare', remote]);
    expect((await checks({ remote: `file://${remote}` })).at(-1)).toMatchObject({
      part: 'memory remote',
      ok: true,
    });
  });

  it('names the command for a key that others may read', async () => {
    const key = join(directory.path, 'state', 'memory.key');
    mkdirSync(join(directory.path, 'state'));
    writeFileSync(key, 'k');
    chmodSync(key, 0o644);
    expect(await checks()).toContainEqual({
      part: 'memory key',
      ok: false,
      detail: `${key} has mode 644: others may read it`,
      fix: `chmod 600 ${key}`,
    });
    chmodSync(key, 0o600);
    expect((await checks()).filter(({ ok }) => !ok)).toEqual([]);
  });
});
