import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server whose answers wait until the test lets them go, by the path that is asked for. */
export class HeldGate {
  readonly #held = new Set<string>();
  readonly #waiting = new Map<string, ServerResponse[]>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '';
      if (!this.#held.has(path)) {
        response.end('go');
        return;
      }
      this.#waiting.set(path, [...(this.#waiting.get(path) ?? []), response]);
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address: AddressInfo | string | null = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return `127.0.0.1:${address.port}`;
  }

  hold(path: string): void {
    this.#held.add(path);
  }

  release(path: string): void {
    this.#held.delete(path);
    for (const response of this.#waiting.get(path) ?? []) response.end('go');
    this.#waiting.delete(path);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
