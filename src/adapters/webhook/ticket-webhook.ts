import type { Delivery } from '../../app/ports/outbox-deliverer.ts';
import type { TicketSink } from '../../app/ports/ticket-sink.ts';
import type { Envelope } from '../../domain/envelope.ts';
import type { JsonObject } from '../../domain/json.ts';
import { messageOf } from '../../runtime/edge-error.ts';

export interface TicketWebhookOptions {
  /** `http:` or `https:`. */
  readonly url: string;
  /** Sent as bearer token. */
  readonly token?: string | undefined;
  readonly timeoutMs: number;
}

/** Answers by which a server says that the same message may be taken later (RFC 9110, 15.5 and 15.6; RFC 6585 for 429). */
const LATER = [408, 425, 429];

/**
 * Posts tickets as JSON to a URL, each with its id as Idempotency-Key. A redirection is not followed: the token is for this
 * address alone.
 */
export class TicketWebhook implements TicketSink {
  readonly name = 'webhook';
  readonly #options: TicketWebhookOptions;
  readonly #envelope: (schema: string) => Envelope;

  constructor(options: TicketWebhookOptions, envelope: (schema: string) => Envelope) {
    this.#options = options;
    this.#envelope = envelope;
  }

  async tell(id: string, body: JsonObject, signal: AbortSignal): Promise<Delivery> {
    const { url, token, timeoutMs } = this.#options;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'idempotency-key': id,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ ...this.#envelope('ticket/1'), ...body, id }),
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      await response.body?.cancel();
      return deliveryOf(response.status);
    } catch (error) {
      return { kind: 'later', why: whyOf(error), scope: 'message' };
    }
  }
}

function deliveryOf(status: number): Delivery {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const why = `the webhook answered ${status}`;
  return status >= 500 || LATER.includes(status)
    ? { kind: 'later', why, scope: 'message' }
    : { kind: 'never', why };
}

/** `fetch failed` alone says nothing: the cause is beneath. */
function whyOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${messageOf(error)}${cause}`;
}
