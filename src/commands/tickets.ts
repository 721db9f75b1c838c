import { userInfo } from 'node:os';
import { z } from 'zod';
import { findDaemon } from '../composition/plant-watch.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { aligned } from './aligned.ts';
import { getControl, postControl } from './control-client.ts';
import { noDaemon } from './no-daemon.ts';
import { print } from './print.ts';

interface TicketsOptions {
  readonly config?: string;
  readonly json: boolean;
}

const ticketSchema = z.object({
  id: z.string(),
  tool: z.string(),
  code: z.string(),
  message: z.string(),
  input: z.record(z.string(), z.unknown()),
  path: z.array(z.string()),
  state_hash: z.string().optional(),
  session_id: z.string(),
  turn_id: z.string(),
  safety: z.boolean(),
  opened_at: z.string(),
  occurrences: z.int(),
  status: z.string(),
  ended_by: z.string().optional(),
  note: z.string().optional(),
});
type Ticket = z.infer<typeof ticketSchema>;

/** `hermes-edge tickets list`: what a person should look at, the newest first. */
export async function listTickets(options: TicketsOptions & { readonly all: boolean }): Promise<void> {
  const { tickets } = z
    .object({ tickets: z.array(ticketSchema) })
    .parse(await asked(options, (socket) => getControl(socket, '/tickets')));
  const shown = options.all
    ? tickets
    : tickets.filter(({ status }) => status === 'open' || status === 'acknowledged');
  print(options.json, { tickets: shown }, () =>
    shown.length === 0 ? 'No tickets are open.' : aligned(shown.map(rowOf)).join('\n'),
  );
}

/** `hermes-edge tickets show ID`. */
export async function showTicket(id: string, options: TicketsOptions): Promise<void> {
  const ticket = ticketSchema.parse(
    await asked(options, (socket) => getControl(socket, `/tickets/${encodeURIComponent(id)}`)),
  );
  print(options.json, ticket, () => detailsOf(ticket).join('\n'));
}

/** `hermes-edge tickets resolve ID`: a person has settled it, or with `seen` has only looked at it. */
export async function resolveTicket(
  id: string,
  options: TicketsOptions & { readonly by?: string; readonly note?: string; readonly seen: boolean },
): Promise<void> {
  if (options.seen && options.note !== undefined)
    throw new EdgeError('USAGE', '--note goes with a ticket that is settled, not with --seen');
  const { by = userInfo().username, note, seen } = options;
  const body = {
    id,
    by,
    status: seen ? 'acknowledged' : 'resolved',
    ...(note === undefined ? {} : { note }),
  };
  const ticket = ticketSchema.parse(
    await asked(options, (socket) => postControl(socket, '/tickets/resolve', body)),
  );
  print(options.json, ticket, () => `${ticket.id} is ${ticket.status} by ${by}.`);
}

async function asked(
  { config }: TicketsOptions,
  ask: (socket: string) => Promise<unknown>,
): Promise<unknown> {
  const found = await findDaemon(config);
  const reply = found === undefined ? undefined : await ask(found.socket);
  if (reply === undefined) throw noDaemon(found);
  return reply;
}

function rowOf(ticket: Ticket): readonly string[] {
  const times = ticket.occurrences === 1 ? '' : `${ticket.occurrences} times`;
  return [
    ticket.id,
    ticket.safety ? 'SAFETY' : '',
    ticket.status,
    ticket.opened_at,
    ticket.tool,
    ticket.code,
    times,
    ticket.message,
  ];
}

function detailsOf(ticket: Ticket): readonly string[] {
  return [
    `${ticket.id}  ${ticket.status}${ticket.safety ? '  SAFETY: look at the machine' : ''}`,
    `  ${ticket.code}: ${ticket.message}`,
    `  tool: ${ticket.path.join(' -> ')}`,
    `  arguments: ${JSON.stringify(ticket.input)}`,
    `  opened: ${ticket.opened_at}, seen ${ticket.occurrences} times`,
    `  session ${ticket.session_id}, turn ${ticket.turn_id}${ticket.state_hash === undefined ? '' : `, state ${ticket.state_hash}`}`,
    ...(ticket.ended_by === undefined ? [] : [`  ${ticket.status} by ${ticket.ended_by}`]),
    ...(ticket.note === undefined ? [] : [`  note: ${ticket.note}`]),
  ];
}
