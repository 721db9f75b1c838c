import { afterEach, describe, expect, it } from 'vitest';
import type { RegisterWrite } from '../../../src/domain/plc/modbus-request.ts';
import { eventually } from '../../support/eventually.ts';
import {
  type BusKeys,
  type StartedConnection,
  socketSettings,
  startConnection,
  type UnitRead,
} from '../../support/modbus-connection.ts';
import {
  type ArrivedRequest,
  type ScriptedModbusServer,
  startScriptedModbusServer,
} from '../../support/scripted-modbus-server.ts';

const DEADLINE_MS = 2_000;
const SETPOINT: RegisterWrite = { kind: 'registers', address: 7, values: [1234] };
const FIRST: UnitRead = { unitId: 1, table: 'holding', address: 10, count: 1 };

describe('a write', () => {
  let server: ScriptedModbusServer;
  let bus: StartedConnection;

  const start = async (onRequest: (request: ArrivedRequest) => void, keys: BusKeys = {}): Promise<void> => {
    server = await startScriptedModbusServer(onRequest);
    bus = await startConnection(socketSettings('tcp', server.port, keys));
  };
  const writes = () => server.requests.filter(({ functionCode }) => functionCode !== 3);

  afterEach(async () => {
    await bus.connection.stop(1_000);
    await server.stop();
  });

  it.each<[string, (request: ArrivedRequest) => void, string]>([
    ['is never answered', () => undefined, 'MODBUS_TIMEOUT'],
    ['meets a reset', ({ socket }) => socket.resetAndDestroy(), 'MODBUS_UNREACHABLE'],
    ['meets a closed connection', ({ socket }) => socket.end(), 'MODBUS_UNREACHABLE'],
    ['is answered with another value', ({ say }) => say(6, 0, 7, 0, 1), 'MODBUS_GARBLED'],
    ['is answered with another address', ({ say }) => say(6, 0, 8, 4, 210), 'MODBUS_GARBLED'],
    ['is answered for another function', ({ say }) => say(16, 0, 7, 0, 1), 'MODBUS_GARBLED'],
    [
      'is answered under another transaction',
      (request) => request.reply([], request.transactionId ^ 1),
      'MODBUS_STRAY',
    ],
  ])('that %s is not sent again, and its outcome is unknown', async (_what, answer, code) => {
    await start(answer);
    await expect(bus.write(SETPOINT, DEADLINE_MS)).rejects.toMatchObject({ code, retry: 'unknown-outcome' });
    await eventually('it is connected again', () => server.connections >= 2);
    expect(writes()).toHaveLength(1);
  });

  it('that is stopped with the service has an unknown outcome', async () => {
    await start(() => undefined, { timeout_ms: 10_000 });
    const outcome = expect(bus.write(SETPOINT, 10_000)).rejects.toMatchObject({
      code: 'MODBUS_STOPPED',
      retry: 'unknown-outcome',
    });
    await eventually('it has arrived', () => writes().length === 1);
    await bus.connection.stop(1_000);
    await outcome;
  });

  it('that waited too long behind others was not sent and may be tried again', async () => {
    await start((request) => setTimeout(() => request.reply([1]), 150), { timeout_ms: 1_000 });
    const first = bus.read(FIRST, DEADLINE_MS);
    await expect(bus.write(SETPOINT, 50)).rejects.toMatchObject({ code: 'MODBUS_BUSY', retry: 'safe' });
    expect(await first).toEqual([1]);
    await bus.read(FIRST, DEADLINE_MS);
    expect(writes()).toHaveLength(0);
  });

  it('that finds no connection was not sent and may be tried again', async () => {
    await start(() => undefined);
    await server.stop();
    await eventually('the outage is noticed', () => bus.connection.health().status === 'down');
    await expect(bus.write(SETPOINT, DEADLINE_MS)).rejects.toMatchObject({
      code: 'MODBUS_UNREACHABLE',
      retry: 'safe',
    });
  });

  it.each([
    [1, 'safe'],
    [2, 'safe'],
    [3, 'safe'],
    [4, 'unknown-outcome'],
    [5, 'unknown-outcome'],
    [10, 'safe'],
    [11, 'unknown-outcome'],
  ])('refused with exception %d is %s, and sent once', async (exception, retry) => {
    await start((request) => request.refuse(exception));
    await expect(bus.write(SETPOINT, DEADLINE_MS)).rejects.toMatchObject({
      code: 'MODBUS_REFUSED',
      exception,
      retry,
    });
    expect(writes()).toHaveLength(1);
  });

  it('to a device that is busy twice is sent three times, and done', async () => {
    let busy = 2;
    await start((request) => (busy-- > 0 ? request.refuse(6) : request.confirm()));
    expect(await bus.write(SETPOINT, DEADLINE_MS)).toEqual([]);
    expect(writes()).toHaveLength(3);
    expect(bus.figure('repeated_total')).toBe(2);
  });

  it.each<[RegisterWrite, number, readonly number[]]>([
    [{ kind: 'coils', address: 3, values: [true] }, 5, [5, 0, 3, 0xff, 0]],
    [{ kind: 'coils', address: 3, values: [false] }, 5, [5, 0, 3, 0, 0]],
    [{ kind: 'coils', address: 3, values: [true, false, true] }, 15, [15, 0, 3, 0, 3, 1, 5]],
    [{ kind: 'registers', address: 3, values: [65_535] }, 6, [6, 0, 3, 255, 255]],
    [{ kind: 'registers', address: 3, values: [1, 2] }, 16, [16, 0, 3, 0, 2, 4, 0, 1, 0, 2]],
    [{ kind: 'mask', address: 3, andMask: 0xf2, orMask: 0x25 }, 22, [22, 0, 3, 0, 0xf2, 0, 0x25]],
  ])('%o goes out by function %d', async (write, _functionCode, pdu) => {
    await start((request) => request.confirm());
    expect(await bus.write(write, DEADLINE_MS)).toEqual([]);
    expect([...(server.requests[0]?.pdu ?? [])]).toEqual(pdu);
  });

  it.each<[RegisterWrite, readonly number[]]>([
    [{ kind: 'coils', address: 3, values: [true] }, [15, 0, 3, 0, 1, 1, 1]],
    [{ kind: 'registers', address: 3, values: [65_535] }, [16, 0, 3, 0, 1, 2, 255, 255]],
  ])(
    'of one value to a device without functions for single values goes out as of many: %o',
    async (write, pdu) => {
      await start((request) => request.confirm());
      expect(await bus.write(write, DEADLINE_MS, { alwaysMany: true })).toEqual([]);
      expect([...(server.requests[0]?.pdu ?? [])]).toEqual(pdu);
    },
  );

  it.each<RegisterWrite>([
    { kind: 'registers', address: 7, values: [65_536] },
    { kind: 'registers', address: 7, values: [-1] },
    { kind: 'registers', address: 7, values: [] },
    { kind: 'registers', address: 70_000, values: [1] },
    { kind: 'registers', address: 65_535, values: [1, 2] },
    { kind: 'registers', address: 0, values: new Array<number>(124).fill(0) },
    { kind: 'coils', address: 0, values: new Array<boolean>(1_969).fill(true) },
    { kind: 'mask', address: 1, andMask: 65_536, orMask: 0 },
  ])('that no device could carry out is never sent: %o', async (write) => {
    await start((request) => request.confirm());
    await expect(bus.write(write, DEADLINE_MS)).rejects.toMatchObject({ code: 'MODBUS_INVALID_REQUEST' });
    expect(server.requests).toHaveLength(0);
  });

  it('to unit 0 over TCP is answered like any other', async () => {
    await start((request) => request.confirm());
    expect(await bus.write(SETPOINT, DEADLINE_MS, { unitId: 0 })).toEqual([]);
    expect(server.requests[0]?.unitId).toBe(0);
  });

  it('to unit 0 over TCP that is not answered fails', async () => {
    await start(() => undefined);
    await expect(bus.write(SETPOINT, DEADLINE_MS, { unitId: 0 })).rejects.toMatchObject({
      code: 'MODBUS_TIMEOUT',
    });
  });

  it('to a broadcast device over TCP is done when it is sent, whether or not a gateway answers for the devices', async () => {
    await start((request) => {
      if (request.functionCode === 3) request.reply([5]);
      else if (request.address === 7) request.confirm();
    });
    const broadcast = { unitId: 0, isBroadcast: true };
    await bus.write(SETPOINT, DEADLINE_MS, broadcast);
    await bus.write({ ...SETPOINT, address: 8 }, DEADLINE_MS, broadcast);
    expect(await bus.read(FIRST, DEADLINE_MS)).toEqual([5]);
    expect(server.connections).toBe(1);
  });

  it('that follows an answer with something behind it does not go out over that connection', async () => {
    await start((request) => {
      if (request.functionCode !== 3) return request.confirm();
      request.socket.cork();
      request.reply([1]);
      request.reply([1]);
      request.socket.uncork();
    });
    const [, written] = await Promise.all([bus.read(FIRST, DEADLINE_MS), bus.write(SETPOINT, DEADLINE_MS)]);
    expect(written).toEqual([]);
    expect(writes().map(({ connection }) => connection)).toEqual([2]);
  });
});
