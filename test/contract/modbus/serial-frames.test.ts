import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import {
  type BusKeys,
  type StartedConnection,
  serialSettings,
  socketSettings,
  startConnection,
  type UnitRead,
} from '../../support/modbus-connection.ts';
import {
  type ArrivedFrame,
  registersFrame,
  rtuFrame,
  type ScriptedRtuServer,
  startScriptedRtuServer,
} from '../../support/scripted-rtu-server.ts';
import { type SerialLine, startSerialLine } from '../../support/serial-line.ts';

const DEADLINE_MS = 5_000;
const FIRST: UnitRead = { unitId: 1, table: 'holding', address: 10, count: 1 };
const SECOND: UnitRead = { ...FIRST, address: 20 };
const TIMEOUT_MS = 200;
/** So slow that the late answer to the question before comes first, were both on the line at once. */
const BEHIND_THE_LATE_MS = 150;

describe.each(['RTU over TCP', 'a serial port'] as const)('frames of a serial line over %s', (way) => {
  let server: ScriptedRtuServer;
  let line: SerialLine | undefined;
  let bus: StartedConnection;

  const start = async (
    onRequest: (request: ArrivedFrame) => void,
    { greeting, ...keys }: BusKeys & { greeting?: Uint8Array } = {},
  ): Promise<void> => {
    server = await startScriptedRtuServer(onRequest, greeting);
    const all = { timeout_ms: TIMEOUT_MS, ...keys };
    if (way === 'a serial port') {
      line = await startSerialLine(server.port);
      bus = await startConnection(serialSettings(line.path, all));
    } else bus = await startConnection(socketSettings('rtu_over_tcp', server.port, all));
    await eventually('it is connected', () => bus.connection.health().status === 'ok');
  };

  afterEach(async () => {
    await bus.connection.stop(1_000);
    await line?.remove();
    line = undefined;
    await server.stop();
  });

  it('takes no late reply for the answer to the next request, which looks the same', async () => {
    await start((request) => {
      if (request.address === FIRST.address) setTimeout(() => request.reply(1111), TIMEOUT_MS * 1.5);
      else setTimeout(() => request.reply(2222), BEHIND_THE_LATE_MS);
    });
    await expect(bus.read(FIRST, DEADLINE_MS)).rejects.toMatchObject({ code: 'MODBUS_TIMEOUT' });
    expect(await bus.read(SECOND, DEADLINE_MS)).toEqual([2222]);
    expect(await bus.read(SECOND, DEADLINE_MS)).toEqual([2222]);
    expect(server.connections).toBe(1);
  });

  it('asks on as soon as the late reply has come', async () => {
    const timeoutMs = 2_000;
    await start(
      (request) => {
        if (request.address === FIRST.address) setTimeout(() => request.reply(1111), 150);
        else request.reply(2222);
      },
      { timeout_ms: timeoutMs },
    );
    await expect(bus.read(FIRST, 100)).rejects.toMatchObject({ code: 'MODBUS_TIMEOUT' });
    const startedAtMs = performance.now();
    expect(await bus.read(SECOND, DEADLINE_MS)).toEqual([2222]);
    expect(performance.now() - startedAtMs).toBeLessThan(timeoutMs / 2);
  });

  it('takes no late exception for a refusal of the next request, however different that is', async () => {
    await start((request) => {
      if (request.address === FIRST.address) setTimeout(() => request.refuse(2), TIMEOUT_MS * 1.5);
      else setTimeout(() => request.reply(5, 6, 7), BEHIND_THE_LATE_MS);
    });
    await expect(bus.read(FIRST, DEADLINE_MS)).rejects.toMatchObject({ code: 'MODBUS_TIMEOUT' });
    expect(await bus.read({ ...SECOND, count: 3 }, DEADLINE_MS)).toEqual([5, 6, 7]);
  });

  it('takes no late answer to a write for the answer to the next write', async () => {
    const heard: number[] = [];
    await start((request) => {
      heard.push(request.bytes.readUInt16BE(4));
      if (heard.length === 1) setTimeout(() => request.say(request.bytes), TIMEOUT_MS * 1.5);
    });
    const write = () => bus.write({ kind: 'registers', address: 7, values: [1] }, DEADLINE_MS);
    await expect(write()).rejects.toMatchObject({ code: 'MODBUS_TIMEOUT', retry: 'unknown-outcome' });
    await expect(write()).rejects.toMatchObject({ code: 'MODBUS_TIMEOUT', retry: 'unknown-outcome' });
    expect(heard).toEqual([1, 1]);
  });

  it('asks the others on the line at once after one of them was silent', async () => {
    await start((request) => (request.unitId === 2 ? request.reply(22) : undefined), { timeout_ms: 1_000 });
    await expect(bus.read(FIRST, DEADLINE_MS)).rejects.toMatchObject({ code: 'MODBUS_TIMEOUT' });
    const startedAtMs = performance.now();
    expect(await bus.read({ ...FIRST, unitId: 2 }, DEADLINE_MS)).toEqual([22]);
    expect(performance.now() - startedAtMs).toBeLessThan(700);
    expect(server.connections).toBe(1);
    expect(bus.connection.health()).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('unit 1'),
    });
  });

  it('opens the line anew after three silences in a row, since a gateway that restarted never says so', async () => {
    await start((request) => (request.address < 3 ? undefined : request.reply(5)), { timeout_ms: 60 });
    for (let address = 0; address < 3; address += 1)
      await expect(bus.read({ ...FIRST, unitId: address + 1, address }, DEADLINE_MS)).rejects.toMatchObject({
        code: 'MODBUS_TIMEOUT',
      });
    expect(await bus.read(FIRST, DEADLINE_MS)).toEqual([5]);
    expect(bus.figure('connects_total')).toBe(2);
  });

  it('waits for the right answer, which may follow a damaged one, before it asks the same unit again', async () => {
    await start((request) => {
      if (request.address !== FIRST.address)
        return void setTimeout(() => request.reply(2222), BEHIND_THE_LATE_MS);
      request.say(Buffer.from([1, 3, 2, 0, 99, 0, 0]));
      setTimeout(() => request.reply(1111), 120);
    });
    await expect(bus.read(FIRST, DEADLINE_MS)).rejects.toMatchObject({ code: 'MODBUS_GARBLED' });
    expect(await bus.read(SECOND, DEADLINE_MS)).toEqual([2222]);
  });

  it('does not speak into an answer whose caller has given up', async () => {
    let isAnswering = false;
    const overlaps: number[] = [];
    await start(
      (request) => {
        if (isAnswering) overlaps.push(request.address);
        if (request.address !== FIRST.address) return request.reply(2222);
        isAnswering = true;
        setTimeout(() => {
          isAnswering = false;
          request.reply(1111);
        }, 250);
      },
      { timeout_ms: 1_000 },
    );
    await expect(bus.read(FIRST, 60)).rejects.toMatchObject({ code: 'MODBUS_TIMEOUT' });
    expect(await bus.read({ ...SECOND, unitId: 2 }, DEADLINE_MS)).toEqual([2222]);
    expect(overlaps).toEqual([]);
  });

  const NOISE = Buffer.from([0x00, 0xff, 0x01, 0x7f, 0x01]);
  it.each<[string, (request: ArrivedFrame) => void]>([
    ['noise before it', (request) => request.say(Buffer.concat([NOISE, registersFrame(1, 3, 73)]))],
    [
      'noise long before it',
      (request) => {
        request.say(NOISE);
        setTimeout(() => request.reply(73), 100);
      },
    ],
    ['noise behind it', (request) => request.say(Buffer.concat([registersFrame(1, 3, 73), NOISE]))],
    [
      'a pause in the middle',
      (request) => {
        const frame = registersFrame(1, 3, 73);
        request.say(frame.subarray(0, 3));
        setTimeout(() => request.say(frame.subarray(3)), 80);
      },
    ],
    [
      'each byte alone',
      (request) =>
        registersFrame(1, 3, 73).forEach(
          (byte, index) => void setTimeout(() => request.say(Buffer.from([byte])), index * 5),
        ),
    ],
    [
      'an answer of another unit before it',
      (request) => request.say(Buffer.concat([registersFrame(9, 3, 99), registersFrame(1, 3, 73)])),
    ],
    [
      'half an answer before it',
      (request) => request.say(Buffer.concat([Buffer.from([1, 3, 2, 0]), registersFrame(1, 3, 73)])),
    ],
  ])('reads an answer with %s', async (_what, answer) => {
    await start((request) => (request.address === FIRST.address ? answer(request) : request.reply(5)));
    expect(await bus.read(FIRST, DEADLINE_MS)).toEqual([73]);
    expect(await bus.read(SECOND, DEADLINE_MS)).toEqual([5]);
    expect(server.connections).toBe(1);
  });

  const sound = registersFrame(1, 3, 99);
  it.each<[string, Buffer]>([
    ['a wrong checksum', Buffer.from([...sound.subarray(0, -1), (sound.at(-1) ?? 0) ^ 1])],
    ['a flipped bit', Buffer.from([1, 3, 2, 0, 98, ...sound.subarray(-2)])],
    ['another unit', registersFrame(9, 3, 99)],
    ['another function', registersFrame(1, 4, 99)],
    ['an exception of another function', rtuFrame(1, 0x84, 2)],
    ['an exception of another unit', rtuFrame(9, 0x83, 2)],
    ['more values than asked for', registersFrame(1, 3, 99, 98)],
    ['no values', registersFrame(1, 3)],
    ['its end missing', sound.subarray(0, -1)],
  ])('refuses an answer with %s, and reads on over the same line', async (_what, answer) => {
    await start((request) => (request.address === FIRST.address ? request.say(answer) : request.reply(5)));
    await expect(bus.read(FIRST, DEADLINE_MS)).rejects.toMatchObject({ code: 'MODBUS_GARBLED' });
    expect(await bus.read(SECOND, DEADLINE_MS)).toEqual([5]);
    expect(server.connections).toBe(1);
    expect(bus.figure('garbled_total')).toBe(1);
  });

  it('says of a write whose answer is damaged that its outcome is unknown, and does not repeat it', async () => {
    await start((request) => request.say(Buffer.from([...request.bytes.subarray(0, -1), 0])));
    await expect(
      bus.write({ kind: 'registers', address: 1, values: [0x1234] }, DEADLINE_MS),
    ).rejects.toMatchObject({ code: 'MODBUS_GARBLED', retry: 'unknown-outcome' });
    expect(server.requests).toHaveLength(1);
  });

  it('reads through an adapter that hears itself, and takes its own voice for no answer', async () => {
    let isDeviceThere = true;
    await start((request) => {
      request.say(request.bytes);
      if (!isDeviceThere) return;
      if (request.functionCode === 6) request.say(request.bytes);
      else if (request.functionCode === 1) request.say(rtuFrame(1, 1, 3, 0xaa, 0, 0x18));
      else request.reply(73);
    });
    // The question for 24 coils from 0x0318 on reads like an answer to itself.
    const coils: UnitRead = { unitId: 1, table: 'coil', address: 0x0318, count: 24 };
    expect((await bus.read(coils, DEADLINE_MS)).slice(0, 8)).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
    expect(await bus.read(FIRST, DEADLINE_MS)).toEqual([73]);
    const write = () => bus.write({ kind: 'registers', address: 1, values: [2] }, DEADLINE_MS);
    expect(await write()).toEqual([]);
    isDeviceThere = false;
    await expect(write()).rejects.toMatchObject({ retry: 'unknown-outcome' });
    await expect(bus.read(coils, DEADLINE_MS)).rejects.toMatchObject({ code: 'MODBUS_GARBLED' });
  });

  it('discards what was said before it asked', async () => {
    await start((request) => request.reply(request.address), {
      greeting: registersFrame(1, 3, 99),
      pause_after_connect_ms: 100,
    });
    expect(await bus.read(FIRST, DEADLINE_MS)).toEqual([FIRST.address]);
    expect(server.connections).toBe(1);
  });

  it('reads on a line that never falls silent', async () => {
    await start((request) => request.reply(request.address));
    const babble = setInterval(() => server.say(Buffer.from([0x55])), 5);
    expect(await bus.read(FIRST, DEADLINE_MS)).toEqual([FIRST.address]);
    expect(await bus.read(SECOND, DEADLINE_MS)).toEqual([SECOND.address]);
    clearInterval(babble);
  });

  it('has done with a broadcast when it is sent, and gives the devices time before the next request', async () => {
    await start((request) => (request.unitId === 0 ? undefined : request.reply(5)), { timeout_ms: 3_000 });
    const startedAtMs = performance.now();
    const broadcast = { unitId: 0, isBroadcast: true };
    await bus.write({ kind: 'registers', address: 3, values: [7, 8] }, DEADLINE_MS, broadcast);
    expect(await bus.read(FIRST, DEADLINE_MS)).toEqual([5]);
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
    const [sent, next] = server.requests;
    expect(sent?.bytes).toEqual(rtuFrame(0, 16, 0, 3, 0, 2, 4, 0, 7, 0, 8));
    expect((next?.atMs ?? 0) - (sent?.atMs ?? 0)).toBeGreaterThanOrEqual(100);
  });

  it('reads registers of a file by function 20 (a scripted device: no server of another author has it)', async () => {
    await start((request) => request.say(rtuFrame(1, 20, 6, 5, 6, 0x12, 0x34, 0xff, 0xfe)));
    const span = { file: 4, record: 1, count: 2 };
    const call = { deadlineMs: DEADLINE_MS, priority: 'poll' } as const;
    expect(await bus.connection.ask({ kind: 'file', unitId: 1, span }, call)).toEqual([0x1234, 0xfffe]);
    expect(server.requests[0]?.bytes).toEqual(rtuFrame(1, 20, 7, 6, 0, 4, 0, 1, 0, 2));
  });

  it('has one request on the line, whatever is waiting', async () => {
    let open = 0;
    let most = 0;
    await start((request) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        request.reply(request.address);
      }, 5);
    });
    const addresses = Array.from({ length: 20 }, (_, index) => index);
    const answers = await Promise.all(
      addresses.map((address) => bus.read({ ...FIRST, address }, DEADLINE_MS)),
    );
    expect(answers).toEqual(addresses.map((address) => [address]));
    expect(most).toBe(1);
  });
});
