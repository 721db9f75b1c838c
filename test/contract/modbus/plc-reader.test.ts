import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlantModel } from '../../../src/domain/plc/plant-model.ts';
import type { KnownReading } from '../../../src/domain/plc/reading.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { plantOf } from '../../support/plant-file.ts';
import { type StartedReader, startReader } from '../../support/plc-reader.ts';
import { type PymodbusServer, startPymodbusServer } from '../../support/pymodbus-server.ts';

const DEADLINE_MS = 2_000;
const dependencies = { logger: silentLogger(), clocks: systemClocks(), scheduler: systemScheduler };

const names = (name: string) => `names: { en: [${name}], zh: [${name}] }`;

function plantAt(port: number, timeoutMs = 1_000): PlantModel {
  return plantOf(`
connections:
  line-1: { transport: tcp, host: 127.0.0.1, port: ${port}, timeout_ms: ${timeoutMs} }
devices:
  oven-plc: { connection: line-1, unit_id: 1, address_base: 0 }
  pump-plc: { connection: line-1, unit_id: 0, address_base: modicon, byte_order: CDAB }
  ghost-plc: { connection: line-1, unit_id: 77, address_base: 0 }
machines:
  oven:
    ${names('oven')}
    device: oven-plc
    points:
      temperature: { ${names('temperature')}, register: holding, address: 10, type: float32 }
      pressure: { ${names('pressure')}, register: holding, address: 12, type: int16, scale: 0.1 }
      flow: { ${names('flow')}, register: holding, address: 13, type: uint16, unavailable_values: [0xffff] }
      missing: { ${names('missing')}, register: holding, address: 14, type: uint16 }
      alarm: { ${names('alarm')}, register: input, address: 0, bit: 2, type: bool }
      ready: { ${names('ready')}, register: input, address: 0, bit: 3, type: bool }
      running: { ${names('running')}, register: coil, address: 9, type: bool }
      door: { ${names('door')}, register: discrete_input, address: 30, type: bool }
  pump:
    ${names('pump')}
    device: pump-plc
    points:
      speed: { ${names('speed')}, register: input, address: 30101, type: int32 }
  ghost:
    ${names('ghost')}
    device: ghost-plc
    points:
      speed: { ${names('speed')}, register: input, address: 0, type: uint16 }
`);
}

