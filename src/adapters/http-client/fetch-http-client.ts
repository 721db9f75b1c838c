import type { HttpClient, HttpRequest, HttpResponse } from '../../app/ports/http-client.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import { didYouMean } from '../../runtime/nearest.ts';

export interface HttpClientOptions {
  /** `host` for its usual ports, or `host:port`; no others are asked. */
  readonly allowedHosts: readonly string[];
}

/** Failures before a request can have left the machine (connect(2), and the resolver). */
const NOT_SENT = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** HTTP over the fetch of Node, to hosts that the site allows and within limits. Addresses and contents are never logged. */
export class FetchHttpClient implements HttpClient {
  readonly #allowed: readonly string[];

  constructor({ allowedHosts }: HttpClientOptions) {
    this.#allowed = allowedHosts.map((host) => host.toLowerCase());
  }

  async request(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
    const url = this.#checked(request.url);
    const limit = AbortSignal.timeout(request.timeoutMs);
    const until = signal === undefined ? limit : AbortSignal.any([limit, signal]);
    try {
      const response = await fetch(url, {
        method: request.method,
        redirect: 'manual',
        signal: until,
        ...(request.headers === undefined ? {} : { headers: request.headers }),
        ...(request.body === undefined ? {} : { body: request.body }),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await boundedText(response, request.maxResponseBytes, url.host),
      };
    } catch (error) {
      throw failure(error, url.host, limit.aborted ? request.timeoutMs : undefined);
    }
  }

  #checked(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !['http:', 'https:'].includes(url.protocol))
      throw new EdgeError('HTTP_NOT_ALLOWED', 'this is no http or https address');
    if (url.username !== '' || url.password !== '')
      throw new EdgeError('HTTP_NOT_ALLOWED', 'an address holds no user and no password', {
        hint: 'send them in a header',
      });
    if (this.#allowed.includes(url.host) || (url.port === '' && this.#allowed.includes(url.hostname)))
      return url;
    throw new EdgeError(
      'HTTP_NOT_ALLOWED',
      `the site does not allow ${url.host}.${didYouMean(url.host, this.#allowed)}`,
      { hint: 'add it to http_tools.allowed_hosts of the configuration' },
    );
  }
}

async function boundedText(response: Response, maxBytes: number, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      throw new EdgeError('HTTP_TOO_LARGE', `${host} answers with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function failure(error: unknown, host: string, timeoutMs: number | undefined): EdgeError {
  if (error instanceof EdgeError) return error;
  if (timeoutMs !== undefined)
    return new EdgeError('HTTP_FAILED', `${host} did not answer within ${timeoutMs} ms`, {
      retry: 'unknown-outcome',
      cause: error,
    });
  const code = codeOf(error);
  if (code !== undefined && NOT_SENT.includes(code))
    return new EdgeError('HTTP_UNREACHABLE', `${host} cannot be reached (${code})`, {
      retry: 'safe',
      cause: error,
    });
  return new EdgeError('HTTP_FAILED', `${host} gave no proper answer: ${code ?? messageOf(error)}`, {
    retry: 'unknown-outcome',
    cause: error,
  });
}

/** fetch wraps the failure of the socket in one or two others. */
function codeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at instanceof AggregateError) {
      const inner = at.errors.map(codeOf).find((code) => code !== undefined);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}
