import { timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, unlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createConnection } from 'node:net';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { SessionReport, SessionSummary } from '../../app/engine/session-reports.ts';
import type { HistoryReport } from '../../app/history/history-answers.ts';
import type { LockReport } from '../../app/lock-desk.ts';
import type { NodeStatus } from '../../app/node-status.ts';
import type { Told } from '../../app/told.ts';
import type { ReadingReport, TurnReport } from '../../app/turn-report.ts';
import { MAX_LOCK_REASON } from '../../domain/gate/machine-lock.ts';
import { LANGUAGES, type Language, languageOf } from '../../domain/language/language.ts';
import { sayableText } from '../../domain/phrases/sayable-text.ts';
import { turnIdSchema } from '../../domain/session/turn-id.ts';
import type { EscalationTicket } from '../../domain/tool/ticket.ts';
import { EdgeError, isEdgeError, messageOf } from '../../runtime/edge-error.ts';
import { issuesText } from '../../runtime/issues-text.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service } from '../../runtime/service.ts';
import type { ToolSummary } from '../../tooling/tool-summary.ts';
import type { WorkflowList, WorkflowShown } from '../../tooling/workflow/workflow-reports.ts';
import { MEMORY_ROUTES, type MemoryHandlers } from './memory-routes.ts';

export interface AskAnswered {
  readonly report: TurnReport;
  /** Is told whether the report has reached whoever asked. */
  told(told: Told): void;
}

/** What the two listeners serve. */
export interface HttpHandlers {
  status(): NodeStatus;
  /** What is known of every point. */
  points(): readonly ReadingReport[];
  /** Throws EdgeError INPUT_INVALID or PERIOD_UNKNOWN. */
  history(machine: string, point: string | undefined, period: string): Promise<readonly HistoryReport[]>;
  /** `station` is whose conversation it belongs to; a `turnId` that is sent again is answered again. */
  ask(text: string, speak: boolean, station: string, turnId: string | undefined): Promise<AskAnswered>;
  say(text: string, language: Language | undefined): Promise<{ readonly kind: string }>;
  readonly sessions: {
    /** The one used last first. */
    list(limit: number): Promise<readonly SessionSummary[]>;
    /** By an id or the beginning of one. Throws EdgeError INPUT_INVALID. */
    show(id: string): Promise<SessionReport>;
  };
  readonly tools?: ToolHandlers;
  readonly workflows?: WorkflowHandlers;
  readonly locks?: LockHandlers;
  readonly memory?: MemoryHandlers;
}

/** What `hermes-edge lock`, `unlock` and `locks` ask for. */
export interface LockHandlers {
  list(): readonly LockReport[];
  /** Rejects with EdgeError INPUT_INVALID or LOCK_REFUSED, as does the next. */
  lock(machine: string, by: string, reason: string | undefined): Promise<LockReport>;
  unlock(machine: string, by: string): Promise<LockReport>;
}

/** What `hermes-edge workflows` asks for. */
export interface WorkflowHandlers {
  list(): Promise<WorkflowList>;
  /** By a name, or an id of a run or the beginning of one. Rejects with EdgeError INPUT_INVALID. */
  show(id: string): Promise<WorkflowShown>;
}

/** What `hermes-edge tools` and `tickets` ask for. */
export interface ToolHandlers {
  tools(): readonly ToolSummary[];
  tickets(): Promise<readonly EscalationTicket[]>;
  /** Rejects with EdgeError INPUT_INVALID when there is no such ticket, as do the next. */
  ticket(id: string): Promise<EscalationTicket>;
  acknowledge(id: string, by: string): Promise<EscalationTicket>;
  resolve(id: string, by: string, note: string | undefined): Promise<EscalationTicket>;
}

type Listen =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number; readonly token: string | undefined }
  /** A Unix socket readable by this user alone: the file's permission is the login. */
  | { readonly kind: 'socket'; readonly path: string };

