import { z } from 'zod';
import type { ClockState } from '../domain/envelope.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Clocks } from '../runtime/clocks.ts';
import { EdgeError, isEdgeError, messageOf } from '../runtime/edge-error.ts';
import type { OutboxDelivery, OutboxEnd, SendResult } from './outbox-delivery.ts';
import { expiryOf } from './outbox-expiry.ts';
import type { HttpClient, HttpResponse } from './ports/http-client.ts';
import type { Delivery, OutboxDeliverer } from './ports/outbox-deliverer.ts';
import type { OutboxMessage, OutboxStore } from './ports/session-store.ts';
import type { NewWorkOrder, WorkOrder, WorkOrderStore } from './ports/work-order-store.ts';

const CHANNEL = 'work_order';
/** Long enough for a far side that is there; a person waits for it. */
const WAIT_MS = 2_500;
const MOST_RECOVERED = 500;

interface DeskParts {
  readonly store: WorkOrderStore;
  readonly outbox: OutboxStore;
  readonly delivery: Pick<OutboxDelivery, 'send' | 'wake'>;
  readonly clocks: Pick<Clocks, 'wall'>;
  readonly clockState: () => ClockState;
  /** How long an order waits for the far side, milliseconds. */
  readonly keepMs: number;
}

export interface WorkOrderReceipt {
  readonly number: number;
  readonly state: WorkOrder['state'];
  readonly remote: string | undefined;
  /** Why it was refused. */
  readonly why: string | undefined;
}

/** Work orders by their own number: kept here first, then taken to the far side, at once or when it is back. */
export class WorkOrderDesk {
  readonly #parts: DeskParts;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  async create(order: Omit<NewWorkOrder, 'createdAt'>): Promise<WorkOrderReceipt> {
    const createdAt = this.#parts.clocks.wall().toISOString();
    const kept = await this.#parts.store.add({ ...order, createdAt });
    if (kept.state !== 'waiting') return { ...kept, why: undefined };
    return this.#receipt(
      kept.number,
      await this.#send(messageIdOf(kept), { kind: 'create', number: kept.number }),
    );
  }

  /** Throws EdgeError INPUT_INVALID for a number that there is not, or an order that is not open. */
  async close(number: number, note: string, by: string): Promise<WorkOrderReceipt> {
    const order = await this.#parts.store.find(number);
    if (order === undefined) throw await this.#unknown(number);
    if (order.state === 'closed' || order.state === 'closing') return { ...order, why: undefined };
    if (order.state === 'refused' || order.state === 'expired')
      throw new EdgeError(
        'INPUT_INVALID',
        `work order ${number} never came into being: it is ${order.state}`,
      );
    await this.#parts.store.change(number, 'closing');
    const at = this.#parts.clocks.wall().toISOString();
    return this.#receipt(
      number,
      await this.#send(`${order.key}:close`, { kind: 'close', number, note, by, at }),
    );
  }

  /** Puts back into the outbox what a crash kept from getting there. To be called at the start. */
  async recover(): Promise<void> {
    const { store, outbox } = this.#parts;
    const waiting = await store.inState('waiting', MOST_RECOVERED);
    if (waiting.length === 0) return;
    const queued = new Set((await outbox.waiting(CHANNEL, 2 * MOST_RECOVERED)).map(({ id }) => id));
    for (const order of waiting)
      if (!queued.has(messageIdOf(order)))
        await outbox.add(this.#message(messageIdOf(order), { kind: 'create', number: order.number }));
    this.#parts.delivery.wake(CHANNEL);
  }

  /** To be told of every message that left the outbox without being delivered. */
  async ended({ message, end }: OutboxEnd): Promise<void> {
    const body = bodySchema.safeParse(message.body);
    if (message.channel !== CHANNEL || end === 'delivered' || !body.success) return;
    // A closing that could not be told leaves the order open at the far side.
    await this.#parts.store.change(body.data.number, body.data.kind === 'close' ? 'open' : end);
  }

  async #receipt(number: number, sent: SendResult): Promise<WorkOrderReceipt> {
    const order = await this.#parts.store.find(number);
    if (order === undefined) throw await this.#unknown(number);
    const state = sent.state === 'refused' ? 'refused' : order.state;
    return { number, state, remote: order.remote, why: sent.why };
  }

  #send(id: string, body: JsonObject): Promise<SendResult> {
    return this.#parts.delivery.send(this.#message(id, body), WAIT_MS);
  }

  #message(id: string, body: JsonObject): OutboxMessage {
    return { id, channel: CHANNEL, body, ...expiryOf(this.#parts.keepMs, this.#parts) };
  }

  async #unknown(number: number): Promise<EdgeError> {
    const open = [
      ...(await this.#parts.store.inState('open', 20)),
      ...(await this.#parts.store.inState('waiting', 20)),
    ].map((order) => order.number);
    const known = open.length === 0 ? 'None is open.' : `Open: ${open.join(', ')}.`;
    return new EdgeError('INPUT_INVALID', `there is no work order ${number}. ${known}`);
  }
}

function messageIdOf({ key }: Pick<WorkOrder, 'key'>): string {
  return `${key}:create`;
}

const bodySchema = z.discriminatedUnion('kind', [
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
  readonly channel = CHANNEL;
  readonly #site: WorkOrderSite;
  readonly #http: HttpClient;
  readonly #store: WorkOrderStore;

  constructor(site: WorkOrderSite, http: HttpClient, store: WorkOrderStore) {
    this.#site = site;
    this.#http = http;
    this.#store = store;
  }

  async deliver(message: OutboxMessage, signal: AbortSignal): Promise<Delivery> {
    const body = bodySchema.safeParse(message.body);
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
