import { request } from 'node:http';
import { EdgeError, messageOf } from '../runtime/edge-error.ts';

const WITHIN_MS = 60_000;

/**
 * Posts to the running daemon's control socket; undefined when no daemon answers there.
 * Throws EdgeError with the daemon's own code and message when it refuses, and DAEMON_SILENT when it says nothing for `withinMs`.
 */
export function postControl(
  socketPath: string,
  path: string,
  body: unknown,
  withinMs = WITHIN_MS,
): Promise<unknown> {
  return callControl(socketPath, 'POST', path, JSON.stringify(body), {}, withinMs);
}

/** As `postControl`, for what only asks. */
export function getControl(
  socketPath: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  return callControl(socketPath, 'GET', path, undefined, headers);
}

async function callControl(
  socketPath: string,
  method: 'GET' | 'POST',
  path: string,
  body: string | undefined,
  headers: Readonly<Record<string, string>>,
  withinMs = WITHIN_MS,
): Promise<unknown> {
  const reply = await new Promise<{ readonly status: number; readonly text: string } | undefined>(
    (resolve, reject) => {
      const call = request(
        {
          socketPath,
          path,
          method,
          headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
          timeout: withinMs,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
          );
          response.on('error', reject);
        },
      );
      call.on('timeout', () =>
        call.destroy(new EdgeError('DAEMON_SILENT', `the daemon did not answer within ${withinMs / 1000} s`)),
      );
      call.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
        else if (error.code === 'EACCES') {
          reject(
            new EdgeError('DAEMON_FORBIDDEN', `this user may not use ${socketPath}`, {
              hint: 'run the command as the user the daemon runs as',
              cause: error,
            }),
          );
        } else
          reject(
            error instanceof EdgeError
              ? error
              : new EdgeError('DAEMON_SILENT', messageOf(error), { cause: error }),
          );
      });
      call.end(body);
    },
  );
  if (reply === undefined) return undefined;
  const parsed: unknown = JSON.parse(reply.text);
  if (reply.status === 200) return parsed;
  const error = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'error') : undefined;
  const field = (name: string): string => {
    const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  throw new EdgeError(
    field('code') || 'DAEMON_REFUSED',
    field('message') || `the daemon answered ${reply.status}`,
    field('hint') === '' ? {} : { hint: field('hint') },
  );
}
