import type { Socket } from 'node:net';
import { onFrames, startLoopbackServer } from './loopback-server.ts';

/** A request in the frame of a serial line, as it arrived. */
export interface ArrivedFrame {
  readonly unitId: number;
  readonly functionCode: number;
  readonly address: number;
  /** The whole request. */
  readonly bytes: Buffer;
  readonly atMs: number;
  readonly socket: Socket;
  /** Says these bytes as they are. */
  say(bytes: Uint8Array): void;
  /** Answers with registers. */
  reply(...words: readonly number[]): void;
  refuse(exception: number): void;
}

export interface ScriptedRtuServer {
  readonly port: number;
  readonly requests: readonly ArrivedFrame[];
  readonly connections: number;
  /** To all who are connected. */
  say(bytes: Uint8Array): void;
  stop(): Promise<void>;
}

/** A serial line behind a TCP port that does with each request what the test says, however wrong; `greeting` it says unasked. */
export async function startScriptedRtuServer(
  onRequest: (request: ArrivedFrame) => void,
  greeting?: Uint8Array,
): Promise<ScriptedRtuServer> {
  const requests: ArrivedFrame[] = [];
  const server = await startLoopbackServer((socket) => {
    socket.setNoDelay(true);
    if (greeting !== undefined) socket.write(greeting);
    onFrames(socket, requestLength, (frame) => {
      const request = arrived(frame, socket);
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
    say(bytes) {
      for (const socket of server.sockets) socket.write(bytes);
    },
    stop: () => server.stop(),
  };
}

/** The bytes with their checksum, reckoned bit by bit as Modbus over Serial Line V1.02, section 6.2.2, shows it. */
export function rtuFrame(...bytes: readonly number[]): Buffer {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      const carry = crc & 1;
      crc >>= 1;
      if (carry === 1) crc ^= 0xa001;
    }
  }
  return Buffer.from([...bytes, crc & 0xff, crc >> 8]);
}

export function registersFrame(unitId: number, functionCode: number, ...words: readonly number[]): Buffer {
  const bytes = words.flatMap((word) => [word >> 8, word & 0xff]);
  return rtuFrame(unitId, functionCode, bytes.length, ...bytes);
}

function requestLength(received: Buffer): number {
  const functionCode = received[1] ?? 0;
  if (functionCode === 15 || functionCode === 16) return 9 + (received[6] ?? 0);
  if (functionCode === 20) return 5 + (received[2] ?? 0);
  return functionCode === 22 ? 10 : 8;
}

function arrived(bytes: Buffer, socket: Socket): ArrivedFrame {
  const unitId = bytes.readUInt8(0);
  const functionCode = bytes.readUInt8(1);
  const say = (said: Uint8Array): void => {
    if (!socket.destroyed) socket.write(said);
  };
  return {
    unitId,
    functionCode,
    address: bytes.readUInt16BE(2),
    bytes,
    atMs: performance.now(),
    socket,
    say,
    reply: (...words) => say(registersFrame(unitId, functionCode, ...words)),
    refuse: (exception) => say(rtuFrame(unitId, functionCode | 0x80, exception)),
  };
}
