import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { deviceMapSchema } from '../../../../src/domain/plc/device-map.ts';
import { demoPlant } from '../../../support/plant-file.ts';

interface Change {
  connections?: string;
  device?: string;
  devices?: string;
  points?: readonly string[];
  more?: string;
}

const spoken = (name: string) => `names: { en: [${name}], zh: [${name}] }`;
const point = (key: string, settings: string, name = key) => `${key}: { ${spoken(name)}, ${settings} }`;

/** The issues of a small plant file that is sound but for the change, as "path: message". */
function issuesOf({ connections, device, devices, points, more }: Change): string[] {
  const text = `
connections:
  line-1: ${connections ?? '{ transport: tcp, host: 10.0.0.7 }'}
devices:
  plc: { connection: line-1, unit_id: 1, ${device ?? 'address_base: 0'} }
${devices ?? ''}
machines:
  pump:
    ${spoken('pump')}
    device: plc
    points:
${(points ?? [point('speed', 'register: holding, address: 0, type: uint16')]).map((line) => `      ${line}`).join('\n')}
${more ?? ''}`;
  const result = deviceMapSchema.safeParse(parse(text));
  return result.success
    ? []
    : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

describe('a plant file', () => {
  it('is accepted with only what it must say, and fills in the rest', () => {
    const map = deviceMapSchema.parse(
      parse(`
connections: { line-1: { transport: tcp, host: plc-7.local } }
devices: { plc: { connection: line-1, unit_id: 0, address_base: 1 } }
machines:
  pump:
    names: { en: [pump], zh: [泵] }
    device: plc
    points: { speed: { names: { en: [speed], zh: [转速] }, register: input, address: 1, type: uint16 } }`),
    );
    expect(map.connections['line-1']).toEqual({
      transport: 'tcp',
      host: 'plc-7.local',
      port: 502,
      timeout_ms: 1_000,
      pause_after_connect_ms: 0,
      pause_between_requests_ms: 0,
      close_after_cycle: false,
      busy_retries: 3,
    });
    expect(map.devices['plc']).toMatchObject({
      byte_order: 'ABCD',
      max_registers_per_request: 125,
      max_gap: 0,
      poll_interval_ms: 1_000,
    });
    expect(map.machines['pump']?.points['speed']?.access).toBe('read');
  });

  it('describes the demo line without an issue', () => {
    expect(demoPlant().machines.size).toBe(6);
  });

  it('refuses keys it does not know, naming where', () => {
    expect(issuesOf({ connections: '{ transport: tcp, host: a, retries: 3 }' })).toEqual([
      'connections.line-1: Unrecognized key: "retries"',
    ]);
    expect(
      issuesOf({ points: [point('speed', 'register: input, address: 0, type: uint16, unitt: bar')] }),
    ).toEqual(['machines.pump.points.speed: Unrecognized key: "unitt"']);
  });

  it('refuses what is not supported', () => {
    expect(issuesOf({ connections: '{ transport: udp, host: a }' })).toHaveLength(1);
    expect(issuesOf({ connections: '{ transport: rtu, host: a }' })).not.toEqual([]);
    expect(
      issuesOf({ points: [point('speed', 'register: input, address: 0, type: uint16, access: write')] }),
    ).toEqual(['machines.pump.points.speed.access: an input cannot be written: only coil and holding can']);
  });

  it.each(['http://plc', '10.0.0.7:502', '', 'two words'])('refuses "%s" as a host', (host) => {
    expect(issuesOf({ connections: `{ transport: tcp, host: "${host}" }` })[0]).toMatch(
      /^connections\.line-1\.host: /,
    );
  });

  it.each(['10.0.0.7', 'plc-7.local', '::1', 'fe80::1'])('takes "%s" as a host', (host) => {
    expect(issuesOf({ connections: `{ transport: tcp, host: "${host}" }` })).toEqual([]);
  });

  it('needs address_base: nobody can guess how a manual counts', () => {
    expect(issuesOf({ device: 'byte_order: ABCD' })[0]).toMatch(/^devices\.plc\.address_base: /);
  });

  it('names the nearest connection for one that is unknown', () => {
    const devices = '  oven-plc: { connection: lime-1, unit_id: 2, address_base: 0 }';
    expect(issuesOf({ devices })).toEqual([
      'devices.oven-plc.connection: no connection is called lime-1; did you mean line-1?',
    ]);
  });

  it('names the nearest line for one that is unknown', () => {
    const more = `    line: lime-2
lines:
  line-1: { ${spoken('line one')} }
  line-2: { ${spoken('line two')} }`;
    expect(issuesOf({ more })).toEqual([
      'machines.pump.line: no line is called lime-2; did you mean line-2?',
    ]);
    expect(issuesOf({ more: more.replace('lime', 'line') })).toEqual([]);
    expect(issuesOf({ more: '    line: line-2' })).toEqual([
      'machines.pump.line: no line is called line-2; there are none',
    ]);
  });

  describe('addresses', () => {
    it.each([
      ['address_base: 0', 'register: holding, address: 65536, type: uint16', 'outside 0 to 65535'],
      ['address_base: 1', 'register: holding, address: 0, type: uint16', 'outside 1 to 65536'],
      ['address_base: 0', 'register: holding, address: 65535, type: uint32', 'over the last address'],
      [
        'address_base: modicon',
        'register: input, address: 40001, type: uint16',
        'is a number of register holding',
      ],
      ['address_base: modicon', 'register: holding, address: 0, type: uint16', '40001 to 49999'],
      ['address_base: modicon', 'register: coil, address: 10001, type: bool', 'register discrete_input'],
    ])('with %s refuses %s', (device, settings, message) => {
      const issues = issuesOf({ device, points: [point('speed', settings)] });
      expect(issues).toHaveLength(1);
      expect(issues[0]).toMatch(/^machines\.pump\.points\.speed\.address: /);
      expect(issues[0]).toContain(message);
    });

    it('may not overlap on one device, not even from two machines', () => {
      const more = `
  oven:
    ${spoken('oven')}
    device: same-plc
    points:
      ${point('level', 'register: holding, address: 40002, type: uint16')}`;
      const points = [point('speed', 'register: holding, address: 0, type: float32')];
      const devices = '  same-plc: { connection: line-1, unit_id: 1, address_base: modicon }';
      expect(issuesOf({ points, more, devices })).toEqual([
        'machines.oven.points.level.address: address 40002 is already part of speed of pump',
      ]);
    });

    it('may be the same in different tables and units', () => {
      const points = [
        point('speed', 'register: holding, address: 0, type: uint16'),
        point('level', 'register: input, address: 0, type: uint16'),
        point('ready', 'register: coil, address: 0, type: bool'),
        point('fault', 'register: discrete_input, address: 0, type: bool'),
      ];
      expect(issuesOf({ points })).toEqual([]);
    });

    it('may be shared by different bits, and by nothing else', () => {
      const bit = (key: string, number: number) =>
        point(key, `register: holding, address: 4, bit: ${number}, type: bool`);
      expect(issuesOf({ points: [bit('ready', 0), bit('fault', 15)] })).toEqual([]);
      expect(issuesOf({ points: [bit('ready', 3), bit('fault', 3)] })).toEqual([
        'machines.pump.points.fault.address: address 4 is already part of ready of pump',
      ]);
      const word = point('word', 'register: holding, address: 4, type: uint16');
      expect(issuesOf({ points: [bit('ready', 0), bit('fault', 1), word] })).toHaveLength(1);
    });
  });

  it.each([
    ['type', 'register: coil, address: 0, type: uint16'],
    ['bit', 'register: coil, address: 0, type: bool, bit: 1'],
    ['type', 'register: holding, address: 0, type: bool'],
    ['bit', 'register: holding, address: 0, type: uint16, bit: 1'],
    ['bit', 'register: holding, address: 0, type: bool, bit: 16'],
    ['type', 'register: holding, address: 0, type: string'],
    ['length', 'register: holding, address: 0, type: uint16, length: 2'],
    ['length', 'register: holding, address: 0, type: bcd, length: 4'],
    ['scale', 'register: holding, address: 0, type: string, length: 4, scale: 2'],
    ['scale', 'register: holding, address: 0, type: uint16, scale: 0'],
    ['unavailable_values', 'register: coil, address: 0, type: bool, unavailable_values: [1]'],
    ['byte_order', 'register: coil, address: 0, type: bool, byte_order: CDAB'],
    ['unavailable_values.0', 'register: holding, address: 0, type: uint16, unavailable_values: [65536]'],
    [
      'unavailable_values.1',
      'register: holding, address: 0, type: int16, unavailable_values: [-32768, 65536]',
    ],
    ['unavailable_values.0', 'register: holding, address: 0, type: int16, unavailable_values: [-3276.8]'],
    ['unavailable_values.0', 'register: holding, address: 0, type: bcd, unavailable_values: [10000]'],
    ['length', 'register: holding, address: 0, type: string, length: 125, access: read_write'],
    ['enum.01', 'register: holding, address: 0, type: uint16, enum: { "01": { en: on, zh: 开 } }'],
    ['enum', 'register: holding, address: 0, type: float32, enum: { 1: { en: on, zh: 开 } }'],
    ['enum.2', 'register: coil, address: 0, type: bool, enum: { 2: { en: on, zh: 开 } }'],
    ['enum.70000', 'register: holding, address: 0, type: uint16, enum: { 70000: { en: on, zh: 开 } }'],
    ['scale', 'register: holding, address: 0, type: uint16, scale: 2, enum: { 1: { en: on, zh: 开 } }'],
    [
      'simulated.mean',
      'register: holding, address: 0, type: int16, scale: 0.1, simulated: { behaviour: process, mean: 9000 }',
    ],
    [
      'simulated.value',
      'register: coil, address: 0, type: bool, simulated: { behaviour: constant, value: 3 }',
    ],
  ])('refuses a contradiction at %s: %s', (path, settings) => {
    const issues = issuesOf({ points: [point('speed', settings)] });
    expect(issues).toHaveLength(1);
    expect(issues[0]).toContain(`machines.pump.points.speed.${path}: `);
  });

  it.each([
    'register: holding, address: 0, type: int16, unavailable_values: [-32768, 0x8000]',
    'register: holding, address: 0, type: uint16, unavailable_values: [0xFFFF]',
    'register: holding, address: 0, type: int32, unavailable_values: [0x80000000, -2147483648]',
    'register: holding, address: 0, type: uint64, unavailable_values: [0xFFFFFFFFFFFFFFFF]',
    'register: holding, address: 0, type: float32, unavailable_values: [-9999.5]',
    'register: holding, address: 0, type: string, length: 125',
    'register: holding, address: 0, type: string, length: 123, access: write',
  ])('takes %s', (settings) => {
    expect(issuesOf({ points: [point('speed', settings)] })).toEqual([]);
  });

  it("checks a point against its own device and not its machine's", () => {
    const devices =
      '  meter: { connection: line-1, unit_id: 2, address_base: modicon, max_registers_per_request: 2, forbidden_ranges: [{ register: input, first: 30010, last: 30012 }] }';
    const inMeter = (settings: string) =>
      issuesOf({ devices, points: [point('power', `device: meter, ${settings}`)] });
    expect(inMeter('register: input, address: 30001, type: float32')).toEqual([]);
    expect(inMeter('register: input, address: 1, type: float32')[0]).toContain('30001 to 39999');
    expect(inMeter('register: input, address: 30001, type: float64')[0]).toContain(
      'max_registers_per_request 2',
    );
    expect(inMeter('register: input, address: 30009, type: float32')).toEqual([
      'machines.pump.points.power.address: address 30009 lies in a forbidden range of device meter',
    ]);
    expect(inMeter('register: holding, address: 40010, type: uint16')).toEqual([]);
    expect(
      issuesOf({ points: [point('power', 'device: metre, register: input, address: 0, type: int16')] }),
    ).toEqual(['machines.pump.points.power.device: no device is called metre; did you mean plc?']);
  });

  it('refuses a value that its device cannot give at once', () => {
    const device = 'address_base: 0, max_registers_per_request: 2';
    const points = [point('speed', 'register: holding, address: 0, type: float64')];
    expect(issuesOf({ device, points })[0]).toContain('max_registers_per_request 2');
  });

  describe('spoken names', () => {
    it('may not be used twice within a machine, however they are written', () => {
      const points = [
        point('speed', 'register: holding, address: 0, type: uint16', 'Motor speed'),
        point('rate', 'register: holding, address: 1, type: uint16', 'motor  speed'),
      ];
      expect(issuesOf({ points })).toEqual([
        'machines.pump.points.rate.names.en.0: "motor  speed" is already a name of speed',
        'machines.pump.points.rate.names.zh.0: "motor  speed" is already a name of speed',
      ]);
    });

    it('belong to one key all over the plant', () => {
      const more = `
  oven:
    ${spoken('oven')}
    device: oven-plc
    points:
      ${point('velocity', 'register: holding, address: 0, type: uint16', 'speed')}`;
      const devices = '  oven-plc: { connection: line-1, unit_id: 2, address_base: 0 }';
      expect(issuesOf({ more, devices })[0]).toBe(
        'machines.oven.points.velocity.names.en.0: "speed" names the point speed of pump: one name needs one key, call this point speed too',
      );
    });

    it('of machines may be shared: the session asks which one is meant', () => {
      const more = `
  pump-2:
    ${spoken('pump')}
    device: plc
    points: {}`;
      expect(issuesOf({ more })).toEqual([]);
    });

    it('are needed in every language', () => {
      expect(
        issuesOf({
          points: ['speed: { names: { en: [speed] }, register: input, address: 0, type: uint16 }'],
        })[0],
      ).toMatch(/^machines\.pump\.points\.speed\.names\.zh: /);
    });
  });

  it.each(['__proto__', 'constructor'])('refuses %s as an id, which would vanish', (id) => {
    const other = id === '__proto__' ? 'proto-1' : 'constructor-1';
    const message = `"${id}" is a word of the program's own: use another, such as ${other}`;
    expect(issuesOf({ points: [point(id, 'register: holding, address: 0, type: uint16')] })).toContain(
      `machines.pump.points.${id}: ${message}`,
    );
    expect(issuesOf({ more: `  ${id}: { ${spoken('mill')}, device: plc, points: {} }` })).toContain(
      `machines.${id}: ${message}`,
    );
    expect(issuesOf({ devices: `  ${id}: { connection: line-1, unit_id: 2, address_base: 0 }` })).toContain(
      `devices.${id}: ${message}`,
    );
  });
});
