import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { workflowSnapshotSchema } from '../../../src/tooling/workflow/workflow-store.ts';
import { eventually } from '../../support/eventually.ts';
import { openState, scratchDirectory } from '../../support/state-site.ts';

const CHILD = fileURLToPath(new URL('../../support/workflow-child.ts', import.meta.url));
const KILLS = 12;

it('moves on after every kill: no call that may not be repeated comes twice, and what ended stays ended', {
  timeout: 240_000,
}, async () => {
  const directory = scratchDirectory();
  const ended = new Map<string, string>();
  try {
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const child = spawn(process.execPath, ['--import', 'tsx', CHILD, directory.path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const gone = once(child, 'close');
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      await eventually('it runs', () => said.includes('ended'), 60_000);
      // Not a wait for something to happen: the moment of the kill is what is random here.
      await sleep(Math.random() * 60);
      child.kill('SIGKILL');
      await gone;
      for (const [, id = '', stage = ''] of said.matchAll(/ended (\S+) (\S+)\n/gu)) ended.set(id, stage);
    }
    const orders: readonly string[] =
      readFileSync(join(directory.path, 'calls'), 'utf8').match(/^.*\.order$/gmu) ?? [];
    expect(new Set(orders).size).toBe(orders.length);

    const { database } = await openState(directory.path);
    const rows = await database.all(
      z.object({ body: z.string() }),
      'SELECT body FROM workflow ORDER BY saved_at',
    );
    await database.close();
    const kept = rows.map(({ body }) => workflowSnapshotSchema.parse(JSON.parse(body)));
    const stages = new Map(kept.map(({ id, state }) => [id, state.stage]));
    for (const [id, stage] of ended) expect(stages.get(id)).toBe(stage);
    // Only the one that was under way at the last kill has not ended.
    expect(
      kept.filter(({ state: { stage } }) => stage !== 'COMPLETED' && stage !== 'FAILED').length,
    ).toBeLessThanOrEqual(1);
    for (const { id, state } of kept) {
      const wasOrdered = orders.includes(`${id}.order`);
      if (state.stage === 'COMPLETED') expect(wasOrdered).toBe(true);
      if (state.stage === 'FAILED') expect(state.steps['order']?.error?.code).toBe('OUTCOME_UNKNOWN');
    }
    expect(ended.size).toBeGreaterThan(KILLS);
  } finally {
    directory.remove();
  }
});
