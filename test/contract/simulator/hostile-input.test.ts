import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { answerRequest } from '../../../src/adapters/simulator/device-answers.ts';
import { rtuFraming, tcpFraming } from '../../../src/adapters/simulator/framing.ts';
import { eventually } from '../../support/eventually.ts';
import { type StartedLine, startLine } from '../../support/simulated-line.ts';

/** A request for the speed of motor a, and what it is held at. */
const SPEED = 2950;
const ask = (transactionId: number) =>
  Buffer.from([transactionId >> 8, transactionId & 0xff, 0, 0, 0, 6, 3, 3, 0, 0, 0, 1]);
const answer = (transactionId: number) =>
  Buffer.from([transactionId >> 8, transactionId & 0xff, 0, 0, 0, 5, 3, 3, 2, SPEED >> 8, SPEED & 0xff]);

describe('the simulated line and peers that mean it no good', () => {
  const sockets: Socket[] = [];
  let started: StartedLine | undefined;

  const start = async (...options: Parameters<typeof startLine>) => {
    started = await startLine(...options);
    started.line.hold({ machine: 'motor-a', point: 'speed' }, SPEED);
    return started;
  };
  const dial = async (port: number) => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    const peer = { socket, received: Buffer.alloc(0), isClosed: false };
    socket.on('data', (bytes: Buffer) => {
      peer.received = Buffer.concat([peer.received, bytes]);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      peer.isClosed = true;
    });
    await once(socket, 'connect');
    return peer;
  };
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await started?.stop();
  });

  it('answers requests that come many at once in their order, each under its own number', async () => {
    const { port } = await start({ responseDelayMs: () => 1 });
    const peer = await dial(port);
    const numbers = Array.from({ length: 200 }, (_, index) => index * 7);
    peer.socket.write(Buffer.concat(numbers.map(ask)));
    const all = Buffer.concat(numbers.map(answer));
    await eventually('all answers', () => peer.received.length >= all.length);
    expect(peer.received).toEqual(all);
  });

  it('puts a request together from single bytes', async () => {
    const { port } = await start();
    const peer = await dial(port);
    peer.socket.setNoDelay(true);
    for (const byte of Buffer.concat([ask(1), ask(2)])) {
      peer.socket.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    const all = Buffer.concat([answer(1), answer(2)]);
    await eventually('both answers', () => peer.received.length >= all.length);
    expect(peer.received).toEqual(all);
  });

  it('closes on what is no Modbus TCP, and answers the next peer', async () => {
    const { port } = await start();
    const rude = await dial(port);
    rude.socket.write('GET / HTTP/1.1\r\n\r\n');
    await eventually('it is closed', () => rude.isClosed);
    expect(rude.received.length).toBe(0);
    const polite = await dial(port);
    polite.socket.write(ask(5));
    await eventually('an answer', () => polite.received.length >= 11);
    expect(polite.received).toEqual(answer(5));
  });

  it('takes a limited number of peers', async () => {
    const { line, port } = await start();
    const peers = await Promise.all(Array.from({ length: 70 }, () => dial(port)));
    await eventually('the rest is turned away', () => peers.filter((peer) => peer.isClosed).length === 6);
    expect(line.health().figures?.['open_connections']).toBe(64);
  });

  it('stays well whatever bytes arrive over TCP', async () => {
    const { port } = await start();
    const header = fc.tuple(fc.nat(0xffff), fc.nat(30), fc.nat(255), fc.uint8Array({ maxLength: 30 }));
    const framed = header.map(([id, length, unit, body]) =>
      Buffer.concat([Buffer.from([id >> 8, id & 0xff, 0, 0, 0, length, unit]), body]),
    );
    const raw = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(framed, raw), { minLength: 1, maxLength: 5 }), async (chunks) => {
        const rude = await dial(port);
        for (const chunk of chunks) rude.socket.write(chunk);
        const polite = await dial(port);
        polite.socket.write(ask(9));
        await eventually('an answer', () => polite.received.length >= 11);
        expect(polite.received).toEqual(answer(9));
        rude.socket.destroy();
        polite.socket.destroy();
      }),
      { numRuns: 60 },
    );
  });

  it('finds the next request after garbage on serial frames, once the line has been silent', async () => {
    const { line } = await start({ rtuOverTcpPort: 0 });
    const peer = await dial(line.rtuEndpoint()?.port ?? 0);
    const request = rtuFraming.encode(
      { unitId: 3, request: Buffer.alloc(0), transactionId: 0 },
      Buffer.from([3, 0, 0, 0, 1]),
    );
    peer.socket.write(Buffer.from([3, 3, 0, 0, 9, 9, 9, 9, 1, 2]));
    const expected = rtuFraming.encode(
      { unitId: 3, request: Buffer.alloc(0), transactionId: 0 },
      Buffer.from([3, 2, SPEED >> 8, SPEED & 0xff]),
    );
    // Asked again as a master would, until the silence before the request has been long enough.
    await eventually('an answer', async () => {
      peer.socket.write(request);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return peer.received.length >= expected.length;
    });
    expect(peer.received.subarray(0, expected.length)).toEqual(expected);
  });
});

