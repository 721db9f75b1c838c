import type { EscalationTicket, TicketEvent } from '../../domain/tool/ticket.ts';

/** A ticket with what has to be told of it and is not in the outbox yet. */
export interface StoredTicket {
  readonly ticket: EscalationTicket;
  readonly untold: TicketEvent | undefined;
}

export interface TicketStore {
  /** Writes a ticket as it now is; resolves when it is on disk. Rejects with EdgeError STATE_DB_FAILED or STATE_DB_BUSY. */
  save(stored: StoredTicket): Promise<void>;
  get(id: string): Promise<EscalationTicket | undefined>;
  /** Those that are open or acknowledged, the oldest first. */
  live(limit: number): Promise<readonly StoredTicket[]>;
  /** Those that have ended and of which something is still to be told. */
  untold(limit: number): Promise<readonly StoredTicket[]>;
  /** The newest first. */
  list(limit: number): Promise<readonly EscalationTicket[]>;
}
