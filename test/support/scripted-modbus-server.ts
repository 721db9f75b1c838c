import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A Modbus TCP request as it arrived. */
export interface ArrivedRequest {
  readonly transactionId: number;
  readonly unitId: number;
  readonly functionCode: number;
  readonly address: number;
  /** Of a read; of a write the word in its place. */
  readonly count: number;
  /** From the function code on. */
  readonly pdu: Buffer;
  /** 1 for the first connection, 2 for the next. */
  readonly connection: number;
  readonly socket: Socket;
  /** Answers with registers, under this request's transaction id unless another is given. */
  reply(words: readonly number[], transactionId?: number): void;
  /** Answers a write as it should be answered. */
  confirm(): void;
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
      while (received.length >= 12 && received.length >= frameLength(received)) {
        const request = parseRequest(received.subarray(0, frameLength(received)), connection, socket);
        received = received.subarray(frameLength(received));
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

/** The length field counts what follows it (Modbus Messaging on TCP/IP Implementation Guide V1.0b, section 3.1.3). */
function frameLength(received: Buffer): number {
  return 6 + received.readUInt16BE(4);
}

/** No request of a read or a write is shorter than 12 bytes. */
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
  const pdu = Buffer.from(frame.subarray(7));
  return {
    transactionId: ownId,
    unitId,
    functionCode,
    address: frame.readUInt16BE(8),
    count: frame.readUInt16BE(10),
    pdu,
    connection,
    socket,
    reply: (words, transactionId = ownId) =>
      send(transactionId, [
        functionCode,
        words.length * 2,
        ...words.flatMap((word) => [word >> 8, word & 0xff]),
      ]),
    // Functions 15 and 16 are answered with their first five bytes, the others with all.
    confirm: () => send(ownId, [...(functionCode === 15 || functionCode === 16 ? pdu.subarray(0, 5) : pdu)]),
    refuse: (exception) => send(ownId, [functionCode | 0x80, exception]),
  };
}
