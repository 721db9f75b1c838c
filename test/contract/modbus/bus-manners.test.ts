import { afterEach, describe, expect, it } from 'vitest';
import { ModbusPlcBus } from '../../../src/adapters/modbus/modbus-plc-bus.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import {
  type BusKeys,
  type StartedConnection,
  socketSettings,
  startConnection,
  type UnitRead,
} from '../../support/modbus-connection.ts';
import { plantOf } from '../../support/plant-file.ts';
import {
  type ArrivedRequest,
  type ScriptedModbusServer,
  startScriptedModbusServer,
} from '../../support/scripted-modbus-server.ts';

const DEADLINE_MS = 2_000;
const FIRST: UnitRead = { unitId: 1, table: 'holding', address: 10, count: 1 };

describe('the manners of the bus', () => {
  let server: ScriptedModbusServer;
  let bus: StartedConnection;

  const start = async (onRequest: (request: ArrivedRequest) => void, keys: BusKeys = {}): Promise<void> => {
    server = await startScriptedModbusServer(onRequest);
    bus = await startConnection(socketSettings('tcp', server.port, keys));
  };

  afterEach(async () => {
    await bus.connection.stop(1_000);
    await server.stop();
  });

  it('puts the more urgent first, and a poll after eight of them', async () => {
    await start((request) => setTimeout(() => request.reply([request.address]), 2));
    const call = (address: number, priority: 'verify' | 'confirm' | 'answer' | 'poll') =>
      bus.read({ ...FIRST, address }, DEADLINE_MS, priority);
    const calls = [call(0, 'poll'), call(1, 'poll'), call(2, 'poll')];
    for (let address = 10; address < 20; address += 1) calls.push(call(address, 'answer'));
    calls.push(call(30, 'confirm'), call(40, 'verify'));
    await Promise.all(calls);
    expect(server.requests.map(({ address }) => address)).toEqual([
      40, 30, 10, 11, 12, 13, 14, 15, 0, 16, 17, 18, 19, 1, 2,
    ]);
  });

  it('asks a busy device again, and others in the meantime', async () => {
    let busy = 2;
    await start((request) => {
      if (request.unitId === 1 && busy > 0) {
        busy -= 1;
        request.refuse(6);
      } else request.reply([request.unitId]);
    });
    const answers = await Promise.all([
      bus.read(FIRST, DEADLINE_MS),
      bus.read({ ...FIRST, unitId: 2 }, DEADLINE_MS),
    ]);
    expect(answers).toEqual([[1], [2]]);
    expect(server.requests.map(({ unitId }) => unitId)).toEqual([1, 2, 1, 1]);
  });

  it('reads again what a device has acknowledged and is still working on', async () => {
    let working = 1;
    await start((request) => (working-- > 0 ? request.refuse(5) : request.reply([8])));
    expect(await bus.read(FIRST, DEADLINE_MS)).toEqual([8]);
  });

  it('hands on that a device is busy after so many tries, or when the caller has no time for another', async () => {
    await start((request) => request.refuse(6), { busy_retries: 2 });
    await expect(bus.read(FIRST, DEADLINE_MS)).rejects.toMatchObject({ exception: 6, retry: 'safe' });
    expect(server.requests).toHaveLength(3);
    await expect(bus.read(FIRST, 40)).rejects.toMatchObject({ exception: 6 });
    expect(server.requests).toHaveLength(4);
  });

  it('lets a device rest between two requests, as configured', async () => {
    const atMs: number[] = [];
    await start(
      (request) => {
        atMs.push(performance.now());
        request.reply([1]);
      },
      { pause_between_requests_ms: 80 },
    );
    await Promise.all([bus.read(FIRST, DEADLINE_MS), bus.read(FIRST, DEADLINE_MS)]);
    expect((atMs[1] ?? 0) - (atMs[0] ?? 0)).toBeGreaterThanOrEqual(75);
  });

  it('polls a device that closes the connection behind each answer, writes to it, and finds nothing wrong', async () => {
    const complaints = new Set<string>();
    await start((request) => {
      if (request.functionCode === 3) request.reply([request.address]);
      else request.confirm();
      request.socket.end();
    });
    for (let address = 0; address < 12; address += 1) {
      expect(await bus.read({ ...FIRST, address }, DEADLINE_MS)).toEqual([address]);
      complaints.add(bus.connection.health().status);
    }
    const [, , written] = await Promise.all([
      bus.read(FIRST, DEADLINE_MS),
      bus.read(FIRST, DEADLINE_MS),
      bus.write({ kind: 'registers', address: 1, values: [1] }, DEADLINE_MS),
    ]);
    expect(written).toEqual([]);
    expect(complaints).toEqual(new Set(['ok']));
    expect(bus.connection.health().figures).toMatchObject({
      timeouts_total: 0,
      garbled_total: 0,
      refused_total: 0,
    });
    expect(server.requests.filter(({ functionCode }) => functionCode === 6)).toHaveLength(1);
  });

  it('keeps the connection again to a device that has left the habit of closing it', async () => {
    let closes = true;
    let laterMs = 0;
    const system = systemClocks();
    server = await startScriptedModbusServer((request) => {
      request.reply([request.address]);
      if (closes) request.socket.end();
    });
    bus = await startConnection(socketSettings('tcp', server.port), {
      ...system,
      monotonicMs: () => system.monotonicMs() + laterMs,
    });
    const readTen = async (): Promise<number> => {
      const before = server.connections;
      for (let address = 0; address < 10; address += 1)
        expect(await bus.read({ ...FIRST, address }, DEADLINE_MS)).toEqual([address]);
      return server.connections - before;
    };
    await readTen();
    closes = false;
    expect(await readTen()).toBeGreaterThanOrEqual(9);
    laterMs = 300_000;
    await readTen();
    expect(await readTen()).toBe(0);
  });

  it('leaves the connection to others between two cycles, as configured', async () => {
    await start((request) => request.reply([request.address]), { close_after_cycle: true });
    expect(server.connections).toBe(0);
    const reads = [bus.read(FIRST, DEADLINE_MS), bus.read({ ...FIRST, address: 11 }, DEADLINE_MS)];
    bus.connection.endCycle();
    expect(await Promise.all(reads)).toEqual([[10], [11]]);
    await eventually('it has let go', () => server.requests[0]?.socket.destroyed === true);
    expect(bus.connection.health().status).toBe('ok');
    expect(server.connections).toBe(1);
    expect(await bus.read(FIRST, DEADLINE_MS)).toEqual([10]);
    expect(server.connections).toBe(2);
  });

  it('keeps the connection between two cycles unless told otherwise', async () => {
    await start((request) => request.reply([request.address]));
    await bus.read(FIRST, DEADLINE_MS);
    bus.connection.endCycle();
    await bus.read(FIRST, DEADLINE_MS);
    expect(server.connections).toBe(1);
  });

  it('shows how long answers take, and what went wrong', async () => {
    await start((request) => {
      if (request.address === 99) request.refuse(2);
      else if (request.address < 50) setTimeout(() => request.reply([1]), 20);
    });
    await bus.read(FIRST, DEADLINE_MS);
    await expect(bus.read({ ...FIRST, address: 60 }, DEADLINE_MS)).rejects.toMatchObject({
      code: 'MODBUS_TIMEOUT',
    });
    await expect(bus.read({ ...FIRST, address: 99 }, DEADLINE_MS)).rejects.toMatchObject({ exception: 2 });
    expect(bus.connection.health().figures).toMatchObject({
      requests_total: 3,
      timeouts_total: 1,
      refused_total: 1,
      garbled_total: 0,
      waiting_requests: 0,
    });
    expect(bus.figure('round_trip_p50_ms')).toBeGreaterThanOrEqual(15);
    expect(bus.figure('round_trip_p95_ms')).toBeLessThan(200);
  });
});

