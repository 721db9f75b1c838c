import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { deviceMapSchema } from '../../../../../src/domain/plc/device-map.ts';
import { PlantModel } from '../../../../../src/domain/plc/plant-model.ts';
import { plantConflicts } from '../../../../../src/domain/plc/review/plant-conflicts.ts';
import { plantSummary } from '../../../../../src/domain/plc/review/plant-summary.ts';
import { plantWarnings } from '../../../../../src/domain/plc/review/plant-warnings.ts';

const point = (key: string, settings: string) =>
  `${key}: { names: { en: [${key}], zh: [值${key}] }, register: holding, ${settings} }`;

function mapOf(points: readonly string[], device = 'address_base: 0', connection = '', more = '') {
  return deviceMapSchema.parse(
    parse(`
connections:
  line: { transport: tcp, host: plc, ${connection} }
devices:
  plc: { connection: line, unit_id: 1, ${device} }
${more}
machines:
  pump:
    names: { en: [pump], zh: [泵] }
    device: plc
    points:
${points.map((line) => `      ${line}`).join('\n')}`),
  );
}

function warningsOf(...args: Parameters<typeof mapOf>): string[] {
  const map = mapOf(...args);
  return plantWarnings(new PlantModel([map]), [map]).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
}

const sound = [point('speed', 'address: 0, type: uint16')];

describe('what is legal in a plant and mostly not meant', () => {
  it('is nothing in a sound one', () => {
    expect(warningsOf(sound)).toEqual([]);
  });

  it('is a value cut into two points', () => {
    const halves = [
      point('energy_hi', 'address: 0, type: uint16'),
      point('energy_lo', 'address: 1, type: uint16'),
    ];
    expect(warningsOf(halves)).toEqual([
      'machines.pump.points.energy_lo: looks like the other half of energy_hi: halves read as two points may be of two moments; use one point of 32 bits, with byte_order ABCD',
    ]);
    const apart = [
      point('tank_high', 'address: 0, type: uint16'),
      point('level_low', 'address: 1, type: uint16'),
    ];
    expect(warningsOf(apart)).toEqual([]);
  });

  it('is the only float at an odd address', () => {
    const even = [0, 2, 4].map((address) => point(`t${address}`, `address: ${address}, type: float32`));
    expect(warningsOf([...even, point('t7', 'address: 7, type: float32')])).toEqual([
      'machines.pump.points.t7.address: the only value of two registers at an odd wire address (7): the 3 others of this device are even',
    ]);
  });

  it('is a request for each of very many points', () => {
    const many = Array.from({ length: 100 }, (_, n) => point(`p${n}`, `address: ${n}, type: uint16`));
    expect(warningsOf(many, 'address_base: 0, one_request_per_point: true, poll_interval_ms: 60000')).toEqual(
      [
        'devices.plc.one_request_per_point: 100 requests a poll, about 2000 ms: does the device really need each point alone?',
      ],
    );
  });

  it('is a poll that leaves no time', () => {
    const spread = [0, 200, 400].map((address) => point(`p${address}`, `address: ${address}, type: uint16`));
    expect(warningsOf(spread, 'address_base: 0, poll_interval_ms: 50', 'timeout_ms: 50')[0]).toBe(
      'devices.plc.poll_interval_ms: the polls of line need about 120 % of its time (3 requests of some 20 ms each): give a longer interval, or fewer requests',
    );
  });

  it('is an age that one lost answer exceeds', () => {
    expect(warningsOf(sound, 'address_base: 0, poll_interval_ms: 200')).toEqual([
      'devices.plc.stale_after_ms: one answer that fails to come (timeout_ms 1000) makes values stale, which are so after 600 ms: give stale_after_ms more than 1200',
    ]);
  });

  it('is a base under which all addresses look like 40001', () => {
    expect(warningsOf([point('speed', 'address: 40001, type: uint16')])[0]).toMatch(
      /^devices\.plc\.address_base: .*modicon$/u,
    );
  });

  it('is one address in the style of 40001 among others as they are sent', () => {
    const plain = [102, 104, 110].map((address) => point(`p${address}`, `address: ${address}, type: int16`));
    const one = point('temperature', 'address: 40101, type: int16');
    expect(warningsOf([...plain, one])).toEqual([
      "machines.pump.points.temperature.address: 40101 is far from the others (102 to 110) and looks like a manual's number for wire 100",
    ]);
    expect(warningsOf([...plain, point('far', 'address: 4096, type: int16')])).toEqual([]);
    expect(warningsOf([...plain, one], 'address_base: 1')).toHaveLength(1);
  });

  it('is a base under which most addresses look like 40001', () => {
    const most = [40001, 40002].map((address) => point(`p${address}`, `address: ${address}, type: int16`));
    expect(warningsOf([...most, ...sound])).toEqual([
      'devices.plc.address_base: 2 of its 3 addresses look like 40001 and so on: if the manual numbers registers like that, use address_base: modicon',
    ]);
  });

  it('is what an import left to be completed', () => {
    const inOneLanguage = (key: string, name: string): string =>
      `${key}: { names: { en: [${name}], zh: [${name}] }, register: holding, address: ${key.slice(1)}, type: int16 }`;
    expect(
      warningsOf(
        [
          inOneLanguage('a0', 'Druck'),
          inOneLanguage('a1', '压力'),
          inOneLanguage('a2', '温度'),
          inOneLanguage('a3', 'P1'),
        ],
        undefined,
        'port: 502 }\n  other: { transport: tcp, host: 192.0.2.1',
        '  more: { connection: other, unit_id: 1, address_base: 0 }',
      ),
    ).toEqual([
      'devices.more: no point is in this device',
      "connections.other.host: host 192.0.2.1 is still the placeholder of plant import: put in the PLC's address",
      'machines.pump: 2 points: the en name is the zh one (a1, a2)',
      'machines.pump: 1 point: the zh name is the en one (a0)',
    ]);
  });

  it('is a gap that would halve the requests', () => {
    const spread = Array.from({ length: 8 }, (_, n) => point(`p${n}`, `address: ${n * 3}, type: uint16`));
    expect(warningsOf(spread)).toEqual([
      'devices.plc.max_gap: 8 requests a poll; with max_gap 4 it would be 1, if the registers between the points may be read',
    ]);
  });

  it('is a write without limits, a device without points, and one described twice', () => {
    const twin = '  twin: { connection: line, unit_id: 1, address_base: 0 }';
    expect(
      warningsOf(
        [point('speed', 'address: 0, type: uint16, access: read_write')],
        undefined,
        undefined,
        twin,
      ),
    ).toEqual([
      'devices.twin: no point is in this device',
      'devices.twin.unit_id: unit 1 of line is also device plc: each is asked by itself',
      'machines.pump.points.speed.access: can be written without a limit but that of its registers: give write_min and write_max',
    ]);
  });
});

