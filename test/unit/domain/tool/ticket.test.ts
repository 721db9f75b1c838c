import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ageTicket,
  type EscalationTicket,
  endTicket,
  escalationTicketSchema,
  isLive,
} from '../../../../src/domain/tool/ticket.ts';

const opened: EscalationTicket = {
  id: 'tk_1',
  tool: 'read-value',
  code: 'TOOL_TIMEOUT',
  message: 'no answer within 2000 ms',
  input: { machine: 'kiln' },
  path: ['read-value'],
  session_id: 's',
  turn_id: 'tr_1',
  safety: false,
  opened_at: '2026-03-01T12:00:00.000Z',
  boot_id: 'boot',
  seq: 1,
  occurrences: 1,
  status: 'open',
  age_ms: 0,
  ttl_s: 3600,
  reminders: 0,
};
const HOUR_MS = 3_600_000;

describe('a ticket', () => {
  it('expires at the end of its life', () => {
    expect(ageTicket(opened, HOUR_MS - 1).ticket.status).toBe('open');
    expect(ageTicket(opened, HOUR_MS)).toMatchObject({
      ticket: { status: 'expired', ended_by: 'time' },
      event: 'expired',
    });
  });

  it('resolves by itself only where that was asked for', () => {
    const ticket = { ...opened, auto_resolve_after_s: 1800 };
    expect(ageTicket(ticket, HOUR_MS / 2 - 1).event).toBeUndefined();
    expect(ageTicket(ticket, HOUR_MS / 2)).toMatchObject({
      ticket: { status: 'resolved' },
      event: 'resolved',
    });
  });

  it('about safety never ends by time: people are reminded each time its life has passed', () => {
    const ticket = { ...opened, safety: true, auto_resolve_after_s: 1800 };
    const first = ageTicket(ticket, HOUR_MS);
    expect(first).toMatchObject({ ticket: { status: 'open', reminders: 1 }, event: 'reminder' });
    expect(ageTicket(first.ticket, 1000).event).toBeUndefined();
    expect(ageTicket(first.ticket, HOUR_MS)).toMatchObject({ ticket: { reminders: 2 }, event: 'reminder' });
  });

  it('has a life: none at all is refused', () => {
    expect(escalationTicketSchema.safeParse({ ...opened, ttl_s: 0 }).success).toBe(false);
  });

  it('is ended once, by a person', () => {
    const resolved = endTicket(opened, 'resolved', 'Wang', 'cable was loose');
    expect(resolved).toMatchObject({ status: 'resolved', ended_by: 'Wang', note: 'cable was loose' });
    expect(resolved && endTicket(resolved, 'resolved', 'Li', undefined)).toBeUndefined();
    expect(resolved && ageTicket(resolved, 10 * HOUR_MS).event).toBeUndefined();
  });

  it('ages the same in one step as in many, and is told of at most once as ended', () => {
    const ticket = fc.record({
      safety: fc.boolean(),
      ttl_s: fc.integer({ min: 1, max: 100 }),
      auto_resolve_after_s: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        ticket,
        fc.array(fc.integer({ min: 1, max: 30_000 })),
        ({ auto_resolve_after_s: auto, ...rest }, steps) => {
          let current: EscalationTicket = {
            ...opened,
            ...rest,
            ...(auto === undefined ? {} : { auto_resolve_after_s: auto }),
          };
          const once = ageTicket(
            current,
            steps.reduce((sum, step) => sum + step, 0),
          ).ticket;
          let ends = 0;
          for (const step of steps) {
            const aged = ageTicket(current, step);
            current = aged.ticket;
            if (aged.event === 'expired' || aged.event === 'resolved') ends += 1;
          }
          expect(isLive(current)).toBe(isLive(once));
          expect(ends).toBe(isLive(current) ? 0 : 1);
          if (rest.safety) expect(current.status).toBe('open');
        },
      ),
    );
  });
});