describe('a plant with several buses', () => {
  const call = { deadlineMs: DEADLINE_MS, priority: 'answer' } as const;
  const span = { table: 'holding', address: 1, count: 1 } as const;

  it('asks them at the same time, and a dead one holds up no other', async () => {
    const dead = await startScriptedModbusServer(() => undefined);
    const alive = await startScriptedModbusServer((request) => request.reply([7]));
    const plant = plantOf(`
connections:
  dead: { transport: tcp, host: 127.0.0.1, port: ${dead.port}, timeout_ms: 800 }
  alive: { transport: tcp, host: 127.0.0.1, port: ${alive.port} }
devices:
  a: { connection: dead, unit_id: 1, address_base: 0 }
  b: { connection: alive, unit_id: 1, address_base: 0 }
  all: { connection: alive, unit_id: 0, address_base: 0, broadcast: true }
machines: {}`);
    const dependencies = { logger: silentLogger(), clocks: systemClocks(), scheduler: systemScheduler };
    const bus = new ModbusPlcBus({ plant }, dependencies);
    await bus.start(new AbortController().signal);
    const order: string[] = [];
    await Promise.all([
      expect(bus.read('a', span, call).finally(() => order.push('a'))).rejects.toMatchObject({
        code: 'MODBUS_TIMEOUT',
      }),
      bus.read('b', span, call).finally(() => order.push('b')),
    ]);
    expect(order).toEqual(['b', 'a']);
    expect([...bus.connectionHealth()].map(([id, { figures }]) => [id, figures?.['timeouts_total']])).toEqual(
      [
        ['dead', 1],
        ['alive', 0],
      ],
    );
    expect(bus.health().figures).toMatchObject({ requests_total: 2, timeouts_total: 1 });
    await expect(bus.read('all', span, call)).rejects.toMatchObject({ code: 'MODBUS_INVALID_REQUEST' });
    await expect(bus.read('bb', span, call)).rejects.toMatchObject({
      code: 'MODBUS_INVALID_REQUEST',
      message: 'no device bb in the plant. Did you mean "b"?',
    });
    await bus.stop(1_000);
    await dead.stop();
    await alive.stop();
  });
});
