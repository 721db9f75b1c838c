import { z } from 'zod';
import { EdgeError, isEdgeError } from '../../runtime/edge-error.ts';
import type { Capability } from '../../tooling/capability.ts';
import type { HttpClient } from '../ports/http-client.ts';

const MAX_BODY_CHARACTERS = 100_000;
const MAX_RESPONSE_BYTES = 200_000;

/** How long the other side may take where the tool sets no other limit, milliseconds. */
export const HTTP_WAIT_MS = 5_000;

const argsSchema = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  url: z.string().max(2000),
  headers: z
    .record(
      z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/u, 'the name of a header'),
      z
        .string()
        .max(2000)
        .regex(/^[^\p{Cc}]*$/u, 'one line'),
    )
    .default({}),
  body: z.string().max(MAX_BODY_CHARACTERS).optional(),
  timeout_ms: z.int().min(1).max(30_000).default(HTTP_WAIT_MS),
});

/** One HTTP request to a host that the site allows: `{ status, headers, body }`, also for an answer that is an error. */
export function httpRequest(parts: { readonly http: HttpClient }): Capability<z.infer<typeof argsSchema>> {
  return {
    name: 'http.request',
    args: argsSchema,
    run: async ({ method, url, headers, body, timeout_ms: timeoutMs }, { call, signal }) => {
      const changes = method !== 'GET' && method !== 'HEAD';
      try {
        const answer = await parts.http.request(
          {
            method,
            url,
            headers: changes ? { 'idempotency-key': call.idempotencyKey, ...headers } : headers,
            timeoutMs,
            maxResponseBytes: MAX_RESPONSE_BYTES,
            ...(body === undefined ? {} : { body }),
          },
          signal,
        );
        return { ...answer };
      } catch (error) {
        if (!isEdgeError(error)) throw error;
        throw new EdgeError(toolCode(error, changes), error.message, {
          cause: error,
          ...(error.hint === undefined ? {} : { hint: error.hint }),
        });
      }
    },
  };
}

function toolCode({ code, retry }: EdgeError, changes: boolean): string {
  if (code === 'HTTP_NOT_ALLOWED') return 'INPUT_INVALID';
  return changes && retry === 'unknown-outcome' ? 'OUTCOME_UNKNOWN' : 'TOOL_UNAVAILABLE';
}
