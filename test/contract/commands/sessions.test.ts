import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { HttpServer } from '../../../src/adapters/http/http-server.ts';
import { SqliteLockStore } from '../../../src/adapters/sqlite/sqlite-lock-store.ts';
import { SessionReports } from '../../../src/app/engine/session-reports.ts';
import { LockDesk } from '../../../src/app/lock-desk.ts';
import { MachineLocks } from '../../../src/app/machine-locks.ts';
import { PeopleDirectory } from '../../../src/domain/people/directory.ts';
import { parsePeople } from '../../../src/domain/people/people-file.ts';
import { deviceMapSchema } from '../../../src/domain/plc/device-map.ts';
import { PlantModel } from '../../../src/domain/plc/plant-model.ts';
import { systemClocks } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { onePlant } from '../../support/demo-site.ts';
import { actionRecord, messageRecord, sessionRecord } from '../../support/session-records.ts';
import { openState, scratchDirectory } from '../../support/state-site.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const OLD = '1111aaaa-0000-4000-8000-000000000000';
const NEW = '1111bbbb-0000-4000-8000-000000000000';
const PEOPLE = `id,name_en,name_zh,role
wang,Wang Lei,王磊,operator
li,Li Na,李娜,maintainer
chen,Chen Bo,陈波,supervisor
guo,Guo Fei,郭飞,guest
`;

const directory = scratchDirectory();
let state: Awaited<ReturnType<typeof openState>>;
let server: HttpServer;
let desk: LockDesk;
let openLocks: (people?: PeopleDirectory) => Promise<void>;

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
  const plant = new PlantModel([deviceMapSchema.parse(parse(onePlant(1502)))]);
  const people = new PeopleDirectory(parsePeople(PEOPLE, 'people.csv'));
  openLocks = async (directoryOfPeople = people) => {
    const locks = await MachineLocks.open({
      store: new SqliteLockStore(state.database),
      audit: state.audit,
      clocks: systemClocks(),
      hasMachine: (id) => plant.machines.has(id),
    });
    desk = new LockDesk({ locks, plant, people: directoryOfPeople });
  };
  await openLocks();
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
      locks: {
        list: () => desk.list(),
        lock: (...asked) => desk.lock(...asked),
        unlock: (...asked) => desk.unlock(...asked),
      },
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

const sessions = (...args: string[]) => edge('sessions', ...args);

function edge(...args: string[]) {
  const config = ['--config', join(directory.path, 'hermes-edge.yaml')];
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, ['dist/main.js', ...args, ...config], { cwd: ROOT }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, stdout, stderr }),
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

describe('hermes-edge lock', () => {
  it('locks a machine by any of its names for a person by any of theirs, also over a restart', async () => {
    expect((await edge('locks')).stdout).toBe('No machine is locked.\n');
    expect(await edge('lock', 'Pump Three', '--by', '王磊', '--reason', 'changing the seal')).toMatchObject({
      status: 0,
      stdout: 'pump-3 is locked by Wang Lei. Nothing is written to it until it is unlocked.\n',
    });
    await openLocks();
    expect((await edge('locks')).stdout).toMatch(
      /pump-3 +pump three, 三号泵 +Wang Lei +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +changing the seal$/mu,
    );
    expect(await state.audit.entries('machine.locked', 10)).toMatchObject([
      { detail: { machine: 'pump-3', by: { id: 'wang', name: 'Wang Lei' }, reason: 'changing the seal' } },
    ]);
  });

  it('is ended by nobody but whoever locked it, or a supervisor', async () => {
    expect(await edge('unlock', '三号泵', '--by', 'Li Na')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('pump-3 is locked by Wang Lei'),
    });
    expect(await edge('lock', 'pump-3', '--by', 'Li Na')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('whoever locked it unlocks it, or a supervisor'),
    });
    expect(JSON.parse((await edge('unlock', '三号泵', '--by', 'chen', '--json')).stdout)).toMatchObject({
      machine: 'pump-3',
      by: { id: 'wang' },
    });
    expect(JSON.parse((await edge('locks', '--json')).stdout)).toEqual({ locks: [] });
    expect(await state.audit.entries('machine.unlocked', 10)).toMatchObject([
      { detail: { machine: 'pump-3', by: { id: 'chen' } } },
    ]);
    expect(await edge('unlock', 'pump-3', '--by', 'chen')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('pump-3 is not locked'),
    });
  });

  it.each([
    ['a machine that there is not', ['pmup-3', '--by', 'wang'], 2, 'Did you mean "pump-3"?'],
    ['somebody whom nobody knows', ['pump-3', '--by', 'wnag'], 2, 'Did you mean "wang'],
    ['a name that is only like one', ['pump-3', '--by', 'Wang Lee'], 2, 'Did you mean "wang"?'],
    ['a guest', ['pump-3', '--by', 'Guo Fei'], 1, 'at least an operator'],
  ])('is refused for %s', async (_what, args, status, said) => {
    expect(await edge('lock', ...args)).toMatchObject({ status, stderr: expect.stringContaining(said) });
    expect(desk.list()).toEqual([]);
  });

  it('takes any name where there is no list of people, and only that name unlocks', async () => {
    await openLocks(new PeopleDirectory([]));
    expect((await edge('lock', 'pump-3', '--by', '小赵')).stdout).toContain('pump-3 is locked by 小赵.');
    expect(await edge('unlock', 'pump-3', '--by', 'chen')).toMatchObject({ status: 1 });
    expect((await edge('unlock', 'pump-3', '--by', '小赵')).stdout).toContain('pump-3 is unlocked');
  });
});
