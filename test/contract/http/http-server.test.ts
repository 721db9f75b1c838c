import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpHandlers, HttpServer } from '../../../src/adapters/http/http-server.ts';
import type { Told } from '../../../src/app/told.ts';
import type { TurnReport } from '../../../src/app/turn-report.ts';
import { postControl } from '../../../src/commands/control-client.ts';
import { EdgeError } from '../../../src/runtime/edge-error.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';

const report: TurnReport = {
  turn_id: 'tr_1',
  station: 'ask',
  heard: 'help',
  intent: 'help',
  slots: {},
  outcome: 'COMPLETED',
  answer: 'You can say: …',
  readings: [],
  steps: [],
  session_id: 's',
  duration_ms: 1,
};

let ready = true;
const told: Told[] = [];
let takenUp = (): void => undefined;
let answered: Promise<void> = Promise.resolve();
const handlers: HttpHandlers = {
  status: () => ({ status: ready ? 'ok' : 'starting', ready, version: '1', uptime_s: 1, parts: [] }),
  points: () => [],
  history: async () => [],
  ask: async (text, _speak, station, turnId = report.turn_id) => {
    if (text === 'fail') throw new Error('a secret of the inside');
    if (text === 'refuse') throw new EdgeError('BUSY', 'too many', { hint: 'wait a little' });
    if (text === 'wait') {
      takenUp();
      await answered;
    }
    return {
      report: { ...report, heard: text, station, turn_id: turnId },
      told: (became) => void told.push(became),
    };
  },
  say: async () => ({ kind: 'played' }),
  sessions: {
    list: async () => [],
    show: async (id) => {
      throw new EdgeError('INPUT_INVALID', `no session "${id}".`);
    },
  },
};

let directory: string;
let servers: HttpServer[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-http-'));
  servers = [];
  ready = true;
});
afterEach(async () => {
  for (const server of servers) await server.stop(500);
  rmSync(directory, { recursive: true });
});

async function tcp(token?: string): Promise<string> {
  const server = new HttpServer({ kind: 'tcp', host: '127.0.0.1', port: 0, token }, handlers, silentLogger());
  servers.push(server);
  await server.start();
  return `http://127.0.0.1:${server.port}`;
}

async function socket(path = join(directory, 'control.sock')): Promise<string> {
  const server = new HttpServer({ kind: 'socket', path }, handlers, silentLogger());
  servers.push(server);
  await server.start();
  return path;
}

describe('over TCP', () => {
  it('answers /healthz, and /readyz by whether it is ready', async () => {
    const base = await tcp();
    expect(await (await fetch(`${base}/healthz`)).json()).toMatchObject({ status: 'ok', ready: true });
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
    ready = false;
    expect((await fetch(`${base}/readyz`)).status).toBe(503);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
  });

  it('wants the token when one is set', async () => {
    const base = await tcp('0123456789abcdef');
    expect((await fetch(`${base}/healthz`)).status).toBe(401);
    expect(
      (await fetch(`${base}/healthz`, { headers: { authorization: 'Bearer 0123456789abcdeX' } })).status,
    ).toBe(401);
    expect(
      (await fetch(`${base}/healthz`, { headers: { authorization: 'Bearer 0123456789abcdef' } })).status,
    ).toBe(200);
  });

  it('takes no commands: those come over the socket', async () => {
    const base = await tcp();
    expect((await fetch(`${base}/ask`, { method: 'POST', body: '{"text":"help"}' })).status).toBe(404);
  });

  it('has nothing at a path that is no address', async () => {
    const { port } = new URL(await tcp());
    for (const path of ['//', '//[', '/%', '/healthz/']) expect(await statusOf(Number(port), path)).toBe(404);
  });

  it('names the port that is taken', async () => {
    const base = await tcp();
    const second = new HttpServer(
      { kind: 'tcp', host: '127.0.0.1', port: Number(new URL(base).port), token: undefined },
      handlers,
      silentLogger(),
    );
    await expect(second.start()).rejects.toMatchObject({
      code: 'HTTP_LISTEN',
      message: expect.stringContaining(new URL(base).host),
    });
  });
});

