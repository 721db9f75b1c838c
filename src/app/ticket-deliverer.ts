import { z } from 'zod';
import { jsonObjectSchema } from '../domain/json.ts';
import type { Delivery, OutboxDeliverer } from './ports/outbox-deliverer.ts';
import type { OutboxMessage } from './ports/session-store.ts';
import type { TicketSink } from './ports/ticket-sink.ts';
import { TICKET_CHANNEL } from './tickets.ts';

const bodySchema = z.object({ sink: z.string(), event: z.string(), ticket: jsonObjectSchema });

/** The channel `ticket` of the outbox: each message goes to the sink that it names. */
export function ticketDeliverer(sinks: readonly TicketSink[]): OutboxDeliverer {
  return {
    channel: TICKET_CHANNEL,
    async deliver({ id, body }: OutboxMessage, signal: AbortSignal): Promise<Delivery> {
      const parsed = bodySchema.safeParse(body);
      if (!parsed.success) return { kind: 'never', why: 'it is no ticket' };
      const { sink: name, event, ticket } = parsed.data;
      const sink = sinks.find((each) => each.name === name);
      if (sink === undefined) return { kind: 'never', why: `there is no "${name}" any more` };
      return sink.tell(id, { event, ticket }, signal);
    },
  };
}
