import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const ANSWER_AFTER_MS = 200;

/** A web server that says of each path whether the test lets it pass: `open` or `held`. */
export class HeldGate {
  readonly #held = new Set<string>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      await sleep(ANSWER_AFTER_MS);
      response.end(this.#held.has(request.url ?? '') ? 'held' : 'open');
    });
  }

  /** Resolves with host and port. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address: AddressInfo | string | null = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return `127.0.0.1:${address.port}`;
  }

  hold(path: string): void {
    this.#held.add(path);
  }

  open(path: string): void {
    this.#held.delete(path);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
