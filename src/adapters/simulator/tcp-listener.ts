import { createServer, type Server, type Socket } from 'node:net';
import type { Scheduler } from '../../runtime/clocks.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Framing } from './framing.ts';
import { type Answerer, LineClient } from './line-client.ts';

/** Real machines are not on the loopback interface, and the simulated line is on no other. */
export const HOST = '127.0.0.1';
/** More than any plant has masters; whoever comes then is turned away. */
const MAX_CLIENTS = 64;

/** Accepts the peers of a simulated line on one port of the loopback interface. */
export class TcpListener {
  readonly #framing: Framing;
  readonly #answer: Answerer;
  readonly #dependencies: { readonly logger: Logger; readonly scheduler: Scheduler };
  readonly #clients = new Map<Socket, LineClient>();
  #server: Server | undefined;

  constructor(
    framing: Framing,
    answer: Answerer,
    dependencies: { readonly logger: Logger; readonly scheduler: Scheduler },
  ) {
    this.#framing = framing;
    this.#answer = answer;
    this.#dependencies = dependencies;
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Resolves with the port, any free one for 0. Throws EdgeError SIMULATED_LINE_PORT. */
  async listen(port: number): Promise<number> {
    const server = createServer((socket) => this.#take(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(portError(port, error)));
      server.listen(port, HOST, resolve);
    });
    server.on('error', (error) =>
      this.#dependencies.logger.warn({ detail: messageOf(error) }, 'the simulated line cannot take a client'),
    );
    this.#server = server;
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /** Also closes what its clients hold open. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const client of this.#clients.values()) client.close();
    await closed;
  }

  #take(socket: Socket): void {
    const { logger, scheduler } = this.#dependencies;
    socket.on('error', (error) => logger.debug({ detail: messageOf(error) }, 'client left'));
    if (this.#clients.size >= MAX_CLIENTS) {
      logger.warn({ clients: MAX_CLIENTS }, 'the simulated line has no room for another client');
      socket.destroy();
      return;
    }
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 10_000);
    const client = new LineClient(socket, this.#framing, this.#answer, scheduler);
    this.#clients.set(socket, client);
    socket.once('close', () => this.#clients.delete(socket));
    client.listen((error) =>
      logger.error({ detail: messageOf(error) }, 'a request of the simulated line failed'),
    );
  }
}

function portError(port: number, error: unknown): EdgeError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new EdgeError('SIMULATED_LINE_PORT', `port ${port} is already in use`, {
      hint: `Stop the program that listens on port ${port}, or give the simulated line another port.`,
      cause: error,
    });
  return new EdgeError('SIMULATED_LINE_PORT', `cannot listen on port ${port}: ${messageOf(error)}`, {
    hint:
      code === 'EACCES'
        ? 'Ports below 1024 need a privilege: use 1502.'
        : 'Give the simulated line another port.',
    cause: error,
  });
}
