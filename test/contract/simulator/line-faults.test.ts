import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { FaultRequest } from '../../../src/domain/plc/simulation/line-fault.ts';
import { eventually } from '../../support/eventually.ts';
import { mbpoll, pymodbus } from '../../support/modbus-peers.ts';
import { type StartedLine, startLine } from '../../support/simulated-line.ts';

describe('faults of the simulated line', () => {
  let started: StartedLine | undefined;
  const start = async (...faults: readonly FaultRequest[]) => {
    started = await startLine({ faults });
    return started;
  };
  afterEach(() => started?.stop());

  it('overheat: a pump grows hot over minutes, trips, and recovers when the fault is gone', async () => {
    const { line, port, pass } = await start();
    pass(300);
    expect((await mbpoll(port, 2, '3', 1, 1))[0]).toBeLessThan(450);
    line.fault({ name: 'overheat', target: 'pump-3' });
    pass(60);
    const [warm = 0] = await mbpoll(port, 2, '3', 1, 1);
    expect(warm).toBeGreaterThan(500);
    expect(await mbpoll(port, 2, '4', 9, 1)).toEqual([1]);
    pass(400);
    expect((await mbpoll(port, 2, '3', 1, 1))[0]).toBeGreaterThan(700);
    expect(await mbpoll(port, 2, '4', 9, 1)).toEqual([2]);
    expect(line.machines().find(({ machine }) => machine === 'pump-3')).toMatchObject({
      state: 'fault',
      faults: [{ name: 'overheat', target: 'pump-3' }],
    });
    line.clearFaults();
    pass(600);
    expect(await mbpoll(port, 2, '4', 9, 1)).toEqual([1]);
  });

  it('jam: a conveyor counts no more and draws current', async () => {
    const { line, port, pass } = await start();
    pass(60);
    line.fault({ name: 'jam', target: 'conveyor-2', for_ms: 60_000 });
    pass(30);
    const [first] = await pymodbus(port, [5, 'input', 20, 2]);
    pass(29);
    expect(await pymodbus(port, [5, 'input', 20, 2])).toEqual([first]);
    expect((await mbpoll(port, 5, '3', 11, 1))[0]).toBeGreaterThan(900);
    pass(60);
    expect(await pymodbus(port, [5, 'input', 20, 2])).not.toEqual([first]);
    expect(line.faults()).toEqual([]);
  });

  it('stuck: a sensor shows one value for ever, its neighbours do not', async () => {
    const { port, pass } = await start({ name: 'stuck', target: 'machine-12.temperature' });
    const read = () => pymodbus(port, [1, 'holding', 0, 4]);
    const [before] = await read();
    pass(500);
    const [after] = await read();
    if (!Array.isArray(before) || !Array.isArray(after)) throw new Error('refused');
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after.slice(2)).not.toEqual(before.slice(2));
  });

  it('dead: one device does not answer, the others do', async () => {
    const { port } = await start({ name: 'dead', target: 'motor-a' });
    const [dead] = await pymodbus(port, [3, 'holding', 0, 1]);
    expect(dead).toMatchObject({ failed: expect.stringContaining('No response') });
    expect(await mbpoll(port, 2, '4', 9, 1)).toEqual([1]);
  });

  it('slow: a device takes its time', async () => {
    const { port } = await start({ name: 'slow', target: 'motor-a', delay_ms: 380 });
    const startedAtMs = performance.now();
    await mbpoll(port, 3, '4', 0, 1);
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(375);
  });

  it('illegal: a range of registers, or those of a point, are refused', async () => {
    const { line, port } = await start({ name: 'illegal', target: 'machine-12', registers: 'holding:2-3' });
    expect(await pymodbus(port, [1, 'holding', 0, 2], [1, 'holding', 0, 4], [1, 'input', 0, 1])).toEqual([
      [expect.any(Number), expect.any(Number)],
      { exception: 2 },
      [expect.any(Number)],
    ]);
    line.clearFaults('illegal');
    line.fault({ name: 'illegal', target: 'machine-12.current' });
    expect(await pymodbus(port, [1, 'holding', 0, 4], [1, 'input', 0, 1])).toEqual([
      expect.any(Array),
      { exception: 2 },
    ]);
  });

  it('busy: a device answers exception 6, now and then where a share is given', async () => {
    const { line, port } = await start({ name: 'busy', target: 'plc-motor-a' });
    expect(await pymodbus(port, [3, 'holding', 0, 1])).toEqual([{ exception: 6 }]);
    line.fault({ name: 'busy', target: 'plc-motor-a', share: 0.5 });
    const answers = await pymodbus(port, ...Array.from({ length: 20 }, () => [3, 'holding', 0, 1] as const));
    const busy = answers.filter((answer) => !Array.isArray(answer)).length;
    expect(busy).toBeGreaterThan(3);
    expect(busy).toBeLessThan(17);
  });

  it('fewer: a device refuses to read many registers at once', async () => {
    const { port } = await start({ name: 'fewer', target: 'tank-b', most: 3 });
    expect(await pymodbus(port, [6, 'holding', 0, 3], [6, 'holding', 0, 4])).toEqual([
      expect.any(Array),
      { exception: 3 },
    ]);
  });

  it('noise: no wrong value comes of it', async () => {
    for (const kind of ['garbage', 'garbled'] as const) {
      const { line, port } = await start({ name: 'noise', target: 'oven-1', kind, share: 1 });
      line.hold({ machine: 'oven-1', point: 'temperature' }, 218);
      const [answer] = await pymodbus(port, [4, 'holding', 100, 1]);
      expect(answer, kind).toMatchObject({ failed: expect.any(String) });
      await line.stop(100);
    }
  });

  it('closes: the connection ends with each answer', async () => {
    const { line, port } = await start({ name: 'closes', target: 'oven-1' });
    line.hold({ machine: 'oven-1', point: 'temperature' }, 218);
    expect(await mbpoll(port, 4, '4', 100, 1)).toEqual([2180]);
    await eventually('it is closed', () => line.health().figures?.['open_connections'] === 0);
  });

  it.each([
    ['hang up as well', false],
    ['never hang up', true],
  ])(
    'closes: the line still has room after 200 connections whose peers %s',
    async (_, allowHalfOpen) => {
      const { line, port } = await start({ name: 'closes', target: 'oven-1' });
      const request = Buffer.from('000100000006040300640001', 'hex');
      const sockets: Socket[] = [];
      try {
        for (let opened = 0; opened < 200; opened += 50) {
          for (let each = 0; each < 50; each += 1) {
            const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
            sockets.push(socket);
            socket.resume();
            socket.write(request);
            await once(socket, 'end');
          }
          await eventually('all have gone', () => line.health().figures?.['open_connections'] === 0);
        }
      } finally {
        for (const socket of sockets) socket.destroy();
      }
      expect(await mbpoll(port, 2, '4', 9, 1)).toEqual([1]);
    },
    30_000,
  );

  it.each([
    [{ name: 'overheet', target: 'machine-12' }, 'no fault is called "overheet". Did you mean "overheat"?'],
    [{ name: 'jam', target: 'conveyr-2' }, 'no machine is called "conveyr-2". Did you mean "conveyor-2"?'],
    [{ name: 'jam', target: 'oven-7' }, 'Did you mean "oven-1"?'],
    [{ name: 'overheat', target: 'conveyor-2' }, 'conveyor-2 has no point that a fault overheat changes'],
    [{ name: 'stuck', target: 'oven-1.temprature' }, 'Did you mean "temperature"?'],
    [{ name: 'stuck', target: 'oven-1' }, 'say which sensor of oven-1, such as oven-1.temperature'],
    [{ name: 'dead', target: 'plc-motor' }, 'Did you mean "plc-motor-a"?'],
    [{ name: 'dead', target: 'motor-a', delay_ms: 5 }, 'delay goes with the fault slow, not with dead'],
    [{ name: 'illegal', target: 'motor-a', registers: 'holdings:1-2' }, 'Did you mean "holding"?'],
    [{ name: 'illegal', target: 'motor-a', registers: 'holding:9-2' }, 'is no range of registers'],
  ])('%o is asked for wrongly', async (request, message) => {
    const { line } = await start();
    expect(() => line.fault(request)).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(message) }),
    );
    expect(line.faults()).toEqual([]);
  });
});
