import { afterEach, describe, expect, it } from 'vitest';
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
import { startReader } from '../../support/plc-reader.ts';
import {
  type ArrivedRequest,
  type ScriptedModbusServer,
  startScriptedModbusServer,
} from '../../support/scripted-modbus-server.ts';

const DEADLINE_MS = 2_000;
const dependencies = { logger: silentLogger(), clocks: systemClocks(), scheduler: systemScheduler };
const FIRST: UnitRead = { unitId: 1, table: 'holding', address: 10, count: 1 };
const SECOND: UnitRead = { unitId: 1, table: 'holding', address: 20, count: 1 };

/** An answer to a read of one register, right but for what is given. */
function frame(wrong: { protocolId?: number; length?: number; unitId?: number; pdu?: readonly number[] }) {
  return ({ transactionId, unitId, socket }: ArrivedRequest): void => {
    const pdu = wrong.pdu ?? [3, 2, 0, 99];
    const header = Buffer.alloc(7);
    header.writeUInt16BE(transactionId, 0);
    header.writeUInt16BE(wrong.protocolId ?? 0, 2);
    header.writeUInt16BE(wrong.length ?? pdu.length + 1, 4);
    header.writeUInt8(wrong.unitId ?? unitId, 6);
    socket.write(Buffer.concat([header, Buffer.from(pdu)]));
  };
}

