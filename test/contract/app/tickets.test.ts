import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database.ts';
import { SqliteTicketStore } from '../../../src/adapters/sqlite/sqlite-ticket-store.ts';
import { STATE_MIGRATIONS } from '../../../src/adapters/sqlite/state-migrations.ts';
import type { OutboxMessage, OutboxStore } from '../../../src/app/ports/session-store.ts';
import { ticketDeliverer } from '../../../src/app/ticket-deliverer.ts';
import { type TicketOptions, Tickets } from '../../../src/app/tickets.ts';
import type { Cancel, Clocks, Scheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import type { TicketRequest } from '../../../src/tooling/ticket-opener-port.ts';
import { eventually } from '../../support/eventually.ts';

/** Time that passes when it is told to. */
class HandTime implements Clocks, Scheduler {
  readonly bootId: string;
  #nowMs = 0;
  #seq = 0;
  #timer: (() => void) | undefined;

  constructor(bootId: string) {
    this.bootId = bootId;
  }
  monotonicMs(): number {
    return this.#nowMs;
  }
  wall(): Date {
    return new Date(Date.UTC(2026, 2, 1) + this.#nowMs);
  }
  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }
  after(_delayMs: number, run: () => void): Cancel {
    this.#timer = run;
    return () => {
      this.#timer = undefined;
    };
  }
  /** The next timer is set when the work of this one is done. */
  async pass(durationMs: number): Promise<void> {
    const timer = await eventually('a timer', () => this.#timer);
    this.#timer = undefined;
    this.#nowMs += durationMs;
    timer();
  }
}

const request: TicketRequest = {
  tool: 'read-value',
  code: 'TOOL_TIMEOUT',
  message: 'no answer within 2000 ms',
  input: { machine: 'kiln', secret: '[redacted]' },
  path: ['report', 'read-value'],
  sessionId: 'session-1',
  turnId: 'tr_1',
  stateHash: 'abc',
  safety: false,
};
const unknown: TicketRequest = { ...request, tool: 'write-value', code: 'OUTCOME_UNKNOWN', safety: true };

let directory: string;
let database: Database;
let outbox: OutboxMessage[];
let add: OutboxStore['add'];
const keep: OutboxStore['add'] = async (message) => {
  outbox.push(message);
  return { state: 'waiting' };
};
let time: HandTime;
let boots: number;
let running: Tickets[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-tickets-'));
  ({ database } = await Database.open(join(directory, 'state.db'), STATE_MIGRATIONS, new Date()));
  outbox = [];
  add = keep;
  boots = 0;
  running = [];
});
afterEach(async () => {
  for (const tickets of running) await tickets.stop();
  await database.close();
  rmSync(directory, { recursive: true });
});

/** Tickets after a start of the daemon, over the same file. */
async function boot(options: Partial<TicketOptions> = {}): Promise<Tickets> {
  boots += 1;
  time = new HandTime(`boot-${boots}`);
  const logger = silentLogger();
  const tickets = new Tickets(
    { sinks: ['mqtt', 'webhook'], ...options },
    {
      store: new SqliteTicketStore(database, logger),
      outbox: { add: (message) => add(message) },
      clocks: time,
      scheduler: time,
      logger,
    },
  );
  running.push(tickets);
  await tickets.start();
  return tickets;
}

const told = () => outbox.map(({ id }) => id.replace(/^tk_\w+\//u, ''));
const statusOf = async (tickets: Tickets, id: string) => (await tickets.show(id)).status;
const ended = (tickets: Tickets, id: string, status: string) =>
  eventually(`the ticket is ${status}`, async () => (await statusOf(tickets, id)) === status);

describe('tickets', () => {
  it('carry what a person needs: tool, redacted input, path, state hash, time and order', async () => {
    const tickets = await boot();
    const id = await tickets.open(request);
    expect(await tickets.show(id)).toMatchObject({
      tool: 'read-value',
      code: 'TOOL_TIMEOUT',
      input: { machine: 'kiln', secret: '[redacted]' },
      path: ['report', 'read-value'],
      state_hash: 'abc',
      opened_at: '2026-03-01T00:00:00.000Z',
      boot_id: 'boot-1',
      seq: 1,
      status: 'open',
      ttl_s: 3600,
    });
  });

  it('are put into the outbox once for each place where people look', async () => {
    const tickets = await boot();
    await tickets.open(request);
    expect(told()).toEqual(['opened/mqtt', 'opened/webhook']);
    expect(outbox[0]).toMatchObject({ channel: 'ticket', body: { sink: 'mqtt', event: 'opened' } });
  });

  it('are one for a tool that fails in the same way again, and one for each act with an unknown outcome', async () => {
    const tickets = await boot();
    const first = await tickets.open(request);
    expect(await tickets.open(request)).toBe(first);
    expect((await tickets.show(first)).occurrences).toBe(2);
    expect(told()).toHaveLength(2);
    expect(await tickets.open(unknown)).not.toBe(await tickets.open(unknown));
  });

  it('are one for each station whose tasks fail, and keep its own session and state', async () => {
    const tickets = await boot();
    const escalation: TicketRequest = {
      ...request,
      tool: 'session',
      code: 'TOOL_FAILED',
      input: {},
      path: [],
    };
    const first = await tickets.open(escalation);
    const second = await tickets.open({ ...escalation, sessionId: 'session-2', stateHash: 'def' });
    expect(await tickets.open({ ...escalation, stateHash: 'later' })).toBe(first);
    expect(await tickets.show(first)).toMatchObject({
      session_id: 'session-1',
      state_hash: 'abc',
      occurrences: 2,
    });
    expect(await tickets.show(second)).toMatchObject({
      session_id: 'session-2',
      state_hash: 'def',
      occurrences: 1,
    });
    expect(outbox.map(({ id }) => id)).toEqual([
      `${first}/opened/mqtt`,
      `${first}/opened/webhook`,
      `${second}/opened/mqtt`,
      `${second}/opened/webhook`,
    ]);
  });

  it('are one for each machine that a tool fails at, whoever asked', async () => {
    const tickets = await boot();
    const kiln = await tickets.open(request);
    const press = await tickets.open({ ...request, input: { machine: 'press' } });
    expect(press).not.toBe(kiln);
    expect(await tickets.open({ ...request, sessionId: 'session-2' })).toBe(kiln);
    expect(await tickets.open({ ...request, input: { machine: 'kiln', other_machine: 'press' } })).not.toBe(
      kiln,
    );
  });

  it('are one for each act with an unknown outcome, at one machine, at two, and away from every machine', async () => {
    const tickets = await boot();
    const sent: TicketRequest = { ...unknown, tool: 'send-mail', input: { to: 'ann' }, safety: false };
    const ids: string[] = [];
    for (const act of [unknown, unknown, { ...unknown, input: { machine: 'press' } }, sent, sent])
      ids.push(await tickets.open(act));
    expect(new Set(ids).size).toBe(5);
    expect(tickets.live().map(({ occurrences }) => occurrences)).toEqual([1, 1, 1, 1, 1]);
  });

  it('are resolved by a person, once', async () => {
    const tickets = await boot();
    const id = await tickets.open(request);
    await tickets.acknowledge(id, 'Li');
    expect(await statusOf(tickets, id)).toBe('acknowledged');
    expect(await tickets.resolve(id, 'Wang', 'the cable was loose')).toMatchObject({
      status: 'resolved',
      ended_by: 'Wang',
      note: 'the cable was loose',
    });
    await expect(tickets.resolve(id, 'Li')).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: `${id} is resolved already, by Wang`,
    });
    expect(told().filter((id) => id.endsWith('mqtt'))).toEqual([
      'opened/mqtt',
      'acknowledged/mqtt',
      'resolved/mqtt',
    ]);
  });

  it('that a person resolves while they age stay resolved', async () => {
    const tickets = await boot();
    const ids: string[] = [];
    for (let tool = 0; tool < 5; tool += 1)
      ids.push(await tickets.open({ ...request, tool: `tool-${tool}` }));
    await time.pass(3_600_000);
    await Promise.allSettled(ids.map((id) => tickets.resolve(id, 'Wang')));
    await time.pass(1000);
    await tickets.stop();
    for (const id of ids) expect(['resolved', 'expired']).toContain(await statusOf(tickets, id));
    expect(tickets.health().figures).toMatchObject({ open: 0 });
  });

  it('that do not exist are refused with the nearest', async () => {
    const tickets = await boot();
    const id = await tickets.open(request);
    await expect(tickets.show(`${id.slice(0, -1)}`)).rejects.toMatchObject({ hint: `did you mean "${id}"?` });
  });

  it('expire after an hour, or resolve by themselves sooner where the site says so', async () => {
    const tickets = await boot();
    const id = await tickets.open(request);
    await time.pass(3_599_000);
    await time.pass(1000);
    await ended(tickets, id, 'expired');
    const sooner = await boot({ autoResolveAfterS: 1800 });
    const other = await sooner.open(request);
    await time.pass(1_800_000);
    await ended(sooner, other, 'resolved');
  });

  it('about safety never end by themselves: people are reminded every hour', async () => {
    const tickets = await boot({ autoResolveAfterS: 1800 });
    const id = await tickets.open(unknown);
    for (let hour = 1; hour <= 3; hour += 1) {
      await time.pass(3_600_000);
      await eventually('the reminder', () => told().includes(`reminder-${hour}/webhook`));
    }
    expect(await statusOf(tickets, id)).toBe('open');
  });

  it('survive a restart with their age, and do not age while the box is off', async () => {
    const before = await boot();
    const id = await before.open(request);
    await time.pass(3_000_000);
    await eventually('the age is kept', async () => (await before.show(id)).age_ms === 3_000_000);
    await before.stop();
    const after = await boot();
    expect(await statusOf(after, id)).toBe('open');
    await time.pass(600_000);
    await ended(after, id, 'expired');
  });

  it('that could not be handed on are handed on at the next start', async () => {
    add = () => Promise.reject(new Error('disk'));
    const before = await boot();
    await before.open(request);
    await before.open(request);
    expect(before.health()).toMatchObject({ status: 'degraded' });
    await before.stop();
    add = keep;
    await boot();
    expect(told()).toEqual(['opened/mqtt', 'opened/webhook']);
    await boot();
    expect(told()).toEqual(['opened/mqtt', 'opened/webhook']);
  });

  it('that cannot be read are left out and the rest are there', async () => {
    const tickets = await boot();
    const id = await tickets.open(request);
    await database.write((writer) =>
      writer.run("INSERT INTO ticket (id, status, body) VALUES ('tk_bad', 'open', '{}')"),
    );
    expect((await (await boot()).list()).map((ticket) => ticket.id)).toEqual([id]);
  });
});

describe('the channel of tickets', () => {
  it('hands each message to the sink that it names', async () => {
    const tickets = await boot();
    const id = await tickets.open(request);
    const seen: unknown[] = [];
    const sink = (name: string) => ({
      name,
      tell: async (messageId: string, body: object) => {
        seen.push({ name, messageId, body });
        return { kind: 'delivered' } as const;
      },
    });
    const deliverer = ticketDeliverer([sink('mqtt')]);
    const { signal } = new AbortController();
    const results = await Promise.all(outbox.map((message) => deliverer.deliver(message, signal)));
    expect(results).toEqual([
      { kind: 'delivered' },
      { kind: 'never', why: 'there is no "webhook" any more' },
    ]);
    expect(seen).toMatchObject([
      { name: 'mqtt', messageId: `${id}/opened/mqtt`, body: { event: 'opened', ticket: { id } } },
    ]);
  });
});