describe('the summary of a plant', () => {
  it('counts every address as the manual does and as it is sent', () => {
    const map = mapOf(
      [point('flow', 'address: 40002, type: float32'), point('status', 'address: 40001, bit: 3, type: bool')],
      'address_base: modicon',
    );
    const [device] = plantSummary(new PlantModel([map]), [map]).devices;
    expect(device?.requests).toEqual([
      { register: 'holding', first: 40001, last: 40003, wire_first: 0, wire_last: 2, points: 2 },
    ]);
    expect(device?.points.map(({ key, manual, wire, bit }) => [key, manual, wire, bit])).toEqual([
      ['status', 40001, 0, 3],
      ['flow', 40002, 1, null],
    ]);
  });

  it('keeps six digits where the map has them, and leaves out what is only written', () => {
    const map = mapOf(
      [
        point('flow', 'address: 400002, type: float32'),
        point('start', 'address: 400010, type: uint16, access: write'),
      ],
      'address_base: modicon',
    );
    const [device] = plantSummary(new PlantModel([map]), [map]).devices;
    expect(device?.requests.map(({ first, last }) => [first, last])).toEqual([[400002, 400003]]);
  });
});

describe('two plant files together', () => {
  it('may not describe the same, and the later one is complained about', () => {
    const map = mapOf(sound);
    expect(plantConflicts([map, map]).map(({ map: file, path }) => [file, path.join('.')])).toEqual([
      [1, 'connections.line'],
      [1, 'devices.plc'],
      [1, 'machines.pump'],
      [1, 'connections.line.host'],
    ]);
    expect(plantConflicts([map])).toEqual([]);
  });
});
