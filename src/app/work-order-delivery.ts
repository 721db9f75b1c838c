import { z } from 'zod';
import type { JsonObject } from '../domain/json.ts';
import { isEdgeError, messageOf } from '../runtime/edge-error.ts';
import type { HttpClient, HttpResponse } from './ports/http-client.ts';
import type { Delivery, OutboxDeliverer } from './ports/outbox-deliverer.ts';
import type { OutboxMessage } from './ports/session-store.ts';
import type { WorkOrderStore } from './ports/work-order-store.ts';

export const WORK_ORDER_CHANNEL = 'work_order';

/** What of a work order is to be told; the order itself stands in its store. */
export const workOrderBodySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('create'), number: z.int() }),
  z.object({ kind: z.literal('close'), number: z.int(), note: z.string(), by: z.string(), at: z.string() }),
]);

/** What the far side may call the order; all else in its answer is left alone. */
const answerSchema = z.object({
  number: z.union([z.string(), z.number()]).optional(),
  id: z.union([z.string(), z.number()]).optional(),
});

export interface WorkOrderSite {
  readonly url: string;
  readonly token?: string | undefined;
}

/**
 * Tells the far side over HTTP: `POST URL` makes an order, `POST URL/NUMBER/close` closes it, each with the header
 * `Idempotency-Key`, by which a repeat does nothing there (draft-ietf-httpapi-idempotency-key-header).
 */
export class WorkOrderDeliverer implements OutboxDeliverer {
  readonly channel = WORK_ORDER_CHANNEL;
  readonly #site: WorkOrderSite;
  readonly #http: HttpClient;
  readonly #store: WorkOrderStore;

  constructor(site: WorkOrderSite, http: HttpClient, store: WorkOrderStore) {
    this.#site = site;
    this.#http = http;
    this.#store = store;
  }

  async deliver(message: OutboxMessage, signal: AbortSignal): Promise<Delivery> {
    const body = workOrderBodySchema.safeParse(message.body);
    if (!body.success) return { kind: 'never', why: 'the message cannot be read' };
    const order = await this.#store.find(body.data.number);
    if (order === undefined) return { kind: 'never', why: `there is no work order ${body.data.number}` };
    if (body.data.kind === 'create') {
      const { number, title, machine = null, priority, createdAt: created_at, createdBy: created_by } = order;
      const sent = await this.#post(
        '',
        { number, title, machine, priority, created_at, created_by },
        message,
        signal,
      );
      if (sent.kind === 'delivered') await this.#store.change(number, 'open', sent.remote);
      return withoutRemote(sent);
    }
    const { note, by: closed_by, at: closed_at } = body.data;
    if (order.state === 'refused' || order.state === 'expired')
      return { kind: 'never', why: `work order ${order.number} is ${order.state}` };
    const path = `/${encodeURIComponent(order.remote ?? String(order.number))}/close`;
    const sent = await this.#post(path, { note, closed_by, closed_at }, message, signal);
    if (sent.kind === 'delivered') await this.#store.change(order.number, 'closed');
    return withoutRemote(sent);
  }

  async #post(
    path: string,
    content: JsonObject,
    message: OutboxMessage,
    signal: AbortSignal,
  ): Promise<Delivery & { readonly remote?: string }> {
    const { url, token } = this.#site;
    try {
      const response = await this.#http.request(
        {
          method: 'POST',
          url: `${url.replace(/\/+$/u, '')}${path}`,
          headers: {
            'content-type': 'application/json',
            'idempotency-key': message.id,
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify(content),
          timeoutMs: 10_000,
          maxResponseBytes: 64_000,
        },
        signal,
      );
      return deliveryOf(response);
    } catch (error) {
      if (isEdgeError(error, 'HTTP_TOO_LARGE')) return { kind: 'delivered' };
      return { kind: 'later', why: messageOf(error), scope: 'channel' };
    }
  }
}

/** 4xx about the message itself is final; too busy, a refused login and a wrong address are for whoever mends them. */
function deliveryOf({ status, body }: HttpResponse): Delivery & { readonly remote?: string } {
  if (status >= 200 && status < 300) {
    const remote = remoteOf(body);
    return { kind: 'delivered', ...(remote === undefined ? {} : { remote }) };
  }
  const why = `the work order system answers ${status}`;
  const isMendable = status < 400 || status >= 500 || [401, 403, 404, 408, 425, 429].includes(status);
  return isMendable ? { kind: 'later', why, scope: 'channel' } : { kind: 'never', why };
}

function remoteOf(body: string): string | undefined {
  try {
    const answer = answerSchema.safeParse(JSON.parse(body));
    const name = answer.success ? (answer.data.number ?? answer.data.id) : undefined;
    return name === undefined ? undefined : String(name).slice(0, 100);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function withoutRemote({ remote, ...delivery }: Delivery & { readonly remote?: string }): Delivery {
  return delivery.kind === 'delivered' && remote !== undefined
    ? { ...delivery, detail: { remote } }
    : delivery;
}
