import type { Database } from '../adapters/sqlite/database.ts';
import type { ErasedNames } from '../adapters/sqlite/erased-names.ts';
import { SqliteTicketStore } from '../adapters/sqlite/sqlite-ticket-store.ts';
import { TicketWebhook } from '../adapters/webhook/ticket-webhook.ts';
import type { OutboxDeliverer } from '../app/ports/outbox-deliverer.ts';
import type { OutboxStore } from '../app/ports/session-store.ts';
import type { TicketSink } from '../app/ports/ticket-sink.ts';
import { ticketDeliverer } from '../app/ticket-deliverer.ts';
import { Tickets } from '../app/tickets.ts';
import type { Config } from '../config/config-schema.ts';
import type { Envelope } from '../domain/envelope.ts';
import type { Runtime } from './runtime.ts';

interface TicketParts {
  readonly database: Database;
  readonly erased?: ErasedNames;
  readonly outbox: Pick<OutboxStore, 'add'>;
  readonly envelope: (schema: string) => Envelope;
  /** Other places where people see tickets, such as MQTT. */
  readonly sinks: readonly TicketSink[];
  /** Told when something was put into the outbox. */
  readonly wake?: () => void;
}

const WEBHOOK_TIMEOUT_MS = 10_000;

/** Tickets, and what takes them from the outbox to where people see them. */
export function composeTickets(
  { tickets: settings }: Pick<Config, 'tickets'>,
  { database, erased, outbox, envelope, sinks: others, wake }: TicketParts,
  runtime: Omit<Runtime, 'context'>,
): { readonly tickets: Tickets; readonly deliverer: OutboxDeliverer } {
  const {
    webhook_url: url,
    webhook_token: token,
    ttl_s: ttlS,
    auto_resolve_after_s: autoResolveAfterS,
  } = settings;
  const webhook =
    url === undefined ? [] : [new TicketWebhook({ url, token, timeoutMs: WEBHOOK_TIMEOUT_MS }, envelope)];
  const sinks = [...others, ...webhook];
  const tickets = new Tickets(
    {
      ttlS,
      ...(autoResolveAfterS === undefined ? {} : { autoResolveAfterS }),
      sinks: sinks.map(({ name }) => name),
    },
    {
      store: new SqliteTicketStore(database, runtime.logger, erased),
      outbox,
      ...runtime,
      ...(wake === undefined ? {} : { wake }),
    },
  );
  return { tickets, deliverer: ticketDeliverer(sinks) };
}