const BAD_REQUESTS: readonly string[] = [
  'INPUT_INVALID',
  'PERIOD_UNKNOWN',
  'LOCK_REFUSED',
  'MEMORY_UNKNOWN',
  'DENIED',
];
const MAX_SESSIONS = 1000;
/** Names the session that a request is about: an id in the path would stand in logs and histories. */
const SESSION_HEADER = 'hermes-session';
const MAX_BODY_BYTES = 16 * 1024;
/** `sun_path` of Linux holds 108 bytes with the closing zero (unix(7)). */
const MAX_SOCKET_PATH_BYTES = 107;

const askSchema = z.strictObject({
  text: z.string().trim().min(1, 'say what to ask').max(2000, 'longer than 2000 characters'),
  speak: z.boolean().default(false),
  station: z
    .string()
    .regex(/^ask(-[\w.-]{1,60})?$/u, '"ask", or "ask-" and up to 60 letters, digits, "_", "." and "-"')
    .default('ask'),
  turn_id: turnIdSchema.optional(),
});
const saySchema = z.strictObject({
  text: z.string().trim().min(1, 'say what to speak').max(2000, 'longer than 2000 characters'),
  language: z.enum(LANGUAGES).optional(),
});

const resolveSchema = z.strictObject({
  id: z.string().min(1).max(100),
  by: z.string().trim().min(1, 'say who').max(100),
  status: z.enum(['acknowledged', 'resolved']).default('resolved'),
  note: z.string().trim().min(1).max(2000).optional(),
});

const unlockSchema = z.strictObject({
  machine: z.string().trim().min(1, 'say which machine').max(100, 'no machine has so long a name'),
  by: z.string().trim().min(1, 'say who').max(100),
});
const lockSchema = unlockSchema.extend({
  reason: z
    .string()
    .trim()
    .min(1)
    .max(MAX_LOCK_REASON, `longer than ${MAX_LOCK_REASON} characters`)
    .optional(),
});

const historySchema = z.strictObject({
  machine: z.string().max(100, 'no machine has so long a name'),
  point: z.string().max(100, 'no point has so long a name').optional(),
  period: z.string().trim().max(200, 'no period has so long a name'),
});

/**
 * One HTTP listener. Over TCP: `/healthz` and `/readyz`, which tell nothing secret and stay open on loopback; with a
 * token set, both want it. Over the Unix socket, for the command line of the same machine: these, `GET /points`, `GET /sessions` (one
 * of them with the header `hermes-session`), `POST /history`, `POST /ask`, `POST /say`, `GET /tools`, `GET /tickets`,
 * `GET /tickets/ID`, `POST /tickets/resolve`, `GET /workflows`, `GET /workflows/ID`, `GET /locks`, `POST /locks`,
 * `POST /locks/end`, and those of `MEMORY_ROUTES`.
 */
export class HttpServer implements Service {
  readonly name: string;
  readonly #listen: Listen;
  readonly #handlers: HttpHandlers;
  readonly #logger: Logger;
  #server: Server | undefined;

  constructor(listen: Listen, handlers: HttpHandlers, logger: Logger) {
    this.name = listen.kind === 'tcp' ? 'http' : 'control';
    this.#listen = listen;
    this.#handlers = handlers;
    this.#logger = logger;
  }

