import { afterEach, describe, expect, it } from 'vitest';
import type { PlantModel } from '../../../src/domain/plc/plant-model.ts';
import {
  BYTE_ORDERS,
  type ByteOrder,
  POINT_TYPES,
  type PointType,
} from '../../../src/domain/plc/point-encoding.ts';
import type { PointValue } from '../../../src/domain/plc/reading.ts';
import type { RegisterTable } from '../../../src/domain/plc/register-address.ts';
import { AuditList } from '../../support/audit-list.ts';
import { startLibmodbusRtuServer, startLibmodbusTcpServer } from '../../support/libmodbus-server.ts';
import { plantOf } from '../../support/plant-file.ts';
import { type StartedWriter, startWriter } from '../../support/point-writer.ts';
import { startPymodbusServer } from '../../support/pymodbus-server.ts';
import { type PassedRequest, startRecordingProxy } from '../../support/recording-proxy.ts';
import { startSerialLine } from '../../support/serial-line.ts';

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const names = (name: string) => `names: { en: [${name}], zh: [${name}] }`;

const SAMPLES: Readonly<Record<Exclude<PointType, 'bool'>, readonly [PointValue, string]>> = {
  int16: [-12.3, 'scale: 0.1, write_min: -20, write_max: 20'],
  uint16: [40_000, ''],
  int32: [-123_456_789, ''],
  uint32: [0x0a0b0c0d, ''],
  int64: [-(2 ** 50), ''],
  uint64: [2 ** 50 + 3, ''],
  float32: [23.25, ''],
  float64: [-0.1, ''],
  string: ['A7-x', 'length: 4'],
  bcd: [12_345_678, 'length: 2'],
};

/** A point of each type in each byte order, eight registers apart from 100 on; bits of register 40; coils from 10 on. */
function pointsOf(): string[] {
  const points: string[] = [];
  let address = 100;
  for (const order of BYTE_ORDERS)
    for (const type of POINT_TYPES) {
      if (type === 'bool') continue;
      const key = keyOf(type, order);
      const settings = `register: holding, address: ${address}, type: ${type}, byte_order: ${order}, access: read_write`;
      points.push(`${key}: { ${names(key)}, ${[settings, SAMPLES[type][1]].filter(Boolean).join(', ')} }`);
      address += 8;
    }
  for (let bit = 0; bit < 16; bit += 1)
    points.push(
      `bit-${bit}: { ${names(`bit ${bit}`)}, register: holding, address: 40, bit: ${bit}, type: bool, access: read_write }`,
    );
  points.push(
    `swapped-bit: { ${names('swapped bit')}, register: holding, address: 41, bit: 0, byte_order: BADC, type: bool, access: read_write }`,
    `lamp: { ${names('lamp')}, register: coil, address: 10, type: bool, access: read_write }`,
    `missing: { ${names('missing')}, register: holding, address: 5000, type: uint16, access: write }`,
  );
  return points;
}

const keyOf = (type: PointType, order: ByteOrder) => `${type}-${order.toLowerCase()}`;

function plantAt(port: number): PlantModel {
  return plantOf(`
connections: { line: { transport: tcp, host: 127.0.0.1, port: ${port}, timeout_ms: 1000 } }
devices:
  plc: { connection: line, unit_id: 1, address_base: 0 }
  old: { connection: line, unit_id: 1, address_base: 0, always_write_many: true }
machines:
  oven:
    ${names('oven')}
    device: plc
    points:
${pointsOf()
  .map((point) => `      ${point}`)
  .join('\n')}
  older:
    ${names('older')}
    device: old
    points:
      lamp: { ${names('lamp')}, register: coil, address: 11, type: bool, access: read_write }
      level: { ${names('level')}, register: holding, address: 60, type: uint16, access: read_write }
`);
}

interface Site {
  readonly writer: StartedWriter;
  readonly requests: readonly PassedRequest[];
  readonly audit: AuditList;
  registers(address: number, count: number): Promise<readonly number[]>;
}

