import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import { faultRequestSchema, LINE_FAULTS } from '../../domain/plc/simulation/line-fault.ts';
import { EdgeError, isEdgeError, messageOf } from '../../runtime/edge-error.ts';
import { issuesText } from '../../runtime/issues-text.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service } from '../../runtime/service.ts';
import type { SimulatedLine } from './simulated-line.ts';

const MAX_BODY_BYTES = 4_096;
/** What is left of a request after this is not waited for. */
const REQUEST_TIMEOUT_MS = 5_000;

const clearSchema = z.strictObject({
  name: z.string().max(40).optional(),
  target: z.string().max(140).optional(),
});

/** The socket of the line on a port, in the directory of all running lines of this user. */
export function lineSocket(directory: string, port: number): string {
  return join(directory, `line-${port}.sock`);
}

/**
 * The control socket of a running line, for the command line of the same user: `POST /fault` puts a fault on it, `/clear`
 * takes faults away, `/faults` lists them, `/line` tells what the machines do. The file's permission is the login.
 * A line whose socket cannot be made runs without one.
 */
export class LineControl implements Service {
  readonly name = 'line control';
  readonly #directory: string;
  readonly #line: SimulatedLine;
  readonly #logger: Logger;
  #server: Server | undefined;
  #path: string | undefined;
  #trouble = 'not started';

  constructor(directory: string, line: SimulatedLine, logger: Logger) {
    this.#directory = directory;
    this.#line = line;
    this.#logger = logger;
  }

  async start(_signal: AbortSignal): Promise<void> {
    const port = this.#line.endpoint()?.port;
    if (port === undefined) return;
    const path = lineSocket(this.#directory, port);
    try {
      prepareDirectory(this.#directory);
      // The port is ours, so that a socket of its name was left behind by a line that was killed.
      rmSync(path, { force: true });
      const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
        this.#answer(request, response).catch((error: unknown) => fail(response, error, this.#logger));
      });
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(path, resolve);
      });
      chmodSync(path, 0o600);
      this.#server = server;
      this.#path = path;
    } catch (error) {
      this.#trouble = `no control socket ${path}: ${messageOf(error)}`;
      this.#logger.warn({ detail: this.#trouble }, 'faults cannot be put on this line from outside');
    }
  }

  async stop(_deadlineMs: number): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#path = undefined;
    if (server === undefined) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  health(): Health {
    return this.#path === undefined
      ? { status: 'off', detail: this.#trouble }
      : { status: 'ok', detail: `listening on ${this.#path}` };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (`${request.method} ${request.url}`) {
      case 'POST /fault':
        return send(response, 200, this.#line.fault(await bodyOf(request, faultRequestSchema)));
      case 'POST /clear': {
        const { name, target } = await bodyOf(request, clearSchema);
        return send(response, 200, { cleared: this.#line.clearFaults(name, target) });
      }
      case 'POST /faults':
        return send(response, 200, { faults: this.#line.faults(), known: LINE_FAULTS });
      case 'POST /line':
        return send(response, 200, { ...this.#line.endpoint(), machines: this.#line.machines() });
      default:
        return send(response, 404, { error: { code: 'NOT_FOUND', message: 'no such request' } });
    }
  }
}

/** A directory in a folder for all could be somebody else's. */
function prepareDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const found = lstatSync(directory);
  if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== process.getuid()))
    throw new EdgeError('SIMULATED_LINE_CONTROL', `${directory} belongs to somebody else`);
}

async function bodyOf<S extends z.ZodType>(request: IncomingMessage, schema: S): Promise<z.output<S>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw new EdgeError('USAGE', `over ${MAX_BODY_BYTES} bytes`);
    chunks.push(part);
  }
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new EdgeError('USAGE', `not JSON: ${messageOf(error)}`, { cause: error });
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new EdgeError('USAGE', issuesText(parsed.error));
  return parsed.data;
}

function fail(response: ServerResponse, error: unknown, logger: Logger): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (!response.req.complete) response.setHeader('connection', 'close');
  if (isEdgeError(error)) send(response, 400, { error: { code: error.code, message: error.message } });
  else {
    logger.error({ detail: messageOf(error) }, 'a request to the simulated line failed');
    send(response, 500, { error: { code: 'INTERNAL', message: 'the request failed; see the log' } });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
  response.end(`${JSON.stringify(body)}\n`);
}
