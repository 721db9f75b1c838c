import type { JsonObject } from '../../domain/json.ts';
import type { Delivery } from './outbox-deliverer.ts';

/** Where people see tickets: a topic, a chat, a work list. */
export interface TicketSink {
  /** Of the sink, such as `mqtt` or `webhook`. */
  readonly name: string;
  /** Never rejects. A repeat with the same id says nothing new. */
  tell(id: string, body: JsonObject, signal: AbortSignal): Promise<Delivery>;
}
