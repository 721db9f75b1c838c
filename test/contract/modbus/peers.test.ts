import { afterEach, describe, expect, it } from 'vitest';
import { ModbusPlcBus } from '../../../src/adapters/modbus/modbus-plc-bus.ts';
import type { RegisterSpan, RegisterWrite } from '../../../src/domain/plc/modbus-request.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { startLibmodbusRtuServer, startLibmodbusTcpServer } from '../../support/libmodbus-server.ts';
import { plantOf } from '../../support/plant-file.ts';
import { startPymodbusServer } from '../../support/pymodbus-server.ts';
import { startSerialLine } from '../../support/serial-line.ts';

const CALL = { priority: 'answer', deadlineMs: 5_000 } as const;
const dependencies = { logger: silentLogger(), clocks: systemClocks(), scheduler: systemScheduler };
const registers = Array.from({ length: 130 }, (_, address) => address);
const bits = registers.map((address) => (address % 3 === 0 ? 1 : 0));

const cleanups: (() => Promise<void>)[] = [];

/** A bus with `plc` (unit 1) on it, and `old`, the same that lacks the functions for single values. */
async function startBus(connection: string): Promise<ModbusPlcBus> {
  const plant = plantOf(`
connections: { line-1: { ${connection} } }
devices:
  plc: { connection: line-1, unit_id: 1, address_base: 0 }
  old: { connection: line-1, unit_id: 1, address_base: 0, always_write_many: true }
machines: {}`);
  const bus = new ModbusPlcBus({ plant }, dependencies);
  cleanups.push(() => bus.stop(1_000));
  await bus.start(new AbortController().signal);
  return bus;
}

/** A pymodbus server with the same values as the one on libmodbus. */
async function pymodbus(framing: 'tcp' | 'rtu'): Promise<number> {
  const server = await startPymodbusServer(framing);
  cleanups.push(() => server.stop());
  await server.set(1, 'coil', 0, ...bits);
  await server.set(1, 'discrete_input', 0, ...bits);
  await server.set(1, 'holding', 0, ...registers);
  await server.set(1, 'input', 0, ...registers);
  return server.port;
}

const serial = (path: string) =>
  `transport: rtu, serial_path: ${path}, baud_rate: 115200, parity: none, timeout_ms: 2000`;

const PEERS: readonly (readonly [string, () => Promise<string>])[] = [
  ['pymodbus over TCP', async () => `transport: tcp, host: 127.0.0.1, port: ${await pymodbus('tcp')}`],
  [
    'pymodbus, RTU over TCP',
    async () => `transport: rtu_over_tcp, host: 127.0.0.1, port: ${await pymodbus('rtu')}`,
  ],
  [
    'pymodbus on a serial line',
    async () => {
      const line = await startSerialLine(await pymodbus('rtu'));
      cleanups.push(() => line.remove());
      return serial(line.path);
    },
  ],
  [
    'libmodbus over TCP',
    async () => {
      const server = await startLibmodbusTcpServer();
      cleanups.push(() => server.stop());
      return `transport: tcp, host: 127.0.0.1, port: ${server.port}`;
    },
  ],
  [
    'libmodbus on a serial line',
    async () => {
      const line = await startSerialLine();
      cleanups.push(() => line.remove());
      const server = await startLibmodbusRtuServer(line.farPath, 1);
      cleanups.push(() => server.stop());
      return serial(line.path);
    },
  ],
];

