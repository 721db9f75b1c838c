import { afterEach, describe, expect, it } from 'vitest';
import { decodeRecord } from '../../../src/domain/plc/log/decode-record.ts';
import { pymodbus } from '../../support/modbus-peers.ts';
import { demoPlant } from '../../support/plant-file.ts';
import { type StartedLine, startLine } from '../../support/simulated-line.ts';

const logOf = (machine: string) => {
  const log = demoPlant().machine(machine)?.logs.get('events');
  if (log === undefined) throw new Error('no log');
  return log;
};

describe('the event logs of the simulated line, seen by pymodbus', () => {
  let started: StartedLine | undefined;
  const start = async () => {
    started = await startLine();
    return started;
  };
  afterEach(() => started?.stop());

  it('machine 12 keeps a ring in its registers, with the temperature at which it tripped', async () => {
    const { line, port, pass } = await start();
    pass(300);
    line.fault({ name: 'overheat', target: 'machine-12' });
    pass(200);
    const [head, ...records] = await pymodbus(
      port,
      [1, 'holding', 99, 1],
      ...[0, 1, 2, 3, 4, 5].map((slot) => [1, 'holding', 100 + slot * 6, 6] as const),
    );
    const written = Array.isArray(head) ? (head[0] ?? 0) : 0;
    expect(written).toBeGreaterThanOrEqual(2);
    const decoded = records
      .slice(0, written)
      .map((words) => decodeRecord(Array.isArray(words) ? words : [], logOf('machine-12')));
    const trip = decoded.find(({ code }) => code === 3);
    expect(trip?.values['value']).toBeGreaterThan(95);
    expect(trip?.values['value']).toBeLessThan(96);
    expect(decoded.map(({ sequence }) => sequence)).toEqual(decoded.map((_, index) => index + 1));
  });

  it('oven 1 keeps its log in a file, and refuses others', async () => {
    const { port, pass } = await start();
    pass(1000);
    const [head, record] = await pymodbus(port, [4, 'holding', 130, 1], [4, 'file_4', 0, 8]);
    expect(head).toEqual([2]);
    expect(decodeRecord(Array.isArray(record) ? record : [], logOf('oven-1'))).toMatchObject({
      code: 8,
      sequence: 1,
      values: { value: 42 },
      badFields: [],
    });
    expect(await pymodbus(port, [4, 'file_5', 0, 8], [4, 'file_4', 1596, 8], [1, 'file_4', 0, 8])).toEqual(
      Array(3).fill({ exception: 2 }),
    );
  });

  it('fills at the rate that is asked for', async () => {
    const { line, port, pass } = await start();
    line.feedLog('machine-12', 50);
    pass(10);
    line.appendLog('machine-12', 7, 1.5);
    expect(await pymodbus(port, [1, 'holding', 99, 1], [1, 'holding', 100 + (500 % 64) * 6 + 3, 1])).toEqual([
      [501],
      [7],
    ]);
  });

  it('has clocks that a fault sets wrong, and records with them', async () => {
    const { line, port } = await start();
    const clock = async () => {
      const [words] = await pymodbus(port, [1, 'holding', 90, 2]);
      return Array.isArray(words) ? (words[0] ?? 0) * 65_536 + (words[1] ?? 0) : 0;
    };
    const right = await clock();
    expect(Math.abs(right - Date.now() / 1000)).toBeLessThan(30);
    line.fault({ name: 'clock', target: 'machine-12', offset_s: 90 });
    expect(await clock()).toBe(right + 90);
    line.clearFaults('clock');
    expect(await clock()).toBe(right);
  });
});
