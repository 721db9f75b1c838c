import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database.ts';
import { PLC_LOG_MIGRATION } from '../../../src/adapters/sqlite/sqlite-plc-log-store.ts';
import { composePlcLogs, openKeptPlcLogs } from '../../../src/composition/plc-log.ts';
import { createRuntime } from '../../../src/composition/runtime.ts';
import { modelDevice } from '../../support/model-device.ts';
import { demoPlant } from '../../support/plant-file.ts';

describe('the file of the event logs', () => {
  let directory: string;
  let file: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'hermes-plclog-'));
    file = join(directory, 'plc-log.db');
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const config = () => ({ state_dir: directory });
  const compose = () => composePlcLogs(config(), demoPlant(), modelDevice().bus, createRuntime('silent'));

  it('is looked into without being touched, also when it is damaged and the daemon writes it', async () => {
    const { database } = await Database.open(file, [PLC_LOG_MIGRATION], new Date());
    await database.close();
    const good = readFileSync(file);
    const damaged = Buffer.concat([good.subarray(0, 4096), Buffer.alloc(good.length - 4096, 0x5a)]);
    writeFileSync(file, damaged);
    const { ino } = statSync(file);
    await expect(openKeptPlcLogs(config())).rejects.toMatchObject({ code: 'STATE_DB_FAILED' });
    expect(statSync(file).ino).toBe(ino);
    expect(readFileSync(file).equals(damaged)).toBe(true);
    expect(readdirSync(directory).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  it('that was set aside or removed is told by health', async () => {
    writeFileSync(file, 'no database at all, whatever its name says');
    const {
      services: [kept],
    } = await compose();
    expect(kept?.health()).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('set aside'),
    });
    rmSync(file);
    expect(kept?.health()).toMatchObject({ status: 'down', detail: expect.stringContaining('removed') });
    await kept?.stop(1_000);
  });

  it('that cannot be opened keeps no daemon from starting', async () => {
    const { database } = await Database.open(file, [PLC_LOG_MIGRATION, 'CREATE TABLE newer (a)'], new Date());
    await database.close();
    const { services } = await compose();
    expect(services.map((service) => service.health())).toMatchObject([{ status: 'down' }]);
  });
});
