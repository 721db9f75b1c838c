import type { Socket } from 'node:net';
import { onFrames, startLoopbackServer, tcpFrameLength } from './loopback-server.ts';

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
  const server = await startLoopbackServer((socket, connection) => {
    if (greeting !== undefined) socket.write(greeting);
    onFrames(socket, tcpFrameLength, (frame) => {
      const request = parseRequest(frame, connection, socket);
      requests.push(request);
      onRequest(request);
    });
  });
  return {
    port: server.port,
    requests,
    get connections() {
      return server.connections;
    },
    stop: () => server.stop(),
  };
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
