import type { Socket } from 'node:net';
import { modbusError, socketReason } from '../../domain/plc/modbus-error.ts';
import type { Scheduler } from '../../runtime/clocks.ts';
import { connectSocket, type Endpoint } from './connect-socket.ts';
import type { Line, LineEvents, LineSource } from './line.ts';

/** An idle connection whose other side vanished without a word is noticed after about twice this. */
const KEEP_ALIVE_MS = 10_000;

/** A TCP connection to a device or gateway. */
class SocketLine implements Line {
  readonly #socket: Socket;
  readonly #where: string;

  constructor(socket: Socket, where: string) {
    this.#socket = socket;
    this.#where = where;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
  }

  listen({ onBytes, onLost }: LineEvents): void {
    const lost = (reason: string, cause?: unknown): void =>
      onLost(modbusError('MODBUS_UNREACHABLE', `no answer from ${this.#where}: ${reason}`, cause));
    this.#socket.on('error', (error) => lost(socketReason(error), error));
    this.#socket.on('close', () => lost('connection closed by the other side'));
    this.#socket.on('data', onBytes);
  }

  write(bytes: Buffer, onSent?: () => void): void {
    if (onSent === undefined) this.#socket.write(bytes);
    else
      this.#socket.write(bytes, (error) => {
        if (error === undefined || error === null) onSent();
      });
  }

  release(): Promise<void> {
    this.#socket.removeAllListeners();
    // A destroyed socket may still report its error, and an error nobody listens to ends the process.
    this.#socket.on('error', () => undefined);
    this.#socket.destroy();
    return Promise.resolve();
  }
}

export function socketSource(endpoint: () => Endpoint, scheduler: Scheduler): LineSource {
  const where = (): string => {
    const { host, port } = endpoint();
    return `${host}:${port}`;
  };
  return {
    where,
    open: async (timeoutMs, signal) => {
      const there = where();
      return new SocketLine(await connectSocket(endpoint(), timeoutMs, scheduler, signal), there);
    },
  };
}
