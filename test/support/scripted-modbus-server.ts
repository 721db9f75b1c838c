import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A Modbus TCP request as it arrived. */
export interface ArrivedRequest {
  readonly transactionId: number;
  readonly unitId: number;
  readonly functionCode: number;
  readonly address: number;
  /** The value, in a write of a single one. */
  readonly count: number;
  /** The whole request from the function code on. */
  readonly pdu: Buffer;
  /** 1 for the first connection, 2 for the next. */
  readonly connection: number;
  readonly socket: Socket;
  /** Answers with registers, under this request's transaction id unless another is given. */
  reply(words: readonly number[], transactionId?: number): void;
  /** Answers a write as it should be answered. */
  confirm(): void;
  /** Answers with these bytes from the function code on. */
  say(...pdu: readonly number[]): void;
  refuse(exception: number): void;
}

export interface ScriptedModbusServer {
  readonly port: number;
  readonly requests: readonly ArrivedRequest[];
  readonly connections: number;
  stop(): Promise<void>;
}

/** A server that does with each request what the test says, however wrong that is; `greeting` it says unasked. */
export async function startScriptedModbusServer(
  onRequest: (request: ArrivedRequest) => void,
  greeting?: string,
): Promise<ScriptedModbusServer> {
  const requests: ArrivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (greeting !== undefined) socket.write(greeting);
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      for (let length = frameLength(received); received.length >= length; length = frameLength(received)) {
        const request = parseRequest(received.subarray(0, length), connection, socket);
        received = received.subarray(length);
        requests.push(request);
        onRequest(request);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    requests,
    get connections() {
      return connections;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Modbus Messaging on TCP/IP Implementation Guide V1.0b, section 3.1.3. */
function frameLength(received: Buffer): number {
  return received.length < 6 ? 6 : 6 + received.readUInt16BE(4);
}

function parseRequest(frame: Buffer, connection: number, socket: Socket): ArrivedRequest {
  const ownId = frame.readUInt16BE(0);
  const unitId = frame.readUInt8(6);
  const functionCode = frame.readUInt8(7);
  const send = (transactionId: number, pdu: readonly number[]): void => {
    const answer = Buffer.alloc(7);
    answer.writeUInt16BE(transactionId, 0);
    answer.writeUInt16BE(pdu.length + 1, 4);
    answer.writeUInt8(unitId, 6);
    if (!socket.destroyed) socket.write(Buffer.concat([answer, Buffer.from(pdu)]));
  };
  return {
    transactionId: ownId,
    unitId,
    functionCode,
    address: frame.readUInt16BE(8),
    // A function without a count, such as 43, may be shorter.
    count: frame.length >= 12 ? frame.readUInt16BE(10) : 0,
    pdu: frame.subarray(7),
    connection,
    socket,
    reply: (words, transactionId = ownId) =>
      send(transactionId, [
        functionCode,
        words.length * 2,
        ...words.flatMap((word) => [word >> 8, word & 0xff]),
      ]),
    confirm: () => send(ownId, [...frame.subarray(7, functionCode === 22 ? 14 : 12)]),
    say: (...pdu) => send(ownId, pdu),
    refuse: (exception) => send(ownId, [functionCode | 0x80, exception]),
  };
}
