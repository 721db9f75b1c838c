import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

it('writes into each log line which session it belongs to, though many are under way at once', async () => {
  const program = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { SessionContext } from './src/app/engine/session-context.ts';
    import { createLogger } from './src/runtime/logger.ts';
    const context = new SessionContext();
    const logger = createLogger('info', () => context.fields());
    logger.info({ n: -1 }, 'outside');
    await Promise.all(Array.from({ length: 50 }, (_, n) =>
      context.run({ sessionId: 's' + n, turnId: 't' + n, station: 'line-1' }, async () => {
        await sleep(Math.random() * 20);
        logger.info({ n }, 'inside');
      })));`;
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { cwd: ROOT },
  );
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
  const [outside, ...inside] = lines;
  expect(outside).not.toHaveProperty('session_id');
  expect(inside).toHaveLength(50);
  for (const { n, session_id, turn_id } of inside) expect([session_id, turn_id]).toEqual([`s${n}`, `t${n}`]);
});