describe('a Modbus connection to a device that misbehaves', () => {
  let server: ScriptedModbusServer;
  let bus: StartedConnection;

  const start = async (
    onRequest: (request: ArrivedRequest) => void,
    { greeting, ...keys }: BusKeys & { greeting?: string } = {},
  ): Promise<void> => {
    server = await startScriptedModbusServer(onRequest, greeting);
    bus = await startConnection(socketSettings('tcp', server.port, keys));
  };

  afterEach(async () => {
    await bus.connection.stop(1_000);
    await server.stop();
  });

  it('never takes a late reply for the answer to the next request', async () => {
    const held: ArrivedRequest[] = [];
    await start((request) => {
      if (request.address === FIRST.address) {
        held.push(request);
        return;
      }
      // The answer to the first arrives after the second's request, under both ids that could be mistaken.
      for (const late of held) {
        late.reply([1111]);
        late.reply([1111], request.transactionId);
      }
      setImmediate(() => request.reply([2222]));
    });
    await expect(bus.read(FIRST, DEADLINE_MS)).rejects.toMatchObject({ code: 'MODBUS_TIMEOUT' });
    expect(await bus.read(SECOND, DEADLINE_MS)).toEqual([2222]);
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('answers hundreds of requests over one connection, each with its own', async () => {
    await start((request) => request.reply([request.address]));
    for (let address = 0; address < 600; address += 1)
      expect(await bus.read({ ...FIRST, address }, DEADLINE_MS)).toEqual([address]);
    expect(server.connections).toBe(1);
  });

  it('takes no answer under a transaction id that was not asked under', async () => {
    await start((request) => request.reply([7], request.transactionId ^ 1));
    await expect(bus.read(FIRST, DEADLINE_MS)).rejects.toMatchObject({ code: 'MODBUS_STRAY' });
    expect(server.connections).toBeGreaterThanOrEqual(2);
  });

  it('never takes a late reply that arrives on the next connection for the answer to the next request', async () => {
    let late: ArrivedRequest | undefined;
    await start((request) => {
      if (late === undefined) {
        late = request;
        return;
      }
      if (request.connection === 2) request.reply([1111], late.transactionId);
      setImmediate(() => request.reply([2222]));
    });
    await expect(bus.read(FIRST, DEADLINE_MS)).rejects.toMatchObject({ code: 'MODBUS_TIMEOUT' });
    expect(await bus.read(SECOND, DEADLINE_MS)).toEqual([2222]);
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 2, 3]);
  });

  it('asks under no transaction id twice, over whatever many connections, and under none that can be foreseen', async () => {
    await start((request) => {
      request.reply([request.address]);
      if (request.address % 20 === 19) request.socket.end();
    });
    for (let address = 0; address < 400; address += 1)
      expect(await bus.read({ ...FIRST, address }, DEADLINE_MS)).toEqual([address]);
    const ids = server.requests.map(({ transactionId }) => transactionId);
    expect(server.connections).toBeGreaterThanOrEqual(20);
    expect(new Set(ids).size).toBe(ids.length);
    const steps = ids.slice(1).map((id, index) => id - (ids[index] ?? 0));
    expect(new Set(steps).size).toBeGreaterThan(300);
    expect(Math.max(...ids)).toBeGreaterThan(0xff);
  });

  it.each([
    ['in the same breath', (send: () => void) => send()],
    ['a moment later', (send: () => void) => setTimeout(send, 30)],
  ])('ends a connection over which something comes unasked after an answer, %s', async (_when, later) => {
    // Under every id there is: whichever comes next is among them.
    const everyId = Buffer.concat(
      Array.from({ length: 0x10000 }, (_, id) =>
        Buffer.from([id >> 8, id & 0xff, 0, 0, 0, 5, FIRST.unitId, 3, 2, 4, 87]),
      ),
    );
    await start((request) => {
      request.reply([request.address]);
      if (request.connection === 1) later(() => request.socket.write(everyId));
    });
    expect(await bus.read(FIRST, DEADLINE_MS)).toEqual([FIRST.address]);
    await eventually('it has connected anew', () => server.connections === 2);
    expect(await bus.read(SECOND, DEADLINE_MS)).toEqual([SECOND.address]);
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('hands on the answer before one that follows it, and is not told another value by that', async () => {
    await start((request) => {
      request.socket.cork();
      request.reply([73]);
      request.reply([99]);
      request.socket.uncork();
    });
    expect(await bus.read(FIRST, DEADLINE_MS)).toEqual([73]);
    expect(await bus.read(SECOND, DEADLINE_MS)).toEqual([73]);
    await eventually('each such connection has ended', () => server.connections >= 3);
  });

  it('ends a connection that says something before it was asked', async () => {
    await start((request) => request.reply([5]), { greeting: 'login:', pause_after_connect_ms: 50 });
    await eventually('the connection has ended', () => bus.connection.health().status === 'down');
    expect(bus.connection.health().detail).toContain('data that was not asked for');
    expect(server.requests).toHaveLength(0);
  });

  it('reads an answer that arrives byte by byte', async () => {
    await start(({ transactionId, unitId, socket }) => {
      socket.setNoDelay(true);
      const frame = [transactionId >> 8, transactionId & 0xff, 0, 0, 0, 5, unitId, 3, 2, 0, 73];
      frame.forEach((byte, index) => void setTimeout(() => socket.write(Buffer.from([byte])), index * 4));
    });
    expect(await bus.read(FIRST, DEADLINE_MS)).toEqual([73]);
  });

  it('has one request on the wire, whatever is waiting', async () => {
    let open = 0;
    let most = 0;
    await start((request) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        request.reply([request.address]);
      }, 5);
    });
    await bus.read(FIRST, DEADLINE_MS);
    const addresses = Array.from({ length: 20 }, (_, index) => index);
    const answers = await Promise.all(
      addresses.map((address) => bus.read({ ...FIRST, address }, DEADLINE_MS)),
    );
    expect(answers).toEqual(addresses.map((address) => [address]));
    expect(most).toBe(1);
  });

  it('sends the unit id of each request, 0 and 255 among them', async () => {
    await start((request) => request.reply([request.unitId]));
    const answers = await Promise.all(
      [0, 5, 255, 1].map((unitId) => bus.read({ ...FIRST, unitId }, DEADLINE_MS)),
    );
    expect(answers).toEqual([[0], [5], [255], [1]]);
  });

  it('fails a request at once when the device resets the connection in the middle of it', async () => {
    await start(({ socket }) => socket.resetAndDestroy(), { timeout_ms: 1_500 });
    const startedAtMs = performance.now();
    await expect(bus.read(FIRST, DEADLINE_MS)).rejects.toMatchObject({
      code: 'MODBUS_UNREACHABLE',
      message: `no answer from 127.0.0.1:${server.port}: connection reset`,
    });
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
  });

  it('asks once more over a new connection when a gateway closed the old one under the request', async () => {
    await start((request) => {
      if (request.connection === 1) request.socket.destroy();
      else request.reply([42]);
    });
    expect(await bus.read(FIRST, DEADLINE_MS)).toEqual([42]);
  });

  it('names the exception of a device and stays connected', async () => {
    await start((request) => (request.address === FIRST.address ? request.refuse(4) : request.reply([1])));
    await expect(bus.read(FIRST, DEADLINE_MS)).rejects.toMatchObject({
      code: 'MODBUS_REFUSED',
      exception: 4,
      message: 'exception 4 (device failure)',
    });
    expect(await bus.read(SECOND, DEADLINE_MS)).toEqual([1]);
    expect(server.connections).toBe(1);
  });

  it.each([
    ['fewer values than asked for', (request: ArrivedRequest) => request.reply([])],
    ['more values than asked for', (request: ArrivedRequest) => request.reply([1, 2, 3])],
    ['a byte count that lies', frame({ pdu: [3, 0, 1, 2] })],
    ['a byte count below its length', frame({ pdu: [3, 2, 0, 99, 0, 98] })],
    ['another protocol id', frame({ protocolId: 1 })],
    ['another unit id', frame({ unitId: 9 })],
    ['another function', frame({ pdu: [4, 2, 0, 99] })],
    ['an exception of another function', frame({ pdu: [0x84, 2] })],
    ['an exception of another unit', frame({ unitId: 9, pdu: [0x83, 2] })],
    ['a length without end', frame({ length: 0xffff })],
    ['no length', frame({ length: 0 })],
  ])('refuses an answer with %s and connects anew', async (_what, answer) => {
    await start((request) => (request.address === FIRST.address ? answer(request) : request.reply([5])));
    await expect(bus.read(FIRST, DEADLINE_MS)).rejects.toMatchObject({ code: 'MODBUS_GARBLED' });
    expect(await bus.read(SECOND, DEADLINE_MS)).toEqual([5]);
    expect(server.connections).toBe(2);
  });

  it('counts the wait behind others into the deadline, without disturbing the request on the wire', async () => {
    await start((request) => setTimeout(() => request.reply([request.address]), 150), { timeout_ms: 1_000 });
    const first = bus.read(FIRST, DEADLINE_MS);
    await expect(bus.read(SECOND, 50)).rejects.toMatchObject({
      code: 'MODBUS_BUSY',
      message: 'waited 50 ms behind other requests',
    });
    expect(await first).toEqual([FIRST.address]);
    expect(server.connections).toBe(1);
  });

  it('refuses what no longer fits into its line', async () => {
    await start(() => undefined, { timeout_ms: 10_000 });
    const reads = Array.from({ length: 262 }, () => bus.read(FIRST, 300));
    const codes = (await Promise.allSettled(reads)).map((result) =>
      result.status === 'rejected' ? result.reason.code : 'answered',
    );
    expect(codes.filter((code) => code === 'MODBUS_BUSY').length).toBeGreaterThanOrEqual(5);
    expect(new Set(codes)).toEqual(new Set(['MODBUS_BUSY', 'MODBUS_TIMEOUT']));
  });

  it.each<Partial<UnitRead>>([
    { count: 126 },
    { count: 0 },
    { table: 'coil', count: 2001 },
    { address: 70_000 },
    { address: 65_535, count: 2 },
    { unitId: 256 },
    { address: -1 },
    { address: 1.5 },
  ])('never sends a request that no device could answer: %o', async (change) => {
    await start((request) => request.reply([0]));
    await expect(bus.read({ ...FIRST, ...change }, DEADLINE_MS)).rejects.toMatchObject({
      code: 'MODBUS_INVALID_REQUEST',
    });
    expect(server.requests).toHaveLength(0);
  });

  it('lets a gateway rest after connecting, as configured', async () => {
    await start((request) => request.reply([1]), { pause_after_connect_ms: 120 });
    const startedAtMs = performance.now();
    await bus.read(FIRST, DEADLINE_MS);
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(100);
  });

  it('notices an idle connection that the device closed, and makes a new one by itself', async () => {
    await start((request) => request.reply([1]));
    await bus.read(FIRST, DEADLINE_MS);
    server.requests[0]?.socket.destroy();
    await eventually('it has connected again', () => server.connections === 2);
    await eventually('it is well', () => bus.connection.health().status === 'ok');
  });

  it('ends a request in flight when it is stopped, and leaves no connection behind', async () => {
    await start(() => undefined, { timeout_ms: 10_000 });
    const reading = bus.read(FIRST, 10_000);
    const outcome = expect(reading).rejects.toMatchObject({ code: 'MODBUS_STOPPED' });
    await eventually('the request has arrived', () => server.requests.length === 1);
    await bus.connection.stop(1_000);
    await outcome;
    await eventually('the socket is closed', () => server.requests[0]?.socket.destroyed === true);
  });
});

describe('readings over a gateway', () => {
  const plantFile = (port: number): string => `
connections: { line-1: { transport: tcp, host: 127.0.0.1, port: ${port} } }
devices:
  pump-plc: { connection: line-1, unit_id: 1, address_base: 0 }
machines:
  pump:
    names: { en: [pump], zh: [泵] }
    device: pump-plc
    points: { speed: { names: { en: [speed], zh: [转速] }, register: input, address: 0, type: uint16 } }`;

  it.each([
    [2, 'refused'],
    [6, 'refused'],
    [10, 'unreachable'],
    [11, 'timeout'],
  ])('that answers with exception %d are bad because %s', async (exception, reason) => {
    const server = await startScriptedModbusServer((request) => request.refuse(exception));
    const reader = await startReader({ plant: plantOf(plantFile(server.port)) }, dependencies);
    const [reading] = await reader.read([{ machine: 'pump', point: 'speed' }], DEADLINE_MS);
    expect(reading).toMatchObject({
      quality: 'bad',
      reason,
      detail: expect.stringContaining(`exception ${exception} `),
    });
    await reader.stop();
    await server.stop();
  });
});
