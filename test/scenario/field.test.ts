import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type DaemonProcess, startDaemon } from '../support/daemon-process.ts';
import { onePlant } from '../support/demo-site.ts';
import { eventually } from '../support/eventually.ts';
import { type PymodbusServer, startPymodbusServer } from '../support/pymodbus-server.ts';

const CONFIG = 'plant: [plant.yaml]\nmicrophone: { enabled: false }\nspeech: { enabled: false }';
const COMMAND = 'read the temperature of machine twelve';

const pointsSchema = z.object({
  points: z.array(
    z.looseObject({
      machine: z.string(),
      point: z.string(),
      quality: z.string(),
      value: z.number().optional(),
      boot_id: z.string(),
      seq: z.int(),
    }),
  ),
});
const historySchema = z.object({
  reports: z.array(
    z.looseObject({
      samples: z.int(),
      max: z.object({ value: z.number() }).optional(),
      min: z.object({ value: z.number() }).optional(),
    }),
  ),
});

describe('the values of a line', () => {
  let plc: PymodbusServer;
  let daemon: DaemonProcess;

  beforeEach(async () => {
    plc = await startPymodbusServer();
    await plc.set(1, 'holding', 10, 73);
    await plc.set(1, 'holding', 20, 4);
    daemon = await startDaemon(CONFIG, { plant: onePlant(plc.port) });
  });
  afterEach(async () => {
    await daemon.stop();
    await plc.stop();
  });

  const watched = async () => {
    const { stdout } = await daemon.command('plant', 'watch', '--once', '--json');
    return pointsSchema.parse(JSON.parse(stdout)).points;
  };
  const temperature = async () => (await watched()).find(({ point }) => point === 'temperature');
  const asked = async () => {
    const { stdout } = await daemon.command('history', 'machine-12', 'temperature', '--json');
    return historySchema.parse(JSON.parse(stdout)).reports[0];
  };

  it('are seen by plant watch with quality, boot and order, and change as the PLC does', async () => {
    await eventually('it is polled', async () => (await temperature())?.value === 73);
    const before = await temperature();
    await plc.set(1, 'holding', 10, 81);
    await eventually('the new value is seen', async () => (await temperature())?.value === 81);
    const after = await temperature();
    expect(after?.boot_id).toBe(before?.boot_id);
    expect(after?.seq).toBeGreaterThan(before?.seq ?? Number.POSITIVE_INFINITY);
  });

  it('are remembered: the highest and the lowest of today', async () => {
    for (const value of [81, 65, 70]) {
      await eventually('the last one is recorded', async () => (await asked())?.samples !== 0);
      await plc.set(1, 'holding', 10, value);
      await eventually('it is polled', async () => (await temperature())?.value === value);
    }
    expect(await asked()).toMatchObject({ max: { value: 81 }, min: { value: 65 } });
    const { stdout } = await daemon.command('history', 'machine-12', 'temperature');
    expect(stdout).toMatch(/maximum 81 degrees at \d{4}-/);
    const unknown = await daemon.command('history', 'machine-12', 'temprature');
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('Did you mean "temperature"?');
    const never = await daemon.command('history', 'machine-12', '--period', 'yesterdy');
    expect(never.stderr).toContain('Did you mean "yesterday"?');
  });

  it('are exported beside the conversation: whoever types reads later that the report is ready', async () => {
    await eventually('it is polled', async () => (await temperature())?.value === 73);
    const ask = async (text: string) => (await daemon.command('ask', text)).stdout.trim().split('\n');
    expect(await ask('what was the highest temperature of machine twelve today')).toHaveLength(1);
    expect(await ask('export that')).toHaveLength(1);
    let lines: readonly string[] = [];
    await eventually('it is told', async () => {
      lines = await ask(COMMAND);
      return lines.length > 1;
    });
    expect(lines[0]).toMatch(/^\(meanwhile\) The report is ready/u);
    expect(lines).toHaveLength(2);
  });

  it('are never said as numbers when the PLC has gone, but how old the last one is', async () => {
    await eventually('it is polled', async () => (await temperature())?.value === 73);
    await plc.stop();
    await eventually('it is stale', async () => (await temperature())?.quality === 'stale', 20_000);
    expect(await temperature()).not.toHaveProperty('value');
    const { stdout } = await daemon.command('ask', COMMAND);
    expect(stdout).toMatch(
      /^machine twelve does not answer\. The last value of temperature is [a-z -]+ seconds? old\.\n$/iu,
    );
    expect(stdout).not.toMatch(/73|seventy/);
    await plc.restart();
    await eventually('it is back', async () => (await temperature())?.value === 73, 20_000);
  });
});