describe.each(PEERS)('the bus against %s', (_peer, start) => {
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  it('reads every table, and is refused what is not there', async () => {
    const bus = await startBus(await start());
    const read = (table: RegisterSpan['table'], address: number, count: number) =>
      bus.read('plc', { table, address, count }, CALL);
    expect(await read('holding', 0, 1)).toEqual([0]);
    expect(await read('holding', 7, 90)).toEqual(registers.slice(7, 97));
    expect(await read('input', 20, 3)).toEqual([20, 21, 22]);
    expect(await read('coil', 3, 19)).toEqual(bits.slice(3, 22));
    expect(await read('discrete_input', 1, 8)).toEqual(bits.slice(1, 9));
    await expect(read('holding', 60_000, 1)).rejects.toMatchObject({ code: 'MODBUS_REFUSED', exception: 2 });
    expect(bus.health()).toMatchObject({
      status: 'ok',
      figures: { connects_total: 1, timeouts_total: 0, garbled_total: 0, refused_total: 1 },
    });
  });

  it('writes single and many coils and registers and reads them back', async () => {
    const bus = await startBus(await start());
    const write = (write: RegisterWrite, device = 'plc') => bus.write(device, write, CALL);
    await write({ kind: 'coils', address: 10, values: [true] });
    await write({ kind: 'coils', address: 12, values: [false] });
    await write({
      kind: 'coils',
      address: 20,
      values: [true, false, true, true, false, true, true, false, true],
    });
    await write({ kind: 'coils', address: 40, values: [true] }, 'old');
    await write({ kind: 'registers', address: 10, values: [0xfffe] });
    await write({ kind: 'registers', address: 20, values: [1, 65_535, 0] });
    await write({ kind: 'registers', address: 40, values: [4242] }, 'old');
    expect(await bus.read('plc', { table: 'coil', address: 10, count: 3 }, CALL)).toEqual([1, 0, 0]);
    expect(await bus.read('plc', { table: 'coil', address: 20, count: 9 }, CALL)).toEqual([
      1, 0, 1, 1, 0, 1, 1, 0, 1,
    ]);
    expect(await bus.read('plc', { table: 'coil', address: 40, count: 1 }, CALL)).toEqual([1]);
    expect(await bus.read('plc', { table: 'holding', address: 9, count: 3 }, CALL)).toEqual([9, 0xfffe, 11]);
    expect(await bus.read('plc', { table: 'holding', address: 20, count: 4 }, CALL)).toEqual([
      1, 65_535, 0, 23,
    ]);
    expect(await bus.read('plc', { table: 'holding', address: 40, count: 1 }, CALL)).toEqual([4242]);
    await expect(write({ kind: 'registers', address: 60_000, values: [1] })).rejects.toMatchObject({
      code: 'MODBUS_REFUSED',
      exception: 2,
      retry: 'safe',
    });
  });

  it('writes as much at once as the protocol allows', async () => {
    const bus = await startBus(await start());
    const values = Array.from({ length: 123 }, (_, index) => 65_000 + index);
    await bus.write('plc', { kind: 'registers', address: 0, values }, CALL);
    expect(await bus.read('plc', { table: 'holding', address: 0, count: 125 }, CALL)).toEqual([
      ...values,
      123,
      124,
    ]);
  });

  it('sets bits of a register by function 22 and leaves the others', async () => {
    const bus = await startBus(await start());
    await bus.write('plc', { kind: 'registers', address: 5, values: [0x0012] }, CALL);
    await bus.write('plc', { kind: 'mask', address: 5, andMask: 0x00f2, orMask: 0x0025 }, CALL);
    // The example of the Modbus Application Protocol V1.1b3, section 6.16.
    expect(await bus.read('plc', { table: 'holding', address: 5, count: 1 }, CALL)).toEqual([0x0017]);
  });
});

describe('a serial line whose adapter is pulled', () => {
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  it('is noticed at once, ends the request in flight, and is read again when the adapter is back under its name', async () => {
    const line = await startSerialLine();
    cleanups.push(() => line.remove());
    const first = await startLibmodbusRtuServer(line.farPath, 1);
    const bus = await startBus(`${serial(line.path)}`);
    const read = () => bus.read('plc', { table: 'holding', address: 3, count: 2 }, CALL);
    expect(await read()).toEqual([3, 4]);

    await first.stop();
    const unanswered = read();
    const outcome = expect(unanswered).rejects.toMatchObject({ code: 'MODBUS_UNREACHABLE' });
    await eventually('the request is on the line', () => bus.health().figures?.['requests_total'] === 2);
    const pulledAtMs = performance.now();
    await line.unplug();
    await outcome;
    expect(performance.now() - pulledAtMs).toBeLessThan(1_000);
    expect(bus.health()).toMatchObject({ status: 'down', detail: expect.stringContaining(line.path) });
    await expect(read()).rejects.toMatchObject({
      code: 'MODBUS_UNREACHABLE',
      hint: expect.stringContaining('/dev/serial/by-id'),
    });

    await line.plug();
    const second = await startLibmodbusRtuServer(line.farPath, 1);
    cleanups.push(() => second.stop());
    await eventually('it is open again, without a request', () => bus.health().status === 'ok', 15_000);
    expect(await read()).toEqual([3, 4]);
  });
});