describe('over the control socket', () => {
  it('says of an answer whether it has reached whoever asked', async () => {
    const path = await socket();
    told.length = 0;
    await postControl(path, '/ask', { text: 'help' });
    await eventually('it is told', () => told.length === 1);
    expect(told).toEqual([{ heard: true }]);
    let answer = (): void => undefined;
    answered = new Promise((resolve) => {
      answer = resolve;
    });
    const isTakenUp = new Promise<void>((resolve) => {
      takenUp = resolve;
    });
    const hasty = request({ socketPath: path, path: '/ask', method: 'POST' });
    const hungUp = once(hasty, 'error');
    hasty.end(JSON.stringify({ text: 'wait' }));
    await isTakenUp;
    hasty.destroy(new Error('hung up'));
    await hungUp;
    // The second answer comes after the server has looked at all its connections once more.
    for (let n = 0; n < 2; n += 1) await postControl(path, '/say', { text: 'hello' });
    answer();
    await eventually('it is told', () => told.length === 2);
    expect(told[1]).toEqual({ heard: false, why: 'whoever asked has hung up before the answer' });
  });

  it('takes commands', async () => {
    expect(await postControl(await socket(), '/ask', { text: 'help' })).toMatchObject({
      heard: 'help',
      outcome: 'COMPLETED',
    });
    expect(
      await postControl(servers[0] === undefined ? '' : join(directory, 'control.sock'), '/say', {
        text: 'hello',
      }),
    ).toEqual({ kind: 'played' });
  });

  it('is for this user alone', async () => {
    expect(statSync(await socket()).mode & 0o777).toBe(0o600);
  });

  it('refuses bad input with what is wrong, and tells nothing of its inside', async () => {
    const path = await socket();
    await expect(postControl(path, '/ask', { txt: 'help' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(postControl(path, '/ask', { text: 'x'.repeat(20_000) })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    await expect(postControl(path, '/ask', { text: ' ' })).rejects.toMatchObject({
      message: 'text: say what to ask',
    });
    await expect(postControl(path, '/ask', { text: 'refuse' })).rejects.toMatchObject({
      code: 'BUSY',
      hint: 'wait a little',
    });
    const failed = await postControl(path, '/ask', { text: 'fail' }).catch((error: unknown) => error);
    expect(String(failed)).not.toContain('secret');
    expect(await raw(path, '/ask', '{"text":')).toBe(400);
  });

  it('keeps the conversations of its callers apart, and takes no other station for theirs', async () => {
    const path = await socket();
    expect(await postControl(path, '/ask', { text: 'help' })).toMatchObject({ station: 'ask' });
    const station = 'ask-1000-pts.3';
    expect(await postControl(path, '/ask', { text: 'help', station })).toMatchObject({ station });
    for (const wrong of ['microphone', 'ask-', 'ask-a b', `ask-${'x'.repeat(61)}`])
      await expect(postControl(path, '/ask', { text: 'help', station: wrong })).rejects.toMatchObject({
        code: 'INPUT_INVALID',
      });
  });

  it('takes the id that a caller gives its turn, and refuses one of another form', async () => {
    const path = await socket();
    const turn_id = 'tr_0123456789ab';
    expect(await postControl(path, '/ask', { text: 'help', turn_id })).toMatchObject({ turn_id });
    await expect(postControl(path, '/ask', { text: 'help', turn_id: 'tr_8a3f2' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: 'turn_id: "tr_" and 12 of the digits 0 to 9 and a to f, new for each turn',
    });
  });

  it('answers a body that is too large before it has ended, and closes the connection', async () => {
    const path = await socket();
    const connection = createConnection(path);
    const received: string[] = [];
    connection.setEncoding('utf8').on('data', (text: string) => received.push(text));
    const closed = once(connection, 'close');
    connection.write('POST /ask HTTP/1.1\r\nhost: edge\r\ncontent-length: 1000000\r\n\r\n');
    connection.write('x'.repeat(20_000));
    await closed;
    expect(received.join('')).toMatch(/^HTTP\/1\.1 400 [\s\S]*connection: close[\s\S]*over 16384 bytes/iu);
  });

  it.each(['\u200b\u200d', '[[]]', '<b></b>', '\u0007'])(
    'refuses to say a text that holds nothing to speak: %j',
    async (text) => {
      await expect(postControl(await socket(), '/say', { text })).rejects.toMatchObject({
        code: 'INPUT_INVALID',
      });
    },
  );

  it('replaces the socket that a killed daemon left, but not one that still answers', async () => {
    const path = join(directory, 'control.sock');
    writeFileSync(path, '');
    await socket(path);
    expect(await postControl(path, '/ask', { text: 'help' })).toMatchObject({ heard: 'help' });
    const second = new HttpServer({ kind: 'socket', path }, handlers, silentLogger());
    await expect(second.start()).rejects.toMatchObject({ code: 'ALREADY_RUNNING' });
    expect(await postControl(path, '/ask', { text: 'help' })).toMatchObject({ heard: 'help' });
  });

  it('says that a state directory is too deep for a socket', async () => {
    await expect(socket(join(directory, 'x'.repeat(110), 'control.sock'))).rejects.toMatchObject({
      code: 'HTTP_LISTEN',
      message: expect.stringContaining('107'),
    });
  });

  it('is known to be absent when nobody listens', async () => {
    expect(await postControl(join(directory, 'none.sock'), '/ask', { text: 'help' })).toBeUndefined();
  });
});

/** The status for a path exactly as given; `fetch` would correct it. */
function statusOf(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', reject);
    call.end();
  });
}

function raw(socketPath: string, path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path, method: 'POST' }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', reject);
    call.end(body);
  });
}
