import { z } from 'zod';
import type { StoredTicket, TicketStore } from '../../app/ports/ticket-store.ts';
import { type EscalationTicket, escalationTicketSchema, TICKET_EVENTS } from '../../domain/tool/ticket.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Database } from './database.ts';
import { ErasedNames } from './erased-names.ts';
import type { Parameter } from './statement-cache.ts';

const rowSchema = z.object({ id: z.string(), body: z.string(), untold: z.enum(TICKET_EVENTS).nullable() });

/** Ended tickets that are kept; the ones that ended first go. */
const KEPT_ENDED = 1000;

/** Tickets in `state.db`. A row that cannot be read is reported and left out. */
export class SqliteTicketStore implements TicketStore {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #erased: ErasedNames;

  constructor(database: Database, logger: Logger, erased = new ErasedNames()) {
    this.#database = database;
    this.#logger = logger;
    this.#erased = erased;
  }

  async save({ ticket, untold }: StoredTicket): Promise<void> {
    await this.#database.write(async (writer) => {
      await writer.run(
        `INSERT INTO ticket (id, status, body, untold) VALUES (?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET status = excluded.status, body = excluded.body, untold = excluded.untold`,
        [ticket.id, ticket.status, this.#erased.bodyOf(ticket), untold ?? null],
      );
      if (ticket.status === 'resolved' || ticket.status === 'expired')
        await writer.run(
          `DELETE FROM ticket WHERE untold IS NULL AND status IN ('resolved', 'expired') AND arrival NOT IN
             (SELECT arrival FROM ticket WHERE status IN ('resolved', 'expired') ORDER BY arrival DESC LIMIT ?)`,
          [KEPT_ENDED],
        );
    }, 'audit');
  }

  async get(id: string): Promise<EscalationTicket | undefined> {
    const [found] = await this.#rows('WHERE id = ?', [id]);
    return found?.ticket;
  }

  live(limit: number): Promise<readonly StoredTicket[]> {
    return this.#rows("WHERE status IN ('open', 'acknowledged') ORDER BY arrival LIMIT ?", [limit]);
  }

  untold(limit: number): Promise<readonly StoredTicket[]> {
    return this.#rows(
      "WHERE untold IS NOT NULL AND status IN ('resolved', 'expired') ORDER BY arrival LIMIT ?",
      [limit],
    );
  }

  async list(limit: number): Promise<readonly EscalationTicket[]> {
    return (await this.#rows('ORDER BY arrival DESC LIMIT ?', [limit])).map(({ ticket }) => ticket);
  }

  async #rows(where: string, parameters: readonly Parameter[]): Promise<readonly StoredTicket[]> {
    const rows = await this.#database.all(
      rowSchema,
      `SELECT id, body, untold FROM ticket ${where}`,
      parameters,
    );
    return rows.flatMap(({ id, body, untold }) => {
      const ticket = escalationTicketSchema.safeParse(jsonOf(body));
      if (ticket.success) return [{ ticket: ticket.data, untold: untold ?? undefined }];
      this.#logger.error({ ticket: id }, 'a ticket cannot be read');
      return [];
    });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