describe('the PLC reader against a server of another author', () => {
  let server: PymodbusServer;
  let reader: StartedReader;

  const start = async (timeoutMs?: number): Promise<void> => {
    reader = await startReader({ plant: plantAt(server.port, timeoutMs) }, dependencies);
  };
  const read = (machine: string, ...points: string[]): Promise<readonly KnownReading[]> =>
    reader.read(
      points.map((point) => ({ machine, point })),
      DEADLINE_MS,
    );

  beforeEach(async () => {
    server = await startPymodbusServer();
    // 23.25 as a float32 is 41BA 0000.
    await server.set(1, 'holding', 10, 0x41ba, 0x0000, 65_416, 1234);
    await server.set(1, 'input', 0, 0b0100);
    await server.set(1, 'coil', 9, 1);
    await server.set(1, 'discrete_input', 30, 0);
  });

  afterEach(async () => {
    await reader.stop();
    await server.stop();
  });

  it('reads every table of a device, in the order asked for', async () => {
    await start();
    const readings = await read(
      'oven',
      'running',
      'temperature',
      'door',
      'pressure',
      'alarm',
      'ready',
      'flow',
    );
    expect(
      readings.map((reading) => reading.quality === 'good' && [reading.ref.point, reading.value]),
    ).toEqual([
      ['running', true],
      ['temperature', 23.25],
      ['door', false],
      ['pressure', -12],
      ['alarm', true],
      ['ready', false],
      ['flow', 1234],
    ]);
  });

  it('reads unit 0 by modicon numbers with swapped words', async () => {
    await server.set(0, 'input', 100, 0xfffe, 0xffff);
    await start();
    expect(await read('pump', 'speed')).toMatchObject([{ quality: 'good', value: -2 }]);
  });

  it('sees a value that changed between two reads', async () => {
    await start();
    expect(await read('oven', 'flow')).toMatchObject([{ value: 1234 }]);
    await server.set(1, 'holding', 13, 77);
    expect(await read('oven', 'flow')).toMatchObject([{ value: 77 }]);
  });

  it('asks for points that touch in one request', async () => {
    await start();
    await read('oven', 'flow', 'temperature', 'pressure');
    expect(reader.health().figures).toMatchObject({ requests_total: 1 });
  });

  it('calls the value by which the device says "none" unavailable', async () => {
    await server.set(1, 'holding', 13, 0xffff);
    await start();
    expect(await read('oven', 'flow')).toMatchObject([{ quality: 'bad', reason: 'unavailable' }]);
  });

  it('names the exception of an address that the device does not have, and still reads its neighbours', async () => {
    await start();
    expect(await read('oven', 'flow', 'missing')).toMatchObject([
      { quality: 'good', value: 1234 },
      { quality: 'bad', reason: 'refused', detail: 'exception 2 (illegal data address)' },
    ]);
    expect(reader.health().status).toBe('ok');
  });

  it('says of a point that is not in the plant that it is unknown', async () => {
    await start();
    expect(await read('oven', 'colour')).toMatchObject([{ quality: 'bad', reason: 'unknown_point' }]);
    expect(await read('boat', 'speed')).toMatchObject([{ quality: 'bad', reason: 'unknown_point' }]);
  });

  it('gives up on a unit that never answers, and reads the others on', async () => {
    await start(200);
    const [ghost] = await read('ghost', 'speed');
    expect(ghost).toMatchObject({ quality: 'bad', reason: 'timeout' });
    expect(ghost?.quality === 'bad' && ghost.detail).toContain('unit 77');
    expect(await read('oven', 'flow')).toMatchObject([{ quality: 'good', value: 1234 }]);
    expect(reader.health()).toMatchObject({ status: 'degraded', detail: expect.stringContaining('unit 77') });
  });

  it('waits for a slow device, answering in 120 to 380 ms', async () => {
    await server.delay(120, 380);
    await start();
    for (let round = 0; round < 4; round += 1)
      expect(await read('oven', 'flow')).toMatchObject([{ quality: 'good', value: 1234 }]);
    expect(reader.health().figures).toMatchObject({ timeouts_total: 0, connects_total: 1 });
  });

  it('answers bad by the deadline when the device takes longer than the caller has', async () => {
    await server.delay(900);
    await start();
    const startedAtMs = performance.now();
    const readings = await reader.read([{ machine: 'oven', point: 'flow' }], 150);
    expect(readings).toMatchObject([{ quality: 'bad', reason: 'timeout' }]);
    expect(performance.now() - startedAtMs).toBeLessThan(700);
  });

  it('is unreachable during an outage and recovers by itself, without a request', async () => {
    await start();
    expect(await read('oven', 'flow')).toMatchObject([{ quality: 'good' }]);

    await server.stop();
    const refused = `no answer from 127.0.0.1:${server.port}: connection refused`;
    await eventually('the outage is noticed', () => reader.health().detail === refused);
    expect(reader.health().status).toBe('down');
    const startedAtMs = performance.now();
    expect(await read('oven', 'flow')).toMatchObject([{ quality: 'bad', reason: 'unreachable' }]);
    expect(performance.now() - startedAtMs).toBeLessThan(DEADLINE_MS);

    await server.restart();
    await eventually('the connection is back', () => reader.health().status === 'ok', 15_000);
    expect(await read('oven', 'flow')).toMatchObject([{ quality: 'good', value: 1234 }]);
  });

  it('reads at once after the PLC came back, whatever the next attempt in the background would be', async () => {
    await start();
    await server.stop();
    await eventually('the outage is noticed', () => reader.health().status === 'down');
    await server.restart();
    await eventually(
      'the read succeeds',
      async () => (await read('oven', 'flow'))[0]?.quality === 'good',
      1_000,
    );
  });

  it('starts before its PLC does', async () => {
    await server.stop();
    await start();
    await eventually('the first attempt has failed', () => reader.health().status === 'down');
    await server.restart();
    await eventually('it is connected', () => reader.health().status === 'ok', 15_000);
  });

  it('is off before its start and after its stop, and then reads nothing', async () => {
    await start();
    await reader.stop();
    expect(reader.health().status).toBe('off');
    expect(await read('oven', 'flow')).toMatchObject([{ quality: 'bad', reason: 'unreachable' }]);
  });
});
