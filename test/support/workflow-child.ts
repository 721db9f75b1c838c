/**
 * A program that runs one workflow after another, with `state.db` in DIRECTORY and a file `calls` beside it that holds the
 * key of every call as it begins. Goes on with what the one before it had not ended, says which have ended, and lives until
 * it is killed.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SqliteWorkflowStore } from '../../src/adapters/sqlite/sqlite-workflow-store.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { WorkflowRunner } from '../../src/tooling/workflow/workflow-runner.ts';
import { type Script, ScriptedTools } from './scripted-runner.ts';
import { openState } from './state-site.ts';
import { LINE_ANOMALY } from './workflows.ts';

const [directory = ''] = process.argv.slice(2);
const { database, audit } = await openState(directory);

const call: Script = async ({ idempotencyKey }) => {
  appendFileSync(join(directory, 'calls'), `${idempotencyKey}\n`);
  await sleep(Math.random() * 8);
  return { key: idempotencyKey };
};
const runner = new WorkflowRunner({
  definitions: [LINE_ANOMALY],
  functions: new Map([['propose', ({ log }) => ({ text: JSON.stringify(log) })]]),
  tools: new ScriptedTools({ 'read-plc-log': call, 'similar-cases': call, 'create-work-order': call }, [
    'create-work-order',
  ]),
  store: new SqliteWorkflowStore({ database, logger: silentLogger() }),
  audit,
  human: { busy: () => undefined, escalate: () => undefined },
  clocks: systemClocks(),
  scheduler: systemScheduler,
  logger: silentLogger(),
});
const caller = {
  station: 'line-1',
  sessionId: 's',
  turnId: 't',
  role: 'operator',
  person: undefined,
} as const;
await runner.start();
writeSync(1, 'ready\n');
for (;;) {
  const { id, state } = await runner.run('line-anomaly', { machine: 'A12' }, caller, randomUUID());
  writeSync(1, `ended ${id} ${state.stage}\n`);
}
