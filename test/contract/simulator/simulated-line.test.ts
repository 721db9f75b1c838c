import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SimulatedLine, type SimulatedLineOptions } from '../../../src/adapters/simulator/simulated-line.ts';
import { decodeRegisters } from '../../../src/domain/plc/decode.ts';
import type { PointRef } from '../../../src/domain/plc/point-ref.ts';
import { type Clocks, systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { mbpoll, type PymodbusRequest, pymodbus } from '../../support/modbus-peers.ts';
import { demoPlant, plantOf } from '../../support/plant-file.ts';
import { startReader } from '../../support/plc-reader.ts';

/** A clock that stands still, so that two peers read the same moment. */
function stillClocks(): Clocks {
  return { ...systemClocks(), monotonicMs: () => 0 };
}

describe('the simulated line', () => {
  const lines: SimulatedLine[] = [];

  const start = async (options: Partial<SimulatedLineOptions> = {}, clocks = stillClocks()) => {
    const dependencies = { logger: silentLogger(), clocks, scheduler: systemScheduler };
    const line = new SimulatedLine(
      { plant: demoPlant(), connection: 'line-1', port: 0, ...options },
      dependencies,
    );
    lines.push(line);
    await line.start(new AbortController().signal);
    const port = line.endpoint()?.port;
    if (port === undefined) throw new Error('the line has no port');
    return { line, port };
  };

  afterEach(async () => {
    for (const line of lines.splice(0)) await line.stop(1_000);
  });

  it('shows each machine under its unit id to mbpoll', async () => {
    const { port } = await start();
    const [temperature] = await mbpoll(port, 1, '4:float', 0, 1);
    expect(temperature).toBeGreaterThan(60);
    expect(temperature).toBeLessThan(76);
    const [speed] = await mbpoll(port, 3, '4', 0, 1);
    expect(speed).toBeGreaterThan(2_900);
    expect(speed).toBeLessThan(3_000);
    expect(await mbpoll(port, 3, '1', 0, 1)).toEqual([1]);
    expect(await mbpoll(port, 1, '0', 0, 1)).toEqual([1]);
  });

  it('shows pymodbus the same values as our own reader, in every type and order', async () => {
    const plant = demoPlant();
    const { port } = await start();
    const reader = await startReader(
      { plant, endpointOf: () => ({ host: '127.0.0.1', port }) },
      { logger: silentLogger(), clocks: systemClocks(), scheduler: systemScheduler },
    );
    // Noise is drawn anew for each request, so the values are pinned.
    const [line] = lines;
    for (const { ref, encoding } of plant.points())
      line?.hold(ref, encoding.type === 'bool' ? true : Math.round(encoding.scale * 1234 * 1000) / 1000);
    const points = plant.points();
    const readings = await reader.read(
      points.map(({ ref }) => ref),
      5_000,
    );
    await reader.stop();

    const unitOf = (ref: PointRef) => plant.device(plant.point(ref)?.device ?? '')?.unitId ?? -1;
    const answers = await pymodbus(
      port,
      ...points.map(
        ({ ref, table, address, count }): PymodbusRequest => [unitOf(ref), table, address, count],
      ),
    );
    for (const [index, { ref, table, encoding }] of points.entries()) {
      const words = z.array(z.int()).parse(answers[index]);
      const isBit = table === 'coil' || table === 'discrete_input';
      const seen = isBit ? { quality: 'good', value: words[0] === 1 } : decodeRegisters(words, encoding);
      expect(readings[index]).toMatchObject({ ref, ...seen });
      expect(readings[index]?.quality).toBe('good');
    }
  });

  it('refuses addresses where nothing is, units that are not there, and writes that the map does not allow', async () => {
    const { port } = await start();
    const reads = await pymodbus(
      port,
      [1, 'holding', 500, 1],
      [1, 'holding', 0, 100],
      [1, 'input', 1, 2],
      [1, 'coil', 5, 1],
      [99, 'holding', 0, 1],
    );
    expect(reads).toEqual([...Array(4).fill({ exception: 2 }), { exception: 11 }]);
    const writes = await pymodbus(
      port,
      [1, 'write_coil', 0, 1],
      [1, 'write_register', 2, 7],
      [1, 'write_registers', 2, 7],
    );
    expect(writes).toEqual(Array(3).fill({ exception: 2 }));
  });

  it('moves with time: an oven heats up', async () => {
    let nowMs = 0;
    const { port } = await start({}, { ...systemClocks(), monotonicMs: () => nowMs });
    const [cold] = await mbpoll(port, 4, '4', 100, 1);
    nowMs = 600_000;
    const [hot] = await mbpoll(port, 4, '4', 100, 1);
    expect(cold).toBeLessThan(1_520);
    expect(hot).toBeGreaterThan(2_100);
  });

  it('holds a point at a value until it is let go', async () => {
    const { line, port } = await start();
    expect(line.hold({ machine: 'machine-12', point: 'temperature' }, 95.5)).toBe(true);
    expect(await mbpoll(port, 1, '4:float', 0, 1)).toEqual([95.5]);
    line.hold({ machine: 'machine-12', point: 'temperature' }, undefined);
    expect((await mbpoll(port, 1, '4:float', 0, 1))[0]).toBeLessThan(80);
    expect(line.hold({ machine: 'machine-12', point: 'colour' }, 1)).toBe(false);
  });

  it('puts several bits of one register side by side', async () => {
    const bit = (name: string, number: number, value: boolean) =>
      `${name}: { names: { en: [${name}], zh: [${name}] }, register: holding, address: 7, bit: ${number}, type: bool, simulated: { behaviour: constant, value: ${value} } }`;
    const { port } = await start({
      plant: plantOf(`
connections: { line-1: { transport: tcp, host: 127.0.0.1 } }
devices:
  press-plc: { connection: line-1, unit_id: 9, address_base: 0 }
machines:
  press:
    names: { en: [press], zh: [压机] }
    device: press-plc
    points:
      ${bit('ready', 0, true)}
      ${bit('fault', 4, false)}
      ${bit('door', 15, true)}`),
    });
    expect(await pymodbus(port, [9, 'holding', 7, 1])).toEqual([[0x8001]]);
  });

  it('takes its time where a delay is set', async () => {
    const { port } = await start({ responseDelayMs: () => 150 });
    const startedAtMs = performance.now();
    await mbpoll(port, 1, '4', 2, 2);
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(145);
  });

  it('says which port is taken and what to do, and does not start', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(start({ port })).rejects.toMatchObject({
      name: 'EdgeError',
      code: 'SIMULATED_LINE_PORT',
      message: `port ${port} is already in use`,
      hint: expect.stringContaining('another port'),
    });
    expect(lines[0]?.health().status).toBe('off');
    other.close();
    await once(other, 'close');
  });

  it('does not start for a connection without simulated machines', async () => {
    await expect(start({ connection: 'line-2' })).rejects.toMatchObject({ code: 'SIMULATED_LINE_EMPTY' });
  });

  it('closes what its clients hold open when it stops, and can start again on its port', async () => {
    const { line, port } = await start();
    const client = connect(port, '127.0.0.1');
    await once(client, 'connect');
    const closed = once(client, 'close');
    client.resume();
    await line.stop(1_000);
    await closed;
    expect(line.health().status).toBe('off');
    const again = await start({ port });
    expect(again.port).toBe(port);
    expect(await mbpoll(port, 1, '0', 0, 1)).toEqual([1]);
  });
});
