import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A TCP server on a free port of the loopback interface. */
export interface LoopbackServer {
  readonly port: number;
  /** Made since it started. */
  readonly connections: number;
  /** Those that are open. */
  readonly sockets: ReadonlySet<Socket>;
  /** Ends every connection with it. */
  stop(): Promise<void>;
}

/** `onSocket` gets each connection with its number, from 1. */
export async function startLoopbackServer(
  onSocket: (socket: Socket, connection: number) => void,
): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    onSocket(socket, connections);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    sockets,
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

/** Hands on what a socket brings in whole frames; `lengthOf` says how long the first is, or how much has to come to know. */
export function onFrames(
  socket: Socket,
  lengthOf: (received: Buffer) => number,
  onFrame: (frame: Buffer) => void,
): void {
  let received = Buffer.alloc(0);
  socket.on('data', (data) => {
    received = Buffer.concat([received, data]);
    for (let length = lengthOf(received); received.length >= length; length = lengthOf(received)) {
      const frame = received.subarray(0, length);
      received = received.subarray(length);
      onFrame(frame);
    }
  });
}

/** Of a frame of Modbus TCP (Modbus Messaging on TCP/IP Implementation Guide V1.0b, section 3.1.3). */
export function tcpFrameLength(received: Buffer): number {
  return received.length < 6 ? 6 : 6 + received.readUInt16BE(4);
}