  /** Throws EdgeError HTTP_LISTEN when the port or the socket is taken or may not be used. */
  async start(): Promise<void> {
    const server = createServer({ requestTimeout: 60_000, headersTimeout: 10_000 }, (request, response) => {
      this.#answer(request, response).catch((error: unknown) => this.#fail(response, error));
    });
    const listen = this.#listen;
    if (listen.kind === 'socket') await prepareSocket(listen.path);
    const oldMask = listen.kind === 'socket' ? process.umask(0o177) : undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        if (listen.kind === 'tcp') server.listen(listen.port, listen.host, resolve);
        else server.listen(listen.path, resolve);
      });
    } catch (error) {
      throw new EdgeError('HTTP_LISTEN', `cannot listen on ${this.#where()}: ${messageOf(error)}`, {
        hint: 'is another hermes-edge running? Stop it, or set http.port (0 takes any free port)',
        cause: error,
      });
    } finally {
      if (oldMask !== undefined) process.umask(oldMask);
    }
    this.#server = server;
  }

  async stop(deadlineMs: number): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const force = setTimeout(() => server.closeAllConnections(), deadlineMs / 2);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    clearTimeout(force);
  }

  health(): Health {
    return this.#server === undefined
      ? { status: 'down', detail: 'not listening' }
      : { status: 'ok', detail: `listening on ${this.#where()}` };
  }

  /** The port that is really listened on, also where 0 was asked for; undefined before start and for sockets. */
  get port(): number | undefined {
    const address = this.#server?.address();
    return typeof address === 'object' && address !== null ? address.port : undefined;
  }

  #where(): string {
    return this.#listen.kind === 'tcp'
      ? `${this.#listen.host}:${this.port ?? this.#listen.port}`
      : this.#listen.path;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#allowed(request)) {
      return send(response, 401, { error: { code: 'UNAUTHORISED', message: 'a bearer token is required' } });
    }
    // Only the path counts, and "//" is one as well: a URL would take it for the name of a host.
    const [path = '/'] = (request.url ?? '/').split(/[?#]/u, 1);
    const route = `${request.method} ${path}`;
    if (route === 'GET /healthz') return send(response, 200, this.#handlers.status());
    if (route === 'GET /readyz') {
      const { ready, status } = this.#handlers.status();
      return send(response, ready ? 200 : 503, { ready, status });
    }
    if (this.#listen.kind === 'socket' && route === 'GET /points')
      return send(response, 200, { points: this.#handlers.points() });
    if (this.#listen.kind === 'socket' && route === 'GET /sessions') {
      const { sessions } = this.#handlers;
      const id = request.headers[SESSION_HEADER];
      return typeof id === 'string'
        ? send(response, 200, { session: await sessions.show(id) })
        : send(response, 200, { sessions: await sessions.list(MAX_SESSIONS) });
    }
    if (this.#listen.kind === 'socket' && route === 'POST /history') {
      const { machine, point, period } = await readBody(request, historySchema);
      return send(response, 200, { reports: await this.#handlers.history(machine, point, period) });
    }
    if (this.#listen.kind === 'socket' && route === 'POST /ask') {
      const { text, speak, station, turn_id } = await readBody(request, askSchema);
      const { report, told } = await this.#handlers.ask(text, speak, station, turn_id);
      whenSent(response, told);
      return send(response, 200, report);
    }
    if (this.#listen.kind === 'socket' && route === 'POST /say') {
      const { text, language } = await readBody(request, saySchema);
      if (sayableText(text, language ?? languageOf(text)) === '')
        throw new EdgeError('INPUT_INVALID', 'the text holds nothing that can be spoken');
      return send(response, 200, await this.#handlers.say(text, language));
    }
    const { tools, workflows, locks, memory } = this.#handlers;
    const ofMemory = MEMORY_ROUTES.get(route);
    if (this.#listen.kind === 'socket' && memory !== undefined && ofMemory !== undefined)
      return send(response, 200, await ofMemory(memory, (schema) => readBody(request, schema)));
    if (this.#listen.kind === 'socket' && workflows !== undefined) {
      if (route === 'GET /workflows') return send(response, 200, await workflows.list());
      if (route.startsWith('GET /workflows/'))
        return send(response, 200, await workflows.show(pathPart(path.slice('/workflows/'.length))));
    }
    if (this.#listen.kind === 'socket' && locks !== undefined) {
      if (route === 'GET /locks') return send(response, 200, { locks: locks.list() });
      if (route === 'POST /locks') {
        const { machine, by, reason } = await readBody(request, lockSchema);
        return send(response, 200, await locks.lock(machine, by, reason));
      }
      if (route === 'POST /locks/end') {
        const { machine, by } = await readBody(request, unlockSchema);
        return send(response, 200, await locks.unlock(machine, by));
      }
    }
    if (this.#listen.kind === 'socket' && tools !== undefined) {
      if (route === 'GET /tools') return send(response, 200, { tools: tools.tools() });
      if (route === 'GET /tickets') return send(response, 200, { tickets: await tools.tickets() });
      if (route.startsWith('GET /tickets/'))
        return send(response, 200, await tools.ticket(pathPart(path.slice('/tickets/'.length))));
      if (route === 'POST /tickets/resolve') {
        const { id, by, status, note } = await readBody(request, resolveSchema);
        const ended =
          status === 'resolved' ? await tools.resolve(id, by, note) : await tools.acknowledge(id, by);
        return send(response, 200, ended);
      }
    }
    return send(response, 404, { error: { code: 'NOT_FOUND', message: `no ${route} here` } });
  }

  #allowed(request: IncomingMessage): boolean {
    if (this.#listen.kind === 'socket' || this.#listen.token === undefined) return true;
    const given = Buffer.from(request.headers.authorization ?? '');
    const wanted = Buffer.from(`Bearer ${this.#listen.token}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  #fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (isEdgeError(error)) {
      // What is left of a body too large is not read: the connection goes with it.
      if (!response.req.complete) response.setHeader('connection', 'close');
      send(response, BAD_REQUESTS.includes(error.code) ? 400 : 503, {
        error: {
          code: error.code,
          message: error.message,
          ...(error.hint === undefined ? {} : { hint: error.hint }),
        },
      });
      return;
    }
    this.#logger.error({ error: messageOf(error) }, 'a request failed');
    send(response, 500, { error: { code: 'INTERNAL', message: 'the request failed; see the log' } });
  }
}

function pathPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new EdgeError('INPUT_INVALID', `not a path: ${text}`, { cause: error });
  }
}

/** Says once whether what is sent next has gone out whole, or whoever asked has hung up before. */
function whenSent(response: ServerResponse, told: (told: Told) => void): void {
  const gone: Told = { heard: false, why: 'whoever asked has hung up before the answer' };
  if (response.closed) {
    told(gone);
    return;
  }
  response.once('finish', () => told({ heard: true }));
  response.once('close', () => {
    if (!response.writableFinished) told(gone);
  });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(`${JSON.stringify(body)}\n`);
}

async function readBody<S extends z.ZodType>(request: IncomingMessage, schema: S): Promise<z.output<S>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Destroying the request at the first byte too many would take the connection before the answer is out.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw new EdgeError('INPUT_INVALID', `over ${MAX_BODY_BYTES} bytes`);
    chunks.push(part);
  }
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new EdgeError('INPUT_INVALID', `not JSON: ${messageOf(error)}`, { cause: error });
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new EdgeError('INPUT_INVALID', issuesText(parsed.error));
  return parsed.data;
}

/** Removes the socket file that a killed process left behind; refuses when one still answers on it. */
async function prepareSocket(path: string): Promise<void> {
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) {
    throw new EdgeError(
      'HTTP_LISTEN',
      `${path} is longer than the ${MAX_SOCKET_PATH_BYTES} bytes a socket may have`,
      {
        hint: 'choose a shorter state_dir',
      },
    );
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o750 });
  if (!existsSync(path)) return;
  const answered = await new Promise<boolean>((resolve) => {
    const probe = createConnection(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
  if (answered) {
    throw new EdgeError('ALREADY_RUNNING', `another hermes-edge answers on ${path}`, {
      hint: 'stop it first, or give this one another state_dir',
    });
  }
  unlinkSync(path);
}
