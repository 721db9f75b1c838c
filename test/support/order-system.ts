import { createServer, type Server } from 'node:http';
import { z } from 'zod';

export const ORDER_TOKEN = 'token-of-the-site';

/** A work order system that heeds idempotency keys, as the draft of the header describes it. */
export class OrderSystem {
  readonly bodies: unknown[] = [];
  readonly byKey = new Map<string, string>();
  /** Of every request, repeats among them. */
  readonly keys: string[] = [];
  /** Answers this instead of taking an order. */
  status: number | undefined;
  /** Takes the order and breaks the connection before the answer. */
  breaks = false;
  /** Hears of every order before it is answered. */
  readonly #onTaken: () => void;
  #server: Server | undefined;

  constructor(onTaken: () => void = () => undefined) {
    this.#onTaken = onTaken;
  }

  /** Resolves with the port; 0 takes any that is free. */
  async start(port = 0): Promise<number> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        const key = String(request.headers['idempotency-key']);
        this.keys.push(key);
        if (request.headers.authorization !== `Bearer ${ORDER_TOKEN}`) return response.writeHead(401).end();
        if (this.status !== undefined) return response.writeHead(this.status).end();
        const known = this.byKey.get(key);
        const number = known ?? `WO-${this.byKey.size + 900}`;
        if (known === undefined)
          this.bodies.push({ path: request.url, ...z.looseObject({}).parse(JSON.parse(body)) });
        this.byKey.set(key, number);
        this.#onTaken();
        if (this.breaks) return response.destroy();
        return response
          .writeHead(201, { 'content-type': 'application/json' })
          .end(JSON.stringify({ number }));
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.#server = server;
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server listens on no port');
    return address.port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