async function startSite(serverPort: number): Promise<Site> {
  const proxy = await startRecordingProxy(serverPort);
  cleanups.push(() => proxy.stop());
  const audit = new AuditList();
  const writer = await startWriter(plantAt(proxy.port), audit);
  cleanups.push(() => writer.stop());
  return {
    writer,
    requests: proxy.requests,
    audit,
    registers: (address, count) =>
      writer.bus.read('plc', { table: 'holding', address, count }, { priority: 'answer', deadlineMs: 2_000 }),
  };
}

const PEERS: readonly (readonly [string, () => Promise<number>])[] = [
  [
    'pymodbus',
    async () => {
      const server = await startPymodbusServer();
      cleanups.push(() => server.stop());
      const zeros = Array.from({ length: 500 }, (_, address) => address);
      for (const table of ['holding', 'coil'] satisfies RegisterTable[])
        await server.set(1, table, 0, ...(table === 'coil' ? zeros.map(() => 0) : zeros));
      return server.port;
    },
  ],
  [
    'libmodbus',
    async () => {
      const server = await startLibmodbusTcpServer();
      cleanups.push(() => server.stop());
      return server.port;
    },
  ],
];

const writesIn = (requests: readonly PassedRequest[]): PassedRequest[] =>
  requests.filter(({ functionCode }) => [5, 6, 15, 16, 22].includes(functionCode));

describe.each(PEERS)('the point writer against %s', (_peer, start) => {
  it('writes every type in every byte order in one request, which the reader reads as the same value', async () => {
    const { writer, requests } = await startSite(await start());
    for (const order of BYTE_ORDERS)
      for (const type of POINT_TYPES) {
        if (type === 'bool') continue;
        const seen = requests.length;
        const [value] = SAMPLES[type];
        const outcome = await writer.write(`oven.${keyOf(type, order)}`, value);
        expect(outcome).toMatchObject({
          status: 'verified',
          reason: 'as_asked',
          found: { quality: 'good', value },
        });
        const made = requests.slice(seen).map(({ functionCode }) => functionCode);
        expect(made).toEqual([3, expectedFunction(type), 3]);
      }
  });

  it('lays 0x0A0B0C0D into the registers as each byte order says', async () => {
    const { writer, registers } = await startSite(await start());
    const laid: Record<string, readonly number[]> = {};
    for (const [index, order] of BYTE_ORDERS.entries()) {
      await writer.write(`oven.${keyOf('uint32', order)}`, 0x0a0b0c0d);
      const typeIndex = POINT_TYPES.filter((type) => type !== 'bool').indexOf('uint32');
      laid[order] = await registers(100 + (index * (POINT_TYPES.length - 1) + typeIndex) * 8, 2);
    }
    expect(laid).toEqual({
      ABCD: [0x0a0b, 0x0c0d],
      CDAB: [0x0c0d, 0x0a0b],
      BADC: [0x0b0a, 0x0d0c],
      DCBA: [0x0d0c, 0x0b0a],
    });
  });

  it('writes coils and single registers with the functions that the device has', async () => {
    const { writer, requests } = await startSite(await start());
    for (const name of ['oven.lamp', 'older.lamp'])
      for (const value of [true, false])
        expect(await writer.write(name, value)).toMatchObject({ status: 'verified', found: { value } });
    expect(await writer.write('older.level', 7)).toMatchObject({ status: 'verified' });
    expect(writesIn(requests).map(({ functionCode }) => functionCode)).toEqual([5, 5, 15, 15, 16]);
  });

  it('writes a bit of a register by its mask and leaves the other fifteen alone', async () => {
    const { writer, requests, registers } = await startSite(await start());
    let register = 40;
    for (const [bit, value] of [
      [0, true],
      [3, false],
      [15, true],
      [5, false],
    ] as const) {
      expect(await writer.write(`oven.bit-${bit}`, value)).toMatchObject({ status: 'verified' });
      register = value ? register | (1 << bit) : register & ~(1 << bit);
      expect(await registers(40, 1)).toEqual([register]);
    }
    expect(await writer.write('oven.swapped-bit', true)).toMatchObject({ status: 'verified' });
    expect(await registers(41, 1)).toEqual([41 | 0x0100]);
    expect(writesIn(requests).map(({ functionCode }) => functionCode)).toEqual([22, 22, 22, 22, 22]);
  });

  it('leaves exactly the asked bits when twenty orders for one register come at once', async () => {
    const { writer, registers } = await startSite(await start());
    const orders = Array.from({ length: 20 }, (_, index) => [(index * 3) % 16, index % 2 === 0] as const);
    const outcomes = await Promise.all(orders.map(([bit, value]) => writer.write(`oven.bit-${bit}`, value)));
    expect(outcomes.map(({ status }) => status)).toEqual(orders.map(() => 'verified'));
    const expected = orders.reduce(
      (word, [bit, value]) => (value ? word | (1 << bit) : word & ~(1 << bit)),
      40,
    );
    expect(await registers(40, 1)).toEqual([expected]);
  });

  it('sends nothing at all for a value that is out of range or of another type', async () => {
    const { writer, requests } = await startSite(await start());
    for (const [name, value] of [
      ['oven.int16-abcd', 20.1],
      ['oven.int16-abcd', -20.1],
      ['oven.uint16-abcd', 65_536],
      ['oven.uint16-abcd', -1],
      ['oven.int32-cdab', 2 ** 31],
      ['oven.float32-dcba', 1e39],
      ['oven.string-abcd', 'nine chars'],
      ['oven.bcd-abcd', 1e8],
      ['oven.lamp', 1],
      ['oven.bit-3', 'true'],
    ] as const)
      expect(await writer.write(name, value)).toMatchObject({ status: 'refused' });
    expect(requests).toEqual([]);
  });

  it('reads but never writes while the plant is being commissioned', async () => {
    const proxy = await startRecordingProxy(await start());
    cleanups.push(() => proxy.stop());
    const writer = await startWriter(plantAt(proxy.port), new AuditList(), { writes: 'commissioning' });
    cleanups.push(() => writer.stop());
    expect(await writer.write('older.level', 7)).toMatchObject({
      status: 'simulated',
      before: { value: 60 },
    });
    expect(proxy.requests.map(({ functionCode }) => functionCode)).toEqual([3]);
  });

  it('is refused by a device that does not have the address, with the exception', async () => {
    const { writer } = await startSite(await start());
    expect(await writer.write('oven.missing', 7)).toMatchObject({
      status: 'refused',
      reason: 'device_refused',
      detail: 'the device answered with exception 2 (illegal data address)',
    });
  });
});

