import { describe, expect, it } from 'vitest';
import { checkDeviceMap } from '../../../../../src/domain/plc/device-map-checks.ts';
import { deviceMapShape } from '../../../../../src/domain/plc/device-map-shape.ts';
import { PlantModel } from '../../../../../src/domain/plc/plant-model.ts';

const plantWith = (commands: unknown) =>
  deviceMapShape.parse({
    connections: { c: { transport: 'tcp', host: 'plc' } },
    devices: { d: { connection: 'c', unit_id: 1, address_base: 0 } },
    machines: {
      pump: {
        names: { en: ['pump'], zh: ['泵'] },
        device: 'd',
        commands,
        points: {
          switch: {
            names: { en: ['switch'], zh: ['按钮'] },
            register: 'coil',
            address: 1,
            type: 'bool',
            access: 'read_write',
            enum: { 0: { en: 'off', zh: '关闭' }, 1: { en: 'on', zh: '打开' } },
            write_risk: 'dangerous',
          },
          speed: {
            names: { en: ['speed'], zh: ['转速'] },
            register: 'holding',
            address: 1,
            type: 'uint16',
            access: 'read_write',
            write_min: 0,
            write_max: 100,
          },
          temperature: {
            names: { en: ['temperature'], zh: ['温度'] },
            register: 'holding',
            address: 2,
            type: 'uint16',
          },
        },
      },
    },
  });

const faultsOf = (commands: unknown) =>
  checkDeviceMap(plantWith(commands)).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('the commands of a machine', () => {
  it('write a text of an enum, a bit or a number within the limits of the point', () => {
    const commands = {
      start: { point: 'switch', value: 'on' },
      stop: { point: 'switch', value: false },
      reset: { point: 'speed', value: 50 },
    };
    expect(faultsOf(commands)).toEqual([]);
    const machine = new PlantModel([plantWith(commands)]).machine('pump');
    expect(machine?.commands.get('start')).toEqual({ point: 'switch', value: 'on' });
    expect(machine?.points.get('switch')?.writeRisk).toBe('dangerous');
    expect(machine?.points.get('speed')?.writeRisk).toBe('physical');
  });

  it.each([
    [
      { start: { point: 'swich', value: 'on' } },
      'machines.pump.commands.start.point: no point is called swich. Did you mean "switch"?',
    ],
    [
      { start: { point: 'temperature', value: 1 } },
      'machines.pump.commands.start.point: temperature has access: read, so nothing can be written',
    ],
    [
      { start: { point: 'switch', value: 'open' } },
      'machines.pump.commands.start.value: "open" is no text of the point\'s enum: off, 关闭, on, 打开. Did you mean "on"?',
    ],
    [{ start: { point: 'switch', value: 1 } }, 'machines.pump.commands.start.value: a bool does not take 1'],
    [
      { reset: { point: 'speed', value: 101 } },
      'machines.pump.commands.reset.value: 101 is above write_max 100',
    ],
  ])('are refused when they cannot be written: %j', (commands, fault) => {
    expect(faultsOf(commands)).toEqual([fault]);
  });

  it('are of a fixed list of words', () => {
    expect(() => plantWith({ explode: { point: 'switch', value: true } })).toThrow(/explode/u);
  });
});
