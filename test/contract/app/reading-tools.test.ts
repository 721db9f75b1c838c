import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReadingTools } from '../../../src/app/reading-tools.ts';
import { openStorage, type Storage } from '../../../src/composition/storage.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { onePlant } from '../../support/demo-site.ts';
import { plantOf } from '../../support/plant-file.ts';
import { type StartedReader, startReader } from '../../support/plc-reader.ts';
import { type PymodbusServer, startPymodbusServer } from '../../support/pymodbus-server.ts';

describe('the reading tools', () => {
  let plc: PymodbusServer;
  let reader: StartedReader;
  let storage: Storage;
  let tools: ReadingTools;
  let directory: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hermes-tools-'));
    plc = await startPymodbusServer();
    await plc.set(1, 'holding', 10, 73);
    const runtime = { clocks: systemClocks(), scheduler: systemScheduler, logger: silentLogger() };
    const plant = plantOf(onePlant(plc.port));
    storage = await openStorage({ state_dir: directory }, runtime);
    reader = await startReader({ plant }, runtime);
    tools = new ReadingTools({ plant, reader, clocks: runtime.clocks, audit: storage.audit });
  });
  afterAll(async () => {
    await reader.stop();
    await storage.service.stop(1000);
    await plc.stop();
    rmSync(directory, { recursive: true });
  });

  it('read a value with its quality, unit and time', async () => {
    const before = Date.now();
    const reply = await tools.call('read-value', { machine: 'machine-12', point: 'temperature' });
    expect(reply).toMatchObject({ ok: true, result: { value: 73, quality: 'good', unit: 'degrees' } });
    const at = reply.ok ? Date.parse(String(reply.result['at'])) : Number.NaN;
    expect(at).toBeGreaterThanOrEqual(before - 5);
    expect(at).toBeLessThanOrEqual(Date.now() + 5);
  });

  it('read a machine whole, each point with its own quality', async () => {
    expect(await tools.call('machine-status', { machine: 'pump-3' })).toMatchObject({
      ok: true,
      result: { points: [{ point: 'pressure', quality: 'bad', reason: 'refused' }] },
    });
  });

  it.each([
    [{ machine: 'machine-13', point: 'temperature' }, 'Did you mean "machine-12"?'],
    [{ machine: 'machine-12', point: 'temprature' }, 'Did you mean "temperature"?'],
    [{ machine: 'machine-12' }, 'point'],
    [{ machine: 12, point: 'temperature' }, 'machine'],
    [{ machine: 'machine-12', point: 'temperature', force: true }, 'force'],
    [null, ''],
    ['__proto__', ''],
  ])('refuse %o and say why', async (args, hint) => {
    const reply = await tools.call('read-value', args);
    expect(reply).toMatchObject({
      ok: false,
      error: { code: 'INPUT_INVALID', message: expect.stringContaining(hint) },
    });
  });

  it.each(['write-value', 'constructor', '__proto__', 'read-values', ''])('know no tool %j', async (tool) => {
    expect(await tools.call(tool, {})).toMatchObject({ ok: false, error: { code: 'UNKNOWN_TOOL' } });
  });

  it('write every call into the audit, with how it ended', async () => {
    await tools.call('read-value', { machine: 'machine-12', point: 'temperature' });
    await tools.call('write-value', { value: 1 });
    const entries = await storage.audit.entries('tool.called', 100);
    expect(entries.slice(-2).map(({ detail }) => detail)).toEqual([
      { tool: 'read-value', arguments: { machine: 'machine-12', point: 'temperature' }, ok: true },
      { tool: 'write-value', arguments: { value: 1 }, ok: false, code: 'UNKNOWN_TOOL' },
    ]);
  });
});
