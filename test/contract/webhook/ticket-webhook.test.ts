import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database.ts';
import { STATE_MIGRATIONS } from '../../../src/adapters/sqlite/state-migrations.ts';
import { TicketWebhook } from '../../../src/adapters/webhook/ticket-webhook.ts';
import type { OutboxMessage } from '../../../src/app/ports/session-store.ts';
import { composeTickets } from '../../../src/composition/tickets.ts';
import { configSchema } from '../../../src/config/config-schema.ts';
import { createEnvelope } from '../../../src/domain/envelope.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

let server: Server;
let port: number;
let seen: Seen[];
let status: number | 'silent';

beforeEach(async () => {
  seen = [];
  status = 200;
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    request.on('end', () => {
      seen.push({
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: JSON.parse(text),
      });
      if (status === 'silent') return;
      response.writeHead(status, { location: '/elsewhere' });
      response.end('{"ok":true}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const clocks = systemClocks();
function tell(
  options: { readonly token?: string; readonly timeoutMs?: number } = {},
  signal = new AbortController().signal,
) {
  const webhook = new TicketWebhook(
    { url: `http://127.0.0.1:${port}/tickets?key=1`, timeoutMs: 2000, ...options },
    (schema) => createEnvelope(clocks, 'synced', schema),
  );
  return webhook.tell(
    'tk_1/opened/webhook',
    { event: 'opened', ticket: { id: 'tk_1', message: '无应答' } },
    signal,
  );
}

describe('the webhook of tickets', () => {
  it('posts the ticket in an envelope, with a key that makes a repeat harmless', async () => {
    expect(await tell({ token: 's3cret' })).toEqual({ kind: 'delivered' });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/tickets?key=1',
      headers: { 'idempotency-key': 'tk_1/opened/webhook', authorization: 'Bearer s3cret' },
      body: { schema: 'ticket/1', id: 'tk_1/opened/webhook', event: 'opened', ticket: { message: '无应答' } },
    });
  });

  it.each([429, 408, 500, 503])('is tried again after %d', async (answer) => {
    status = answer;
    expect(await tell()).toEqual({ kind: 'later', why: `the webhook answered ${answer}`, scope: 'message' });
  });

  it.each([400, 401, 404, 410])('is given up after %d', async (answer) => {
    status = answer;
    expect(await tell()).toEqual({ kind: 'never', why: `the webhook answered ${answer}` });
  });

  it('does not take its token elsewhere', async () => {
    status = 307;
    expect(await tell({ token: 's3cret' })).toEqual({ kind: 'never', why: 'the webhook answered 307' });
    expect(seen).toHaveLength(1);
  });

  it('does not wait for a server that is silent, nor after it was called off', async () => {
    status = 'silent';
    expect(await tell({ timeoutMs: 50 })).toMatchObject({ kind: 'later' });
    expect(await tell({}, AbortSignal.abort())).toMatchObject({ kind: 'later' });
  });

  it('gets the tickets of a node that names it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hermes-webhook-'));
    const { database } = await Database.open(join(directory, 'state.db'), STATE_MIGRATIONS, new Date());
    const outbox: OutboxMessage[] = [];
    const config = configSchema.parse({
      tickets: { webhook_url: `http://127.0.0.1:${port}/desk`, webhook_token: 't0ken' },
    });
    const { tickets, deliverer } = composeTickets(
      config,
      {
        database,
        outbox: {
          add: async (message) => {
            outbox.push(message);
            return { state: 'waiting' };
          },
        },
        envelope: (schema) => createEnvelope(clocks, 'synced', schema),
        sinks: [],
      },
      { clocks, scheduler: systemScheduler, logger: silentLogger() },
    );
    await tickets.start();
    const id = await tickets.open({
      tool: 'read-value',
      code: 'TOOL_OOM',
      message: 'used 80 MB',
      input: {},
      path: ['read-value'],
      sessionId: 's',
      turnId: 'tr_1',
      stateHash: undefined,
      safety: false,
    });
    for (const message of outbox) await deliverer.deliver(message, new AbortController().signal);
    expect(seen).toMatchObject([
      {
        url: '/desk',
        headers: { authorization: 'Bearer t0ken' },
        body: { event: 'opened', ticket: { id, code: 'TOOL_OOM' } },
      },
    ]);
    await tickets.stop();
    await database.close();
    rmSync(directory, { recursive: true });
  });

  it('says why nobody can be reached', async () => {
    await new Promise((resolve) => server.close(resolve));
    expect(await tell()).toMatchObject({ kind: 'later', why: expect.stringContaining('ECONNREFUSED') });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  });
});
