import { connect, type Socket } from 'node:net';
import { onFrames, startLoopbackServer, tcpFrameLength } from './loopback-server.ts';

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

/** Stands before a Modbus TCP server and keeps what is asked of it; `onRequest` hears of each once it has gone by. */
export async function startRecordingProxy(
  serverPort: number,
  onRequest: (request: PassedRequest) => void = () => undefined,
): Promise<RecordingProxy> {
  const requests: PassedRequest[] = [];
  const upstreams = new Set<Socket>();
  const server = await startLoopbackServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    upstreams.add(upstream);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
    upstream.pipe(client);
    client.on('data', (data) => upstream.write(data));
    onFrames(client, tcpFrameLength, (frame) => {
      const pdu = Buffer.from(frame.subarray(7));
      const request = { unitId: frame.readUInt8(6), functionCode: pdu.readUInt8(0), pdu };
      requests.push(request);
      onRequest(request);
    });
  });
  return {
    port: server.port,
    requests,
    async stop() {
      for (const upstream of upstreams) upstream.destroy();
      await server.stop();
    },
  };
}
