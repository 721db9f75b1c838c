import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A request as it went by, from the function code on. */
export interface PassedRequest {
  readonly unitId: number;
  readonly functionCode: number;
  readonly pdu: Buffer;
}

export interface RecordingProxy {
  readonly port: number;
  /** Every request that the server behind it was sent. */
  readonly requests: readonly PassedRequest[];
  stop(): Promise<void>;
}

/** Stands before a Modbus TCP server and keeps what is asked of it. */
export async function startRecordingProxy(serverPort: number): Promise<RecordingProxy> {
  const requests: PassedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
    upstream.pipe(client);
    let received = Buffer.alloc(0);
    client.on('data', (data) => {
      received = Buffer.concat([received, data]);
      while (received.length >= 8 && received.length >= 6 + received.readUInt16BE(4)) {
        const end = 6 + received.readUInt16BE(4);
        const pdu = Buffer.from(received.subarray(7, end));
        requests.push({ unitId: received.readUInt8(6), functionCode: pdu.readUInt8(0), pdu });
        received = received.subarray(end);
      }
      upstream.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    requests,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
