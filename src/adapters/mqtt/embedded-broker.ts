import { createServer, type Server, type Socket } from 'node:net';
import type { Aedes } from 'aedes';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Health, Service } from '../../runtime/service.ts';

/** An MQTT broker of its own, on loopback only, for a machine that has none. */
export class EmbeddedBroker implements Service {
  readonly name = 'broker';
  readonly port: number;
  readonly #sockets = new Set<Socket>();
  #broker: Aedes | undefined;
  #server: Server | undefined;

  constructor(port: number) {
    this.port = port;
  }

  /** Throws EdgeError BROKER_PORT when the port is taken. */
  async start(): Promise<void> {
    const { Aedes } = await import('aedes');
    const broker = await Aedes.createBroker();
    const server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      broker.handle(socket);
    });
    this.#broker = broker;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => {
        reject(
          new EdgeError('BROKER_PORT', `cannot listen on 127.0.0.1:${this.port}: ${messageOf(error)}`, {
            hint: 'another program uses the port',
            cause: error,
          }),
        );
      });
      server.listen(this.port, '127.0.0.1', resolve);
    });
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    const broker = this.#broker;
    this.#server = undefined;
    this.#broker = undefined;
    if (broker !== undefined) await new Promise<void>((resolve) => broker.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  health(): Health {
    return this.#server === undefined
      ? { status: 'down', detail: 'not listening' }
      : { status: 'ok', detail: `listening on 127.0.0.1:${this.port}` };
  }
}
