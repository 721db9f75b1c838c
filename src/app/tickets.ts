import { createHash } from 'node:crypto';
import { canonicalJson } from '../domain/canonical-json.ts';
import { jsonObjectSchema } from '../domain/json.ts';
import {
  ageTicket,
  DEFAULT_TICKET_TTL_S,
  type EscalationTicket,
  endTicket,
  escalationTicketSchema,
  isLive,
  type TicketEvent,
} from '../domain/tool/ticket.ts';
import type { Cancel, Clocks, Scheduler } from '../runtime/clocks.ts';
import { EdgeError, messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import { nearest } from '../runtime/nearest.ts';
import type { Health, Service } from '../runtime/service.ts';
import type { TicketOpener, TicketRequest } from '../tooling/ticket-opener-port.ts';
import type { ErasedShare, Erasure } from './ports/personal-store.ts';
import type { OutboxStore } from './ports/session-store.ts';
import type { StoredTicket, TicketStore } from './ports/ticket-store.ts';

export interface TicketOptions {
  /** Life of a ticket, seconds; from 1. */
  readonly ttlS?: number;
  /** A ticket that is not about safety counts as settled after so long; never by itself when it is left out. */
  readonly autoResolveAfterS?: number;
  /** The sinks that each event is told to, by name. */
  readonly sinks: readonly string[];
}

interface Parts {
  readonly store: TicketStore;
  readonly outbox: Pick<OutboxStore, 'add'>;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** Told when something was put into the outbox. */
  readonly wake?: () => void;
}

export const TICKET_CHANNEL = 'ticket';
const AGE_EVERY_MS = 30_000;
/** So much of a ticket's age may be lost when the power goes. */
const SAVE_AGES_EVERY_MS = 300_000;
/** So many may be live; the oldest that is not about safety gives way. */
const MAX_LIVE = 500;
const MAX_LISTED = 200;
/** What fails at one machine says nothing of another. */
const MACHINE_ARGUMENTS = ['machine', 'other_machine'] as const;

/** Opens tickets, lets them age and be ended by people, and hands what is to be told of them to the outbox. */
export class Tickets implements Service, TicketOpener {
  readonly name = 'tickets';
  readonly #options: TicketOptions;
  readonly #parts: Parts;
  readonly #live = new Map<string, StoredTicket>();
  #agedAtMs = 0;
  #cancelTimer: Cancel | undefined;
  /** Changes are made one after the other: two at once would each undo what the other did. */
  #turns: Promise<void> = Promise.resolve();
  #unsavedMs = 0;
  #trouble: string | undefined;
  #isStopped = true;

  constructor(options: TicketOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#isStopped = false;
    this.#agedAtMs = this.#parts.clocks.monotonicMs();
    for (const stored of await this.#parts.store.live(MAX_LIVE)) this.#live.set(stored.ticket.id, stored);
    await this.#inTurn(() => this.#tellAgain());
    this.#ageLater();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer?.();
    await this.#inTurn(() => this.#saveAges());
  }

  health(): Health {
    const live = this.#liveTickets();
    const figures = { open: live.length, safety: live.filter(({ safety }) => safety).length };
    if (this.#trouble !== undefined) return { status: 'degraded', detail: this.#trouble, figures };
    return { status: 'ok', detail: `${live.length} open`, figures };
  }

  open(request: TicketRequest): Promise<string> {
    return this.#inTurn(() => this.#open(request));
  }

  async #open(request: TicketRequest): Promise<string> {
    const again = this.#openForTheSame(request);
    if (again !== undefined) {
      const counted = { ...again, occurrences: again.occurrences + 1, message: request.message };
      await this.#keep(counted, undefined);
      return counted.id;
    }
    await this.#makeRoom();
    const ticket = this.#newTicket(request);
    await this.#keep(ticket, 'opened');
    this.#parts.logger.warn(
      { ticket: ticket.id, tool: ticket.tool, code: ticket.code, safety: ticket.safety },
      'a ticket was opened',
    );
    return ticket.id;
  }

  /** In those that are held in memory; the file is another's. */
  erase({ names }: Erasure): Promise<ErasedShare> {
    return this.#inTurn(async () => {
      let count = 0;
      for (const [id, { ticket, untold }] of this.#live) {
        const cleaned = names.inValue(ticket);
        if (cleaned === ticket) continue;
        this.#live.set(id, { ticket: escalationTicketSchema.parse(cleaned), untold });
        count += 1;
      }
      return { count };
    });
  }

  /** Those that nobody has settled yet, the oldest first, with their ages of now. */
  live(): readonly EscalationTicket[] {
    const sinceMs = this.#parts.clocks.monotonicMs() - this.#agedAtMs;
    return this.#liveTickets().map((ticket) => ({ ...ticket, age_ms: ticket.age_ms + sinceMs }));
  }

  list(): Promise<readonly EscalationTicket[]> {
    return this.#parts.store.list(MAX_LISTED);
  }

  /** Rejects with EdgeError INPUT_INVALID when there is none of that id. */
  async show(id: string): Promise<EscalationTicket> {
    const ticket = this.#live.get(id)?.ticket ?? (await this.#parts.store.get(id));
    if (ticket !== undefined) return ticket;
    const near = nearest(
      id,
      (await this.list()).map((each) => each.id),
    );
    throw new EdgeError('INPUT_INVALID', `there is no ticket "${id}"`, {
      hint: near === undefined ? 'see hermes-edge tickets list' : `did you mean "${near}"?`,
    });
  }

  acknowledge(id: string, by: string): Promise<EscalationTicket> {
    return this.#inTurn(() => this.#end(id, 'acknowledged', by, undefined));
  }

  /** Rejects with EdgeError INPUT_INVALID when there is no such ticket, or it has ended. */
  resolve(id: string, by: string, note?: string): Promise<EscalationTicket> {
    return this.#inTurn(() => this.#end(id, 'resolved', by, note));
  }

  async #end(
    id: string,
    status: 'acknowledged' | 'resolved',
    by: string,
    note: string | undefined,
  ): Promise<EscalationTicket> {
    const ticket = await this.show(id);
    const ended = endTicket(ticket, status, by, note);
    if (ended === undefined)
      throw new EdgeError(
        'INPUT_INVALID',
        `${id} is ${ticket.status} already, by ${ticket.ended_by ?? 'time'}`,
      );
    await this.#keep(ended, status);
    return ended;
  }

  /**
   * One ticket stands for what fails in the same way again and again: a tool at one machine, or the tasks of one session.
   * Each act with an unknown outcome has its own.
   */
  #openForTheSame({
    tool,
    code,
    input,
    path,
    sessionId,
    safety,
  }: TicketRequest): EscalationTicket | undefined {
    if (safety || code === 'OUTCOME_UNKNOWN') return undefined;
    return this.#liveTickets().find(
      (ticket) =>
        !ticket.safety &&
        ticket.tool === tool &&
        ticket.code === code &&
        MACHINE_ARGUMENTS.every((name) => ticket.input[name] === input[name]) &&
        (path.length > 0 || ticket.session_id === sessionId),
    );
  }

  #newTicket(request: TicketRequest): EscalationTicket {
    const { clocks } = this.#parts;
    const { autoResolveAfterS, ttlS } = this.#options;
    const seq = clocks.nextSeq();
    const digest = createHash('sha256')
      .update(canonicalJson([clocks.bootId, seq]))
      .digest('hex');
    return {
      id: `tk_${digest.slice(0, 10)}`,
      tool: request.tool,
      code: request.code,
      message: request.message,
      input: request.input,
      path: [...request.path],
      ...(request.stateHash === undefined ? {} : { state_hash: request.stateHash }),
      session_id: request.sessionId,
      turn_id: request.turnId,
      safety: request.safety,
      opened_at: clocks.wall().toISOString(),
      boot_id: clocks.bootId,
      seq,
      occurrences: 1,
      status: 'open',
      age_ms: 0,
      ttl_s: Math.max(1, ttlS ?? DEFAULT_TICKET_TTL_S),
      ...(autoResolveAfterS === undefined || request.safety
        ? {}
        : { auto_resolve_after_s: autoResolveAfterS }),
      reminders: 0,
    };
  }

  async #makeRoom(): Promise<void> {
    if (this.#live.size < MAX_LIVE) return;
    const oldest = this.#liveTickets().find(({ safety }) => !safety);
    if (oldest === undefined)
      throw new EdgeError('TICKETS_FULL', `${MAX_LIVE} tickets about safety are open`, {
        hint: 'look at them: hermes-edge tickets list',
      });
    await this.#keep({ ...oldest, status: 'expired', ended_by: 'flood' }, 'expired');
  }

  /** Without an event, what was still to be told of it stays so. */
  async #keep(ticket: EscalationTicket, event: TicketEvent | undefined): Promise<void> {
    const stored = { ticket, untold: event ?? this.#live.get(ticket.id)?.untold };
    await this.#parts.store.save(stored);
    this.#remember(stored);
    if (event !== undefined) await this.#tell(ticket, event);
  }

  #remember(stored: StoredTicket): void {
    if (isLive(stored.ticket)) this.#live.set(stored.ticket.id, stored);
    else this.#live.delete(stored.ticket.id);
  }

  #liveTickets(): readonly EscalationTicket[] {
    return [...this.#live.values()].map(({ ticket }) => ticket);
  }

  /** Into the outbox, once for each sink; when that fails it is done at the next start or the next ageing. */
  async #tell(ticket: EscalationTicket, event: TicketEvent): Promise<void> {
    const round = event === 'reminder' ? `-${ticket.reminders}` : '';
    try {
      for (const sink of this.#options.sinks)
        await this.#parts.outbox.add({
          id: `${ticket.id}/${event}${round}/${sink}`,
          channel: TICKET_CHANNEL,
          body: { sink, event, ticket: jsonObjectSchema.parse(ticket) },
        });
      const stored = { ticket, untold: undefined };
      await this.#parts.store.save(stored);
      this.#remember(stored);
      this.#trouble = undefined;
      this.#parts.wake?.();
    } catch (error) {
      this.#trouble = `${ticket.id} could not be handed on: ${messageOf(error)}`;
      this.#parts.logger.error(
        { ticket: ticket.id, error: messageOf(error) },
        'a ticket could not be handed on',
      );
    }
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#turns.then(change);
    this.#turns = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  #ageLater(): void {
    if (this.#isStopped) return;
    this.#cancelTimer = this.#parts.scheduler.after(AGE_EVERY_MS, () => {
      void this.#inTurn(() => this.#age())
        .catch((error: unknown) => {
          this.#trouble = `tickets could not be aged: ${messageOf(error)}`;
          this.#parts.logger.error({ error: messageOf(error) }, 'tickets could not be aged');
        })
        .finally(() => this.#ageLater());
    });
  }

  async #age(): Promise<void> {
    const nowMs = this.#parts.clocks.monotonicMs();
    const elapsedMs = nowMs - this.#agedAtMs;
    this.#agedAtMs = nowMs;
    for (const { ticket: before, untold } of [...this.#live.values()]) {
      const { ticket, event } = ageTicket(before, elapsedMs);
      if (event === undefined) this.#remember({ ticket, untold });
      else await this.#keep(ticket, event);
    }
    this.#unsavedMs += elapsedMs;
    if (this.#unsavedMs >= SAVE_AGES_EVERY_MS) await this.#saveAges();
    if (this.#trouble !== undefined) await this.#tellAgain();
  }

  /** All in one transaction: a card wears out by single ones. */
  async #saveAges(): Promise<void> {
    this.#unsavedMs = 0;
    await Promise.all([...this.#live.values()].map((stored) => this.#parts.store.save(stored)));
  }

  async #tellAgain(): Promise<void> {
    for (const { ticket, untold } of [...this.#live.values(), ...(await this.#parts.store.untold(MAX_LIVE))])
      if (untold !== undefined) await this.#tell(ticket, untold);
  }
}
