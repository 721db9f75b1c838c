import type { ClockState } from '../domain/envelope.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Clocks } from '../runtime/clocks.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import type { OutboxDelivery, OutboxEnd, SendResult } from './outbox-delivery.ts';
import { expiryOf } from './outbox-expiry.ts';
import type { OutboxMessage, OutboxStore } from './ports/session-store.ts';
import type { NewWorkOrder, WorkOrder, WorkOrderStore } from './ports/work-order-store.ts';
import { WORK_ORDER_CHANNEL, workOrderBodySchema } from './work-order-delivery.ts';

/** Long enough for a far side that is there; a person waits for it. */
export const WORK_ORDER_WAIT_MS = 2_500;
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
  /** `closing` while the far side has not heard yet that it is to be closed. */
  readonly state: WorkOrder['state'] | 'closing';
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
    if (order.state === 'closed') return { ...order, why: undefined };
    if (order.state === 'refused' || order.state === 'expired')
      throw new EdgeError(
        'INPUT_INVALID',
        `work order ${number} never came into being: it is ${order.state}`,
      );
    const at = this.#parts.clocks.wall().toISOString();
    const sent = await this.#send(`${order.key}:close`, { kind: 'close', number, note, by, at });
    const receipt = await this.#receipt(number, sent);
    return receipt.state === 'closed' || receipt.state === 'refused'
      ? receipt
      : { ...receipt, state: 'closing' };
  }

  /** Puts back into the outbox what a crash kept from getting there. To be called at the start. */
  async recover(): Promise<void> {
    const { store, outbox } = this.#parts;
    const waiting = await store.inState('waiting', MOST_RECOVERED);
    if (waiting.length === 0) return;
    const queued = new Set(
      (await outbox.waiting(WORK_ORDER_CHANNEL, 2 * MOST_RECOVERED)).map(({ id }) => id),
    );
    for (const order of waiting)
      if (!queued.has(messageIdOf(order)))
        await outbox.add(this.#message(messageIdOf(order), { kind: 'create', number: order.number }));
    this.#parts.delivery.wake(WORK_ORDER_CHANNEL);
  }

  /** To be told of every message that left the outbox without being delivered. */
  async ended({ message, end }: OutboxEnd): Promise<void> {
    const body = workOrderBodySchema.safeParse(message.body);
    if (message.channel !== WORK_ORDER_CHANNEL || end === 'delivered' || !body.success) return;
    // A closing that could not be told leaves the order open at the far side.
    if (body.data.kind === 'create') await this.#parts.store.change(body.data.number, end);
  }

  async #receipt(number: number, sent: SendResult): Promise<WorkOrderReceipt> {
    const order = await this.#parts.store.find(number);
    if (order === undefined) throw await this.#unknown(number);
    const state = sent.state === 'refused' ? 'refused' : order.state;
    return { number, state, remote: order.remote, why: sent.why };
  }

  #send(id: string, body: JsonObject): Promise<SendResult> {
    return this.#parts.delivery.send(this.#message(id, body), WORK_ORDER_WAIT_MS);
  }

  #message(id: string, body: JsonObject): OutboxMessage {
    return { id, channel: WORK_ORDER_CHANNEL, body, ...expiryOf(this.#parts.keepMs, this.#parts) };
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
