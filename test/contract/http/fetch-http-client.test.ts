import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FetchHttpClient } from '../../../src/adapters/http-client/fetch-http-client.ts';
import { httpRequest } from '../../../src/app/capabilities/http-request.ts';
import type { HttpRequest } from '../../../src/app/ports/http-client.ts';
import { freePort } from '../../support/free-port.ts';
import { callOf } from '../../support/tool-pack.ts';

let server: Server;
let host: string;
let seen: { readonly url: string; readonly key: string | undefined }[];
let answer: (response: ServerResponse, url: string) => void;

beforeEach(async () => {
  seen = [];
  answer = (response) => response.end('{"ok":true}');
  server = createServer((request, response) => {
    const key = request.headers['idempotency-key'];
    seen.push({ url: request.url ?? '', key: typeof key === 'string' ? key : undefined });
    answer(response, request.url ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  host = `127.0.0.1:${address.port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const ask = (url: string, more: Partial<HttpRequest> = {}) =>
  new FetchHttpClient({ allowedHosts: [host] }).request({
    method: 'GET',
    url,
    timeoutMs: 5_000,
    maxResponseBytes: 1_000,
    ...more,
  });

describe('asking over HTTP', () => {
  it('gives status, headers and body, also of an answer that is an error', async () => {
    answer = (response) => response.writeHead(503, { 'x-why': 'tired' }).end('later');
    expect(await ask(`http://${host}/a`)).toMatchObject({
      status: 503,
      headers: { 'x-why': 'tired' },
      body: 'later',
    });
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://localhost/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'nonsense',
  ])('asks no other host than the site allows: %s', async (url) => {
    await expect(ask(url)).rejects.toMatchObject({ code: 'HTTP_NOT_ALLOWED' });
    expect(seen).toEqual([]);
  });

  it('takes no user and password in an address, and repeats none in its error', async () => {
    await expect(ask(`http://user:secret@${host}/`)).rejects.toMatchObject({
      code: 'HTTP_NOT_ALLOWED',
      message: expect.not.stringContaining('secret'),
    });
  });

  it('follows no redirect', async () => {
    answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end();
    expect((await ask(`http://${host}/a`)).status).toBe(302);
    expect(seen.map(({ url }) => url)).toEqual(['/a']);
  });

  it('stops reading an answer that is too long', async () => {
    answer = (response) => response.end('x'.repeat(100_000));
    await expect(ask(`http://${host}/`)).rejects.toMatchObject({ code: 'HTTP_TOO_LARGE' });
  });

  it('knows what was not sent from what may have arrived', async () => {
    const closed = `127.0.0.1:${await freePort()}`;
    const client = new FetchHttpClient({ allowedHosts: [closed] });
    const request = {
      method: 'POST',
      url: `http://${closed}/`,
      timeoutMs: 2_000,
      maxResponseBytes: 10,
    } as const;
    await expect(client.request(request)).rejects.toMatchObject({ code: 'HTTP_UNREACHABLE', retry: 'safe' });

    answer = () => undefined;
    await expect(ask(`http://${host}/`, { method: 'POST', timeoutMs: 100 })).rejects.toMatchObject({
      code: 'HTTP_FAILED',
      retry: 'unknown-outcome',
    });
    answer = (response) => response.destroy();
    await expect(ask(`http://${host}/`, { method: 'POST' })).rejects.toMatchObject({
      retry: 'unknown-outcome',
    });
  });
});

describe('a tool that asks over HTTP', () => {
  const use = (args: Record<string, string>) => {
    const capability = httpRequest({ http: new FetchHttpClient({ allowedHosts: [host] }) });
    return capability.run(capability.args.parse(args), {
      call: callOf('site-tool'),
      signal: new AbortController().signal,
    });
  };

  it('gives what changes something the key of its call', async () => {
    await use({ url: `http://${host}/a` });
    await use({ url: `http://${host}/b`, method: 'POST', body: '{}' });
    expect(seen.map(({ key }) => key)).toEqual([undefined, 'key-1']);
  });

  it('does not know the outcome of a change that was not answered', async () => {
    answer = (response) => response.destroy();
    await expect(use({ url: `http://${host}/`, method: 'POST' })).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
    await expect(use({ url: `http://${host}/` })).rejects.toMatchObject({ code: 'TOOL_UNAVAILABLE' });
  });
});
