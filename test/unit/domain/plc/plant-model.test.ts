import { describe, expect, it } from 'vitest';
import { demoPlant, plantOf } from '../../../support/plant-file.ts';

function plantFile(connection: string, machine: string, unit: string, pointKey = 'temperature'): string {
  return `
connections: { ${connection}: { transport: tcp, host: ${connection}.local } }
devices:
  ${connection}-plc: { connection: ${connection}, unit_id: 3, address_base: 1, byte_order: CDAB }
machines:
  ${machine}:
    names: { en: [${machine}, big ${machine}], zh: [${machine}] }
    device: ${connection}-plc
    points:
      ${pointKey}:
        names: { en: [temperature, ${machine} heat], zh: [温度] }
        register: holding
        address: 11
        type: float32
        unit: ${unit}
        decimals: 1
      status:
        names: { en: [status], zh: [状态] }
        register: coil
        address: 1
        type: bool
        enum: { 0: { en: stopped, zh: 停止 }, 1: { en: running, zh: 运行 } }`;
}

const oven = plantFile('line-1', 'oven', '{ en: degrees, zh: 度 }');
const press = plantFile('line-2', 'press', 'K');

describe('the model of a plant', () => {
  it('finds machines and points of every file', () => {
    const plant = plantOf(oven, press);
    expect([...plant.connections.keys()]).toEqual(['line-1', 'line-2']);
    expect(plant.device('line-2-plc')?.connection).toBe('line-2');
    expect(plant.point({ machine: 'oven', point: 'temperature' })).toMatchObject({
      table: 'holding',
      address: 10,
      count: 2,
      encoding: { type: 'float32', byteOrder: 'CDAB' },
    });
    expect(plant.point({ machine: 'oven', point: 'colour' })).toBeUndefined();
    expect(plant.machine('boat')).toBeUndefined();
  });

  it('takes over what a device and a point say of polling and history, and fills in the rest', () => {
    const plant = plantOf(`
connections: { line: { transport: tcp, host: a } }
devices:
  plain: { connection: line, unit_id: 1, address_base: 0, poll_interval_ms: 400 }
  told: { connection: line, unit_id: 2, address_base: 0, stale_after_ms: 7000, max_gap: 4, always_write_many: true }
machines:
  m:
    names: { en: [m], zh: [m] }
    device: plain
    points:
      a: { names: { en: [a], zh: [a] }, register: holding, address: 0, type: int16 }
      b:
        names: { en: [b], zh: [b] }
        device: told
        register: holding
        address: 0
        type: int16
        report: both
        report_period_ms: 5000
        deadband: 0.5`);
    expect(plant.device('plain')).toMatchObject({ pollIntervalMs: 400, staleAfterMs: 1200, maxGap: 0 });
    expect(plant.device('told')).toMatchObject({ staleAfterMs: 7000, maxGap: 4, alwaysWriteMany: true });
    const [a, b] = plant.points();
    expect(a?.report).toEqual({ when: 'on_change', periodMs: 60_000, deadband: 0 });
    expect(b).toMatchObject({
      device: 'told',
      report: { when: 'both', periodMs: 5000, deadband: 0.5 },
    });
  });

  it('lists machines by id with every name they have', () => {
    expect(plantOf(oven, press).machineList()).toEqual([
      { value: 'oven', spoken: { en: ['oven', 'big oven'], zh: ['oven'] } },
      { value: 'press', spoken: { en: ['press', 'big press'], zh: ['press'] } },
    ]);
  });

  it('lists each quantity once, with the names it has anywhere', () => {
    expect(plantOf(oven, press).quantityList()).toEqual([
      { value: 'temperature', spoken: { en: ['temperature', 'oven heat', 'press heat'], zh: ['温度'] } },
      { value: 'status', spoken: { en: ['status'], zh: ['状态'] } },
    ]);
  });

  it('knows its production lines, and of a machine in which it stands', () => {
    const plant = demoPlant();
    expect(plant.lineList()).toEqual([
      { value: 'line-1', spoken: { en: ['line one'], zh: ['一号线'] } },
      { value: 'line-2', spoken: { en: ['line two'], zh: ['二号线'] } },
    ]);
    expect(plant.machine('conveyor-2')?.line).toBe('line-2');
    expect(plantOf(oven).machine('oven')?.line).toBeUndefined();
  });

  it('takes a line that stands in two plant files under the same names, and refuses other names', () => {
    const line = (name: string) => `\nlines: { line-9: { names: { en: [${name}], zh: [九号线] } } }`;
    expect([...plantOf(oven + line('line nine'), press + line('line nine')).lines.keys()]).toEqual([
      'line-9',
    ]);
    expect(() => plantOf(oven + line('line nine'), press + line('the long line'))).toThrow(
      expect.objectContaining({ code: 'PLANT_CONFLICT', message: expect.stringContaining('line-9') }),
    );
  });

  it('says the first name, the unit and the digits of a point', () => {
    const plant = plantOf(oven, press);
    const ref = { machine: 'oven', point: 'temperature' };
    expect(plant.machineName('oven')).toEqual({ en: 'oven', zh: 'oven' });
    expect(plant.machineName('boat')).toEqual({ en: 'boat', zh: 'boat' });
    expect(plant.pointName(ref)).toEqual({ en: 'temperature', zh: '温度' });
    expect(plant.unit(ref)).toEqual({ en: 'degrees', zh: '度' });
    expect(plant.unit({ machine: 'press', point: 'temperature' })).toEqual({ en: 'K', zh: 'K' });
    expect(plant.decimals(ref)).toBe(1);
  });

  it('says what a value of an enum is called', () => {
    const plant = demoPlant();
    const coil = { machine: 'machine-12', point: 'mode' };
    expect(plant.enumText(coil, true)).toEqual({ en: 'running', zh: '运行' });
    expect(plant.enumText(coil, false)).toEqual({ en: 'stopped', zh: '停止' });
    expect(plant.enumText({ machine: 'pump-3', point: 'mode' }, 2)).toEqual({ en: 'fault', zh: '故障' });
    expect(plant.enumText({ machine: 'pump-3', point: 'mode' }, 9)).toBeUndefined();
    expect(plant.enumText({ machine: 'pump-3', point: 'flow' }, 1)).toBeUndefined();
  });

  it.each([
    ['one machine twice', oven, plantFile('line-2', 'oven', 'K'), 'machine called oven'],
    ['one connection twice', oven, plantFile('line-1', 'press', 'K'), 'connection called line-1'],
    ['one name for two keys', oven, plantFile('line-2', 'press', 'K', 'heat'), 'one name needs one key'],
  ])('refuses files that have %s', (_what, first, second, message) => {
    expect(() => plantOf(first, second)).toThrow(
      expect.objectContaining({ code: 'PLANT_CONFLICT', message: expect.stringContaining(message) }),
    );
  });
});
