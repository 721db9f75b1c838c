import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { scanPlant } from '../../../src/composition/plant-scan.ts';
import { deviceMapSchema } from '../../../src/domain/plc/device-map.ts';
import { scanSnippet } from '../../../src/domain/plc/scan/scan-snippet.ts';
import { startPymodbusServer } from '../../support/pymodbus-server.ts';
import { type ArrivedRequest, startScriptedModbusServer } from '../../support/scripted-modbus-server.ts';
import { startScriptedRtuServer } from '../../support/scripted-rtu-server.ts';
import { startSerialLine } from '../../support/serial-line.ts';

interface Stoppable {
  stop(): Promise<void>;
}

describe('a scan of a bus', () => {
  const open: Stoppable[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.stop();
  });

  const scan = (port: number, units: readonly number[], signal = new AbortController().signal) =>
    scanPlant(
      {
        target: { transport: 'tcp', host: '127.0.0.1', port },
        units,
        timeoutMs: 300,
        pauseMs: 0,
        onProgress: () => undefined,
      },
      signal,
    );

  async function scripted(onRequest: (request: ArrivedRequest) => void) {
    const server = await startScriptedModbusServer(onRequest);
    open.push(server);
    return server;
  }

  it('finds the units that answer and their tables, beside those that are silent', async () => {
    const server = await startPymodbusServer();
    open.push(server);
    await server.set(3, 'holding', 100, ...Array.from({ length: 40 }, (_, n) => n));
    await server.set(3, 'coil', 0, 1, 0, 1);
    await server.set(7, 'input', 0, ...Array.from({ length: 300 }, () => 1));
    const findings = await scan(server.port, [1, 3, 7]);
    expect(findings.answering).toEqual([3, 7]);
    expect(findings.timeouts).toBe(2);
    const [three, seven] = findings.units;
    expect(three?.tables).toMatchObject([
      { register: 'coil', outcome: 'readable', area: { first: 0, last: 2, goes_on: false } },
      { register: 'discrete_input', outcome: 'no_address_found' },
      { register: 'holding', outcome: 'readable', area: { first: 100, last: 139, goes_on: false } },
      { register: 'input', outcome: 'no_address_found' },
    ]);
    expect(seven?.tables.find(({ register }) => register === 'input')).toMatchObject({
      area: { first: 0, last: 299, goes_on: false },
      most_per_request: 125,
    });
  });

  it('finds the most that one request may ask for, and ends in a file that loads', async () => {
    const server = await scripted((request) => {
      if (request.functionCode !== 3) request.refuse(1);
      else if (request.count > 32) request.refuse(3);
      else if (request.address + request.count > 500) request.refuse(2);
      else request.reply(Array.from({ length: request.count }, () => 7));
    });
    const findings = await scan(server.port, [1]);
    expect(findings.units[0]?.tables.find(({ register }) => register === 'holding')).toMatchObject({
      area: { first: 0, goes_on: true },
      most_per_request: 32,
    });
    expect(findings.units[0]?.tables.find(({ register }) => register === 'coil')?.outcome).toBe(
      'unsupported',
    );
    const text = scanSnippet({ transport: 'tcp', host: '127.0.0.1', port: server.port }, findings);
    const map = deviceMapSchema.parse(parse(`${text}machines: {}\n`));
    expect(map.devices['unit-1']).toMatchObject({ unit_id: 1, max_registers_per_request: 32 });
  });

  it('asks with nothing but reads, one at a time over one connection', async () => {
    let inFlight = 0;
    let most = 0;
    const server = await scripted((request) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      setImmediate(() => {
        inFlight -= 1;
        if (request.functionCode === 0x2b) request.refuse(1);
        else if (request.functionCode > 2 && request.address < 10)
          request.reply(new Array(request.count).fill(1));
        else request.refuse(2);
      });
    });
    const findings = await scan(server.port, [1, 2]);
    expect(findings.answering).toEqual([1, 2]);
    expect(most).toBe(1);
    expect(server.connections).toBe(1);
    for (const { functionCode } of server.requests) expect([1, 2, 3, 4, 0x2b]).toContain(functionCode);
  });

  it('says of a device that does not look at the unit id that it is one', async () => {
    const server = await scripted((request) => {
      if (request.functionCode === 3 && request.address + request.count <= 8)
        request.reply(new Array(request.count).fill(1));
      else request.refuse(2);
    });
    const findings = await scan(server.port, [0, 1, 2, 3, 255]);
    expect(findings).toMatchObject({ answers_every_unit: true, is_one_device: true });
    expect(findings.units.map(({ unit_id }) => unit_id)).toEqual([1]);
  });

  it("tells a gateway's word about a missing device from a device", async () => {
    const server = await scripted((request) => {
      if (request.unitId === 5) request.refuse(2);
      else request.refuse(request.unitId === 6 ? 10 : 11);
    });
    const findings = await scan(server.port, [4, 5, 6]);
    expect(findings.answering).toEqual([5]);
    expect(findings.gateway_refused).toEqual([
      { unit_id: 4, exception: 11 },
      { unit_id: 6, exception: 10 },
    ]);
  });

  it('notices a device that closes the connection after each answer', async () => {
    const server = await scripted((request) => {
      request.refuse(2);
      request.socket.end();
    });
    const findings = await scanPlant(
      {
        target: { transport: 'tcp', host: '127.0.0.1', port: server.port },
        units: [1],
        timeoutMs: 300,
        pauseMs: 20,
        onProgress: () => undefined,
      },
      new AbortController().signal,
    );
    expect(findings.closes_after_answer).toBe(true);
    expect(findings.answering).toEqual([1]);
  });

  it('gives what it has found when it is interrupted', async () => {
    const interruption = new AbortController();
    const server = await scripted((request) => {
      if (server.requests.length === 10) interruption.abort();
      request.refuse(2);
    });
    const findings = await scan(server.port, [1, 2], interruption.signal);
    expect(findings.ended_early).toBe('interrupted');
    expect(findings.answering).toEqual([1, 2]);
  });

  it('takes a late answer for nothing else', async () => {
    const server = await scripted((request) => {
      if (request.unitId === 1) setTimeout(() => request.reply([1]), 400);
      else request.refuse(2);
    });
    const findings = await scan(server.port, [1, 2]);
    expect(findings.answering).toEqual([2]);
  });

  it.each(['RTU over TCP', 'a serial port'] as const)('goes through %s as well', async (way) => {
    const server = await startScriptedRtuServer((request) => {
      const count = request.bytes.readUInt16BE(4);
      if (request.unitId !== 5) return;
      if (request.functionCode === 4 && request.address + count <= 10)
        request.reply(...new Array(count).fill(7));
      else request.refuse(2);
    });
    open.push(server);
    const line = way === 'a serial port' ? await startSerialLine(server.port) : undefined;
    if (line !== undefined) open.push({ stop: () => line.remove() });
    const findings = await scanPlant(
      {
        target:
          line === undefined
            ? { transport: 'rtu_over_tcp', host: '127.0.0.1', port: server.port }
            : { transport: 'rtu', serialPath: line.path, baudRate: 19_200, parity: 'even', stopBits: 1 },
        units: [4, 5],
        timeoutMs: 300,
        pauseMs: 0,
        onProgress: () => undefined,
      },
      new AbortController().signal,
    );
    expect(findings.answering).toEqual([5]);
    expect(findings.units[0]?.tables.find(({ register }) => register === 'input')).toMatchObject({
      area: { first: 0, last: 9, goes_on: false },
    });
  });

  it.each<[string, (socket: Socket) => void, object]>([
    ['another protocol', (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'), { foreign: 2, broken: 2 }],
    ['a port that only listens', () => undefined, { foreign: 0, broken: 0, timeouts: 2 }],
    ['a port that hangs up', (socket) => socket.once('data', () => socket.end()), { foreign: 0, broken: 2 }],
  ])('tells what answers and is no Modbus: %s', async (_what, onConnection, found) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.resume();
      onConnection(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ stop: () => new Promise((resolve) => server.close(() => resolve())) });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await scan(port, [1])).toMatchObject({ answering: [], ...found });
  });

  it('fails when nobody is there', async () => {
    const server = await startScriptedModbusServer(() => undefined);
    await server.stop();
    await expect(scan(server.port, [1])).rejects.toMatchObject({ code: 'MODBUS_UNREACHABLE' });
  });
});
