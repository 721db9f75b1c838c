import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/config/load-yaml.ts';
import { deviceMapSchema } from '../../../src/domain/plc/device-map.ts';
import { isEdgeError } from '../../../src/runtime/edge-error.ts';

function faultsOf(text: string): string[] {
  try {
    parseYaml(text, 'p.yaml', deviceMapSchema, {});
  } catch (error) {
    if (isEdgeError(error, 'CONFIG_INVALID')) return error.message.split('\n');
    throw error;
  }
  return [];
}

/** A sound plant file but for its one connection, device and point; each is on a line of its own: 3, 6 and 12. */
function plantFile(change: { connection?: string; device?: string; point?: string }): string {
  return `# a plant
connections:
  line: ${change.connection ?? '{ transport: tcp, host: plc }'}

devices:
  plc: ${change.device ?? '{ connection: line, unit_id: 1, address_base: 0 }'}

machines:
  pump:
    names: { en: [pump], zh: [泵] }
    device: plc
    points: { speed: ${change.point ?? pointOf('address: 0, type: uint16')} }
`;
}

const pointOf = (settings: string) =>
  `{ names: { en: [speed], zh: [转速] }, register: holding, ${settings} }`;

describe('a fault in a plant file says where, what and how to mend it', () => {
  it('and a sound file has none', () => {
    expect(faultsOf(plantFile({}))).toEqual([]);
  });

  it.each<[string, string]>([
    [
      '{ transport: modbus, host: a }',
      '3:22 connections.line.transport: one of tcp, rtu_over_tcp, rtu, not "modbus". Modbus TCP is "tcp", Modbus RTU on a serial port "rtu".',
    ],
    [
      '{ transport: tpc, host: a }',
      '3:22 connections.line.transport: one of tcp, rtu_over_tcp, rtu, not "tpc". Did you mean "tcp"?',
    ],
    [
      '{ transport: serial, host: a }',
      '3:22 connections.line.transport: one of tcp, rtu_over_tcp, rtu, not "serial". That is "rtu" here.',
    ],
    ['{ host: a }', '3:9 connections.line.transport: is missing: one of tcp, rtu_over_tcp, rtu'],
    [
      '{ transport: tcp, host: a, timout_ms: 100 }',
      '3:36 connections.line.timout_ms: unknown key. Did you mean "timeout_ms"?',
    ],
    [
      '{ transport: tcp, host: a, baud_rate: 9600 }',
      '3:36 connections.line.baud_rate: goes with transport: rtu only',
    ],
    [
      '{ transport: tcp, host: "10.0.0.7:502" }',
      '3:33 connections.line.host: a host name or an address alone; the port has a key of its own',
    ],
    [
      '{ transport: tcp, host: 192.168.0.300 }',
      '3:33 connections.line.host: an IPv4 address has four numbers from 0 to 255, such as 192.168.0.10',
    ],
    ['{ transport: tcp, ip: a, host: a }', '3:27 connections.line.ip: unknown key. Did you mean "host"?'],
    [
      '{ transport: tcp, host: a, port: "502" }',
      '3:42 connections.line.port: a whole number, not "502"; leave the quotes out: 502',
    ],
    [
      '{ transport: tcp, host: a, port: 70000 }',
      '3:42 connections.line.port: a whole number from 1 to 65535, not 70000',
    ],
    [
      '{ transport: tcp, host: a, close_after_cycle: yes }',
      '3:55 connections.line.close_after_cycle: true or false, not "yes"; write true',
    ],
    [
      '{ transport: rtu, serial_path: COM3 }',
      '3:40 connections.line.serial_path: the path of a serial port, such as /dev/serial/by-id/…',
    ],
    [
      '{ transport: rtu, serial_path: /dev/x, parity: E }',
      '3:56 connections.line.parity: one of none, even, odd, not "E".',
    ],
    ['plc-7', '3:9 connections.line: a section of "key: value" lines, not "plc-7"'],
    ['', '3:9 connections.line: is empty: a section of "key: value" lines'],
  ])('in a connection: %s', (connection, fault) => {
    expect(faultsOf(plantFile({ connection }))).toEqual([`p.yaml:${fault}`]);
  });

  it.each<[string, string]>([
    ['{ connection: line, unit_id: 1 }', '6:8 devices.plc.address_base: is missing: one of 0, 1, modicon'],
    [
      '{ connection: lime, unit_id: 1, address_base: 0 }',
      '6:22 devices.plc.connection: no connection is called lime; did you mean line?',
    ],
    [
      '{ connection: line, unit_id: 300, address_base: 0 }',
      '6:37 devices.plc.unit_id: a whole number from 0 to 255, not 300',
    ],
    [
      '{ connection: line, unit_id: 1, address_base: 40001 }',
      '6:54 devices.plc.address_base: one of 0, 1, modicon, not 40001.',
    ],
    [
      '{ connection: line, unit_id: 1, address_base: 0, byte_order: 3412 }',
      '6:69 devices.plc.byte_order: one of ABCD, CDAB, BADC, DCBA, not 3412. That is "CDAB" here.',
    ],
    [
      '{ connection: line, unit: 7, unit_id: 7, address_base: 0 }',
      '6:28 devices.plc.unit: unknown key. Did you mean "unit_id"?',
    ],
    ...['little', 'big'].map((word): [string, string] => [
      `{ connection: line, unit_id: 1, address_base: 0, byte_order: ${word} }`,
      `6:69 devices.plc.byte_order: one of ABCD, CDAB, BADC, DCBA, not "${word}". Big-endian is "ABCD", little-endian "DCBA"; "word swapped" (the low register first) is "CDAB".`,
    ]),
    [
      '{ connection: line, unit_id: 1, address_base: 0, byte_order: cdab }',
      '6:69 devices.plc.byte_order: one of ABCD, CDAB, BADC, DCBA, not "cdab". Did you mean "CDAB"?',
    ],
    [
      '{ connection: line, unit_id: 1, address_base: 0, stale_after_ms: 500 }',
      '6:73 devices.plc.stale_after_ms: every value would be stale before the next poll: give more than poll_interval_ms (1000)',
    ],
  ])('in a device: %s', (device, fault) => {
    expect(faultsOf(plantFile({ device }))).toEqual([`p.yaml:${fault}`]);
  });

  it.each<[string, string]>([
    ['address: 40001a, type: uint16', 'address: a whole number, not "40001a"'],
    ['address: 1.5, type: uint16', 'address: a whole number, not 1.5'],
    ['address: -1, type: uint16', 'address: a whole number from 0 on, not -1'],
    ['type: uint16', 'address: is missing: a whole number'],
    ['adress: 1, address: 1, type: uint16', 'adress: unknown key. Did you mean "address"?'],
    [
      'address: 1, type: REAL',
      'type: one of bool, int16, uint16, int32, uint32, int64, uint64, float32, float64, string, bcd, not "REAL". That is "float32" here.',
    ],
    [
      'address: 1, type: flot32',
      'type: one of bool, int16, uint16, int32, uint32, int64, uint64, float32, float64, string, bcd, not "flot32". Did you mean "float32"?',
    ],
    ['address: 1, type: uint16, scale: "0,1"', 'scale: a number, not "0,1"; decimals take a point: 0.1'],
    ['address: 1, type: uint16, scale: 1,5', '5: unknown key; decimals take a point and not a comma: 0.1'],
    ['address: 1, type: uint16, unit: 5', 'unit: a text, or a section with en, zh, not 5'],
    ['address: 1, type: uint16, unit: { en: bar }', 'unit.zh: is missing: a text'],
    [
      'address: 1, type: uint16, access: rw',
      'access: one of read, write, read_write, not "rw". That is "read_write" here.',
    ],
    ['address: 1, type: uint16, enum: { 1: running }', 'enum.1: a section with en, zh, not "running"'],
    [
      'address: 1, type: uint16, enum: { on: { en: a, zh: b } }',
      'enum.on: "on" cannot be a name here: a whole number',
    ],
    [
      'address: 1, type: uint16, simulated: { behaviour: proces, mean: 1 }',
      'simulated.behaviour: one of process, counter, scrap, difference, running, constant, setpoint, wear, level, steps, batches, door, clock, not "proces". Did you mean "process"?',
    ],
    [
      'address: 1, type: uint16, simulated: { behaviour: process, meen: 1, mean: 1 }',
      'simulated.meen: unknown key. Did you mean "mean"?',
    ],
    [
      'address: 1, type: uint16, simulated: { behaviour: process, mean: 1, faults: { overheet: { adds: 1 } } }',
      'simulated.faults.overheet: unknown key. Did you mean "overheat"?',
    ],
    ['address: 1, type: uint16, decimals: 9', 'decimals: a whole number from 0 to 6, not 9'],
    ['address: 65536, type: uint16', 'address: address 65536 is outside 0 to 65535 (address_base 0)'],
    ['address: 65535, type: float32', 'address: 2 registers from 65535 run over the last address'],
    [
      'address: 1, type: string, length: 124, access: write',
      'length: 124 registers cannot be written at once: 123 at most',
    ],
    [
      'address: 1, type: int16, unavailable_values: [-3276.8]',
      'unavailable_values.0: -3276.8 is compared before scale, with a whole number: give the raw value',
    ],
    [
      'address: 1, type: uint16, unavailable_values: [-1]',
      'unavailable_values.0: -1 is outside 0 to 65535 (uint16): give the raw value, before scale',
    ],
    ['address: 1, type: uint16, enum: { "01": { en: a, zh: b } }', 'enum.01: write 1 and not 01'],
  ])('in a point: %s', (settings, fault) => {
    const [found, ...others] = faultsOf(plantFile({ point: pointOf(settings) }));
    expect(found?.replace(/^p\.yaml:12:\d+ /u, '')).toBe(`machines.pump.points.speed.${fault}`);
    expect(others).toEqual([]);
  });

  it.each<[string, string]>([
    ['names: pump', 'names: a section with en, zh, not "pump"'],
    ['names: { en: pump, zh: [泵] }', 'names.en: a list in brackets, not "pump"; write [pump]'],
    ['names: { en: [12], zh: [泵] }', 'names.en.0: a text, not 12; put it in quotes: "12"'],
    ['names: { en: [], zh: [泵] }', 'names.en: is empty: at least 1 in the list'],
    ['names: { en: [""], zh: [泵] }', 'names.en.0: is empty: a text'],
    [`names: { en: [${'x'.repeat(81)}], zh: [泵] }`, 'names.en.0: 80 characters at most, not 81'],
  ])('in names: %s', (names, fault) => {
    const faults = faultsOf(plantFile({}).replace('names: { en: [pump], zh: [泵] }', names));
    expect(faults.map((found) => found.replace(/^p\.yaml:10:\d+ /u, ''))).toEqual([`machines.pump.${fault}`]);
  });

  it.each<[string, string, string]>([
    [
      'register: holding',
      'register: holding_register',
      'register: one of holding, input, not "holding_register". That is "holding" here.',
    ],
    ['register: holding', 'register: coils', 'register: one of holding, input, not "coils".'],
    [
      'type: uint16',
      'type: REAL',
      'fields.values.t.type: one of bool, int16, uint16, int32, uint32, int64, uint64, float32, float64, string, bcd, not "REAL". That is "float32" here.',
    ],
  ])('in a log: %s instead of %s', (sound, wrong, fault) => {
    const log =
      'kind: ring, register: holding, head: 1, head_counts: slot, capacity: 10, record_registers: 8, first_record: 100, ' +
      'fields: { timestamp: { at: 0, format: unix_s }, values: { t: { at: 3, type: uint16 } } }';
    const file = (text: string): string => `${plantFile({})}    logs: { events: { ${text} } }\n`;
    expect(faultsOf(file(log))).toEqual([]);
    expect(faultsOf(file(log.replace(sound, wrong))).map((found) => found.replace(/^\S+ /u, ''))).toEqual([
      `machines.pump.logs.events.${fault}`,
    ]);
  });

  it('in an id, with one that would be right', () => {
    expect(faultsOf(plantFile({}).replace('  pump:', '  Pump No 1:'))).toEqual([
      'p.yaml:9:3 machines.Pump No 1: "Pump No 1" cannot be a name here: use lower-case letters, digits, - and _, 63 at most, such as pump-no-1',
    ]);
  });

  it.each<[string, string]>([
    ['a:\n\tb: 1', '2:1 a tab at the beginning of the line: indent with spaces, at: b: 1'],
    ['a: b: c', '1:4 a second ": " in one line: put the text in quotes, or begin a new line, at: a: b: c'],
    ['a\nb: 1', '1:1 no ":" after the key, at: a'],
    ['x: 1\nx: 2', '2:1 the key is given twice: keys must be unique, at: x: 2'],
    ['a:\n  - 1\n b: 2', '3:1 the line is not indented like the lines it belongs to, at: b: 2'],
    ...['%', '@x', '`x'].map((text): [string, string] => [
      `unit: ${text}`,
      `1:7 a text cannot begin with this character: put it in quotes, such as "%", at: unit: ${text}`,
    ]),
    ['- a', '1:1 (whole file): a section with connections, devices, machines, lines, not a list'],
  ])('in the YAML itself: %j', (text, fault) => {
    expect(faultsOf(text)).toEqual([`p.yaml:${fault}`]);
  });
});
