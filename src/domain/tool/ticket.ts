import { z } from 'zod';
import { jsonObjectSchema } from '../json.ts';
import { TOOL_ERROR_CODES } from './tool-call.ts';

const TICKET_STATUSES = ['open', 'acknowledged', 'resolved', 'expired'] as const;

export const DEFAULT_TICKET_TTL_S = 3600;

/** Asks a person to look at something that the daemon could not do. */
export const escalationTicketSchema = z.strictObject({
  id: z.string(),
  tool: z.string(),
  code: z.enum(TOOL_ERROR_CODES),
  message: z.string(),
  /** Arguments without what the contract keeps back. */
  input: jsonObjectSchema,
  /** The tools that were being carried out, the outermost first, the failed one last; none when it is a session's tasks that fail. */
  path: z.array(z.string()),
  /** Of the session at that moment. */
  state_hash: z.string().optional(),
  session_id: z.string(),
  turn_id: z.string(),
  /** Something may have been done to a machine: it is for a person to end, never for time. */
  safety: z.boolean(),
  /** ISO 8601, wall clock. */
  opened_at: z.iso.datetime(),
  boot_id: z.string(),
  seq: z.int(),
  /** How often it happened while the ticket was open. */
  occurrences: z.int().min(1),
  status: z.enum(TICKET_STATUSES),
  /** While the daemon ran: nobody can look at a ticket of a box that is off. */
  age_ms: z.number().min(0),
  ttl_s: z.int().min(1, 'a ticket that lives for no time is never seen'),
  auto_resolve_after_s: z.int().min(1).optional(),
  /** How often its end of life passed without a person; only of a safety ticket. */
  reminders: z.int().min(0),
  ended_by: z.string().optional(),
  note: z.string().optional(),
});
export type EscalationTicket = z.infer<typeof escalationTicketSchema>;

/** What is told of a ticket to the outside. */
export const TICKET_EVENTS = ['opened', 'reminder', 'acknowledged', 'resolved', 'expired'] as const;
export type TicketEvent = (typeof TICKET_EVENTS)[number];

export interface AgedTicket {
  readonly ticket: EscalationTicket;
  /** What became of it just now. */
  readonly event: TicketEvent | undefined;
}

export function isLive({ status }: EscalationTicket): boolean {
  return status === 'open' || status === 'acknowledged';
}

/**
 * The ticket after `elapsedMs` more. One that resolves by itself does so first; at the end of its life a ticket expires,
 * unless it is about safety: then people are reminded, each time its life has passed once more.
 */
export function ageTicket(ticket: EscalationTicket, elapsedMs: number): AgedTicket {
  if (!isLive(ticket)) return { ticket, event: undefined };
  const ageMs = ticket.age_ms + elapsedMs;
  const aged = { ...ticket, age_ms: ageMs };
  if (ticket.safety) {
    const reminders = Math.floor(ageMs / (ticket.ttl_s * 1000));
    return reminders > ticket.reminders
      ? { ticket: { ...aged, reminders }, event: 'reminder' }
      : { ticket: aged, event: undefined };
  }
  const { auto_resolve_after_s: resolveAfterS } = ticket;
  if (resolveAfterS !== undefined && resolveAfterS <= ticket.ttl_s && ageMs >= resolveAfterS * 1000)
    return { ticket: { ...aged, status: 'resolved', ended_by: 'time' }, event: 'resolved' };
  if (ageMs >= ticket.ttl_s * 1000)
    return { ticket: { ...aged, status: 'expired', ended_by: 'time' }, event: 'expired' };
  return { ticket: aged, event: undefined };
}

/** A person has seen it, or has settled it; undefined when it is over already. */
export function endTicket(
  ticket: EscalationTicket,
  status: 'acknowledged' | 'resolved',
  by: string,
  note: string | undefined,
): EscalationTicket | undefined {
  if (!isLive(ticket)) return undefined;
  return { ...ticket, status, ended_by: by, ...(note === undefined ? {} : { note }) };
}
