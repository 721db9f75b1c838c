import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type StartedLogReader, startLogReader } from '../../support/plc-log.ts';
import {
  type PymodbusRing,
  ringPlant,
  ringPlantText,
  startPymodbusRing,
} from '../../support/pymodbus-ring.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

let directory: string;
let ring: PymodbusRing;
let started: StartedLogReader;

interface Ended {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function hermesEdge(...args: string[]): Promise<Ended> {
  const config = ['--config', join(directory, 'hermes-edge.yaml')];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['dist/main.js', 'plclog', ...args, ...config],
      { cwd: ROOT },
      (error, stdout, stderr) => resolve({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-plclog-command-'));
  mkdirSync(join(directory, 'state'));
  ring = await startPymodbusRing('records', 16);
  const options = { port: ring.port, kind: 'records', capacity: 16 } as const;
  writeFileSync(join(directory, 'plant.yaml'), ringPlantText(options));
  writeFileSync(join(directory, 'hermes-edge.yaml'), 'site: test\nplant: [plant.yaml]\nstate_dir: state\n');
  started = await startLogReader(ringPlant(options), join(directory, 'state'));
  for (const records of [3, 40]) {
    await ring.write(records);
    const written = await ring.count();
    await eventually(
      'they are kept',
      () => started.reader.health().figures?.['records_total'] === Math.min(written, 18),
    );
  }
});

afterAll(async () => {
  await started.stop();
  await ring.stop();
  rmSync(directory, { recursive: true });
});

describe('the reader of the logs', () => {
  it('says of each log whether it is followed, for the list', () => {
    expect(started.reader.health().figures).toMatchObject({ 'oven.events.followed': 1 });
  });
});

describe('hermes-edge plclog, while the log is being read', () => {
  it('shows records with their texts, and what was lost', async () => {
    const { status, stdout } = await hermesEdge('show', 'oven', '--since', '1h');
    expect(status).toBe(0);
    expect(stdout).toContain('door open (number 1, load 0.1 kW, number_again 1)');
    expect(stdout).toContain('-- 25 records lost: overwritten before they could be read');
    expect(stdout.trim().split('\n')).toHaveLength(19);
  });

  it('lists the logs as JSON', async () => {
    const { stdout } = await hermesEdge('list', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      logs: [{ machine: 'oven', log: 'events', names: { zh: ['事件日志'] }, records: 18 }],
    });
  });

  it('says what it was asked for wrongly', async () => {
    const machine = await hermesEdge('show', 'ovn');
    expect(machine).toMatchObject({ status: 2, stdout: '' });
    expect(machine.stderr).toContain('Did you mean "oven"?');
    const since = await hermesEdge('show', '--since', 'yesterdy');
    expect(since).toMatchObject({ status: 2, stdout: '' });
    expect(since.stderr).toContain('Did you mean "yesterday"?');
    expect(await hermesEdge('show', '--since', '1h', '--period', 'today')).toMatchObject({ status: 2 });
  });

  it('takes periods in words, and machines and logs by any of their names', async () => {
    const since = await hermesEdge('show', 'Oven', '--since', 'yesterday', '--log', '事件日志');
    expect(since.status).toBe(0);
    expect(since.stdout.trim().split('\n')).toHaveLength(19);
    expect(await hermesEdge('show', 'oven', '--period', '前天')).toMatchObject({
      status: 0,
      stdout: 'No entries.\n',
    });
  });

  it('says of each log that nobody follows it while no daemon runs', async () => {
    const { stdout } = await hermesEdge('list');
    expect(stdout).toMatch(/^oven events: 18 records, the last of .*, not followed$/mu);
    expect(stdout).toContain('No daemon is running');
  });
});