describe('requests out of thin air', () => {
  const memory = {
    read: (_table: string, address: number, count: number) =>
      address + count > 100 ? { exception: 2 } : { cells: Array<number>(count).fill(1) },
    write: (_table: string, address: number) => (address > 50 ? { exception: 2 } : undefined),
    readFile: (file: number, _record: number, count: number) =>
      file === 1 ? { cells: Array<number>(count).fill(7) } : { exception: 2 },
  };

  it('get an answer that fits them, or an exception, and never more than a frame', () => {
    const body = fc.uint8Array({ maxLength: 260 });
    const short = fc.array(fc.oneof(fc.constantFrom(0, 1, 2, 6, 7), fc.nat(255)), { maxLength: 24 });
    fc.assert(
      fc.property(fc.nat(255), fc.oneof(body, short), (functionCode, rest) => {
        const request = Buffer.from([functionCode, ...rest]);
        const reply = answerRequest(request, memory);
        expect(reply.length).toBeGreaterThanOrEqual(2);
        expect(reply.length).toBeLessThanOrEqual(253);
        if (reply[0] !== functionCode || functionCode >= 0x80) {
          expect(reply[0]).toBe(functionCode | 0x80);
          expect(reply.length).toBe(2);
          expect([1, 2, 3]).toContain(reply[1]);
          return;
        }
        const isRead = [1, 2, 3, 4, 20, 23].includes(functionCode);
        if (isRead) expect(reply[1]).toBe(reply.length - 2);
        else expect(reply.subarray(0, 5)).toEqual(request.subarray(0, 5));
        if (functionCode === 3 || functionCode === 4) expect(reply[1]).toBe(request.readUInt16BE(3) * 2);
      }),
      { numRuns: 3_000 },
    );
  });

  it('come off the wire as they were put on it, wherever the bytes are cut', () => {
    for (const framing of [tcpFraming, rtuFraming])
      fc.assert(
        fc.property(
          fc.nat(255),
          fc.nat(framing.name === 'tcp' ? 0xffff : 0),
          fc.nat(7),
          (unitId, transactionId, cut) => {
            const frame = { unitId, transactionId, request: Buffer.from([3, 0, 1, 0, 2]) };
            const encoded = framing.encode(frame, frame.request);
            expect(framing.next(encoded.subarray(0, cut), false)).toEqual({ kind: 'incomplete' });
            expect(framing.next(Buffer.concat([encoded, encoded]), false)).toEqual({
              kind: 'frame',
              frame,
              size: encoded.length,
            });
            expect(framing.next(framing.garble(encoded), false)).toEqual({ kind: 'lost' });
          },
        ),
      );
  });
});
