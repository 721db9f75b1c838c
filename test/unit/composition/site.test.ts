import { describe, expect, it } from 'vitest';
import { loadSite } from '../../../src/composition/site.ts';
import { configSchema } from '../../../src/config/config-schema.ts';
import { EdgeError } from '../../../src/runtime/edge-error.ts';
import { demoPlant, plantOf } from '../../support/plant-file.ts';

interface Names {
  readonly en: string;
  readonly zh: string;
}

const load = (machine: Names, point: Names = { en: 'temperature', zh: '温度' }) =>
  loadSite(
    configSchema.parse({}),
    plantOf(`
connections:
  plc-1: { transport: tcp, host: 127.0.0.1, port: 502 }
devices:
  m-1-plc: { connection: plc-1, unit_id: 1, address_base: 0, byte_order: ABCD }
machines:
  m-1:
    names: { en: ["${machine.en}"], zh: ["${machine.zh}"] }
    device: m-1-plc
    points:
      p-1: { names: { en: ["${point.en}"], zh: ["${point.zh}"] }, register: holding, address: 1, type: int16, unit: bar }
`),
  );

function faultsOf(...names: Parameters<typeof load>): string {
  try {
    load(...names);
  } catch (error) {
    if (error instanceof EdgeError) return `${error.code} ${error.message}`;
    throw error;
  }
  return '';
}

describe('the names of a plant', () => {
  it('are taken when every command keeps its meaning', () => {
    expect(faultsOf({ en: 'emergency generator', zh: '应急发电机' })).toBe('');
    expect(() => loadSite(configSchema.parse({}), demoPlant())).not.toThrow();
  });

  it.each([
    ['a machine "emergency stop"', { en: 'emergency stop', zh: '一号泵' }, 'emergency stop'],
    ['a machine "急停"', { en: 'pump one', zh: '急停' }, '急停'],
    ['a machine "紧急停止"', { en: 'pump one', zh: '紧急停止' }, '紧急停止'],
    ['a machine "stop"', { en: 'stop', zh: '一号泵' }, 'stop'],
    ['a machine "停止"', { en: 'pump one', zh: '停止' }, '停止'],
    ['a machine "cancel"', { en: 'cancel', zh: '一号泵' }, 'cancel'],
    ['a machine "network"', { en: 'network', zh: '一号泵' }, 'check the network'],
    ['a machine "yes"', { en: 'yes', zh: '一号泵' }, 'yes'],
  ])('may not take a command away: %s', (_title, machine, sentence) => {
    const faults = faultsOf(machine);
    expect(faults).toMatch(/^CONFIG_INVALID machines\.m-1/u);
    expect(faults).toContain(`"${sentence}" would no longer mean`);
  });

  it.each([
    ['emergency, stop', { en: 'emergency', zh: '一号泵' }, { en: 'stop', zh: '压力' }, 'emergency stop'],
    ['紧急, 停止', { en: 'pump one', zh: '紧急' }, { en: 'pressure', zh: '停止' }, '紧急停止'],
  ])('may not take a command away together, machine and point: %s', (_title, machine, point, sentence) => {
    const faults = faultsOf(machine, point);
    expect(faults).toMatch(/^CONFIG_INVALID /u);
    expect(faults).toContain(`machines.m-1.points.p-1: "${sentence}" would no longer mean "emergency stop"`);
  });
});
