import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpServer } from '../../../src/adapters/http/http-server.ts';
import { SessionReports } from '../../../src/app/engine/session-reports.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { onePlant } from '../../support/demo-site.ts';
import { actionRecord, messageRecord, sessionRecord } from '../../support/session-records.ts';
import { openState, scratchDirectory } from '../../support/state-site.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const OLD = '1111aaaa-0000-4000-8000-000000000000';
const NEW = '1111bbbb-0000-4000-8000-000000000000';

const directory = scratchDirectory();
let state: Awaited<ReturnType<typeof openState>>;
let server: HttpServer;

beforeAll(async () => {
  const home = join(directory.path, 'state');
  mkdirSync(home);
  writeFileSync(join(directory.path, 'plant.yaml'), onePlant(1502));
  writeFileSync(
    join(directory.path, 'hermes-edge.yaml'),
    'site: test\nplant: [plant.yaml]\nstate_dir: state\ntime_zone: Asia/Shanghai\n',
  );
  state = await openState(home);
  await state.sessions.commit({
    session: sessionRecord(OLD, { station: 'line-2', archivedAt: '2026-01-02T04:00:00.000Z' }),
  });
  await state.sessions.commit({
    session: sessionRecord(NEW, { open: { kind: 'choice' } }),
    actions: [
      actionRecord('a', NEW, { status: 'done', result: { value: 181.5 } }),
      actionRecord('b', NEW, {
        step: 2,
        tool: 'export-report',
        status: 'failed',
        error: { tool: 'export-report', code: 'TOOL_TIMEOUT', message: 'too slow' },
      }),
    ],
    messages: [messageRecord(1, '一号炉的温度\u001b[2J')],
    audit: [{ kind: 'action.begun', detail: { action: 'a' } }],
  });
  const nothing = async () => ({ kind: 'played' });
  server = new HttpServer(
    { kind: 'socket', path: join(home, 'control.sock') },
    {
      status: () => ({ status: 'ok', ready: true, version: '1', uptime_s: 1, parts: [] }),
      points: () => [],
      history: async () => [],
      ask: async () => {
        throw new Error('nobody asks');
      },
      say: nothing,
      sessions: new SessionReports(state.sessions),
    },
    silentLogger(),
  );
  await server.start();
});
afterAll(async () => {
  await server.stop(500);
  await state.database.close();
  directory.remove();
});

function sessions(...args: string[]) {
  const config = ['--config', join(directory.path, 'hermes-edge.yaml')];
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      ['dist/main.js', 'sessions', ...args, ...config],
      { cwd: ROOT },
      (error, stdout, stderr) => resolve({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

describe('hermes-edge sessions list', () => {
  it('shows the one used last first, each with its station, its state and when it was used', async () => {
    const { status, stdout } = await sessions('list');
    expect(status).toBe(0);
    const [, first = '', second = ''] = stdout.split('\n');
    expect(first).toMatch(/^1111bbbb +line-1 +IDLE, waits for an answer +2026-01-02 11:04:05$/u);
    expect(second).toMatch(/^1111aaaa +line-2 +archived /u);
  });

  it('gives whole ids as JSON', async () => {
    const { stdout } = await sessions('list', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ sessions: [{ id: NEW, is_waiting: true }, { id: OLD }] });
  });
});

describe('hermes-edge sessions show', () => {
  it('shows state, ledger and timeline by the beginning of an id', async () => {
    const { status, stdout } = await sessions('show', '1111b');
    expect(status).toBe(0);
    expect(stdout).toContain(`Session ${NEW} of line-1: IDLE, waits for an answer, task 1, version 1`);
    expect(stdout).toMatch(/ 1 {2}read-value +done .*-> \{"value":181.5\}/u);
    expect(stdout).toMatch(/ 2 {2}export-report +failed .*TOOL_TIMEOUT: too slow/u);
    expect(stdout).toMatch(/2026-01-02 11:04:05 +person +一号炉的温度\[2J/u);
    expect(stdout).toMatch(/action.begun +\{"action":"a","session_id":"1111bbbb-/u);
  });

  it('says when more than one begins so, and what is nearest when none does', async () => {
    expect(await sessions('show', '1111')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('2 sessions begin with "1111"'),
    });
    expect(await sessions('show', OLD.replace('1111', '1112'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`Did you mean "${OLD}"?`),
    });
    expect(await sessions('show', '一号炉')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is no id of a session'),
    });
  });
});
