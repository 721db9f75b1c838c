import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { deviceMapSchema } from '../../../../../src/domain/plc/device-map.ts';
import { plantOf } from '../../../../support/plant-file.ts';

const spoken = (name: string) => `names: { en: [${name}], zh: [${name}] }`;

function file(condition: string, more = ''): string {
  return `
connections: { line: { transport: tcp, host: 10.0.0.7 } }
devices:
  plc: { connection: line, unit_id: 1, address_base: 0 }
machines:
  machine-12:
    ${spoken('machine twelve')}
    device: plc
    points:
      setpoint:
        ${spoken('setpoint')}
        register: holding
        address: 0
        type: uint16
        access: read_write
        write_when: [${JSON.stringify(condition)}]
      pressure: { ${spoken('pressure')}, register: holding, address: 1, type: uint16, scale: 0.1 }
      temperature: { ${spoken('temperature')}, register: holding, address: 2, type: float32 }
      mode:
        ${spoken('mode')}
        register: holding
        address: 4
        type: uint16
        enum: { 0: { en: stopped, zh: 停止 }, 1: { en: running, zh: 运行 } }
      submode:
        ${spoken('submode')}
        register: holding
        address: 5
        type: uint16
        enum: { 0: { en: manual, zh: 手动 } }
      guard: { ${spoken('guard')}, register: coil, address: 0, type: bool }
      door:
        ${spoken('door')}
        register: coil
        address: 1
        type: bool
        enum: { 0: { en: open, zh: 打开 }, 1: { en: shut, zh: 关闭 } }
      batch: { ${spoken('batch')}, register: holding, address: 10, type: string, length: 4 }
      command: { ${spoken('command')}, register: holding, address: 20, type: uint16, access: write }
${more}`;
}

const faultsOf = (condition: string): string[] => {
  const result = deviceMapSchema.safeParse(parse(file(condition)));
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.slice(-2).join('.')}: ${message}`);
};

describe('the conditions of a plant file', () => {
  it.each([
    'mode == "stopped" and pressure < 2',
    'mode == "停止" or "running" != mode',
    'guard and not door',
    'door == "shut" and guard == true',
    'machine-12.temperature > -5.5',
    'batch == "A7"',
    'mode == 1 or mode >= 1',
    'pressure * 2 - 1 <= temperature / 3',
    'pressure == 2.5',
    'mode == mode',
  ])('are accepted: %s', (condition) => {
    expect(faultsOf(condition)).toEqual([]);
  });

  it.each([
    ['presure < 2', 'column 1: machine-12 has no point presure. Did you mean "pressure"?'],
    ['guard and machine-12.mod == 1', 'column 11: machine-12 has no point mod. Did you mean "mode"?'],
    [
      'pressure-2 < 3',
      'column 1: machine-12 has no point pressure-2. For a subtraction put spaces around the -.',
    ],
    [
      'guard and mode == "stoped"',
      'column 19: machine-12.mode is never "stoped". Did you mean "stopped"? Its texts are stopped, 停止, running, 运行.',
    ],
    ['mode < "running"', 'column 6: < compares numbers; an enum text is equal or not: == or !='],
    [
      'pressure == "high"',
      'column 10: a number cannot be compared with a text: only a string point, or one with an enum, can be compared with a text',
    ],
    ['guard == 1', 'column 7: a boolean cannot be compared with a number'],
    ['guard < door', 'column 7: < compares numbers; a boolean is equal or not: == or !='],
    ['mode == submode', 'column 6: the two sides have different enums: compare each with a text'],
    [
      'temperature == 20',
      'column 13: a float is hardly ever exactly equal to anything: use < or > instead of ==',
    ],
    [
      '-temperature + 1 != pressure',
      'column 18: a float is hardly ever exactly equal to anything: use < or > instead of !=',
    ],
    ['pressure', 'column 1: a condition is true or false, this is a number: compare it'],
    ['guard + 1 > 2', 'column 1: + takes a number, this is a boolean'],
    ['pressure and guard', 'column 1: and takes a boolean, this is a number'],
    ['not pressure', 'column 5: not takes a boolean, this is a number'],
    ['-guard < 1', 'column 2: - takes a number, this is a boolean'],
    ['1 < 2', 'column 1: a condition without a point is always the same'],
    ['command == 0', 'column 1: machine-12.command has access: write and cannot be read for a condition'],
    ['pressure < 2 < 3', 'column 14: comparisons cannot be chained: write a < b and b < c'],
  ])('are refused when the file is read: %s', (condition, message) => {
    expect(faultsOf(condition)).toEqual([`write_when.0: ${message}`]);
  });

  const pump = `
connections: { line-2: { transport: tcp, host: 10.0.0.8 } }
devices: { plc-2: { connection: line-2, unit_id: 1, address_base: 0 } }
machines:
  pump-3:
    ${spoken('pump')}
    device: plc-2
    points: { flow: { ${spoken('flow')}, register: input, address: 0, type: uint16 } }`;

  it('may name a machine of another plant file, which is looked for when all files are together', () => {
    expect(faultsOf('pump-3.flow < 3')).toEqual([]);
    expect(() => plantOf(file('pump-3.flow < 3'), pump)).not.toThrow();
    expect(() => plantOf(file('pump-3.flow and guard'), pump)).toThrow(
      'column 1: and takes a boolean, this is a number',
    );
    expect(() => plantOf(file('pump-4.flow < 3'), pump)).toThrow(
      'machines.machine-12.points.setpoint.write_when.0: column 1: no machine is called pump-4. Did you mean "pump-3"?',
    );
    expect(() => plantOf(file('pump-3.flow < 3'))).toThrow('no machine is called pump-3.');
  });
});