function expectedFunction(type: PointType): number {
  return type === 'int16' || type === 'uint16' ? 6 : 16;
}

describe('a broadcast on a serial line', () => {
  it('is obeyed, answered by nobody, and its outcome is unknown', async () => {
    const line = await startSerialLine();
    cleanups.push(() => line.remove());
    const server = await startLibmodbusRtuServer(line.farPath, 5);
    cleanups.push(() => server.stop());
    const plant = plantOf(`
connections:
  line: { transport: rtu, serial_path: ${line.path}, baud_rate: 115200, parity: none, timeout_ms: 1000 }
devices:
  all: { connection: line, unit_id: 0, address_base: 0 }
  drive: { connection: line, unit_id: 5, address_base: 0 }
machines:
  drives:
    ${names('drives')}
    device: all
    points:
      speed: { ${names('speed')}, register: holding, address: 7, type: uint16, access: write }
  drive:
    ${names('drive')}
    device: drive
    points:
      torque: { ${names('torque')}, register: holding, address: 8, type: uint16, access: read_write }
`);
    const writer = await startWriter(plant, new AuditList());
    cleanups.push(() => writer.stop());
    const [broadcast, torque] = await Promise.all([
      writer.write('drives.speed', 1_450),
      writer.write('drive.torque', 30),
    ]);
    expect(broadcast).toMatchObject({ status: 'unknown', reason: 'broadcast' });
    expect(torque).toMatchObject({ status: 'verified', before: { value: 8 } });
    const call = { priority: 'answer', deadlineMs: 2_000 } as const;
    expect(await writer.bus.read('drive', { table: 'holding', address: 7, count: 2 }, call)).toEqual([
      1_450, 30,
    ]);
  });
});
