import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallSlots, type Slot } from '../../../../src/adapters/sandbox/call-slots.ts';
import { ManualScheduler } from '../../../support/manual-scheduler.ts';

const never = new AbortController().signal;

function slotsOf(slots: number, waiting = 4): { slots: CallSlots; scheduler: ManualScheduler } {
  const scheduler = new ManualScheduler();
  return { slots: new CallSlots({ slots, waiting, waitLimitMs: 1000 }, scheduler), scheduler };
}

function release(slot: Slot): void {
  if (!slot.ok) throw new Error(`no slot: ${slot.why}`);
  slot.release();
}

/** What a call that may wait has come to by now. */
function watched(slot: Promise<Slot>): { outcome: string } {
  const state = { outcome: 'waits' };
  void slot.then((settled) => {
    state.outcome = settled.ok ? 'runs' : settled.why;
  });
  return state;
}

describe('the slots of calls', () => {
  it('let those wait that find none free, and serve them in the order of their coming', async () => {
    const { slots } = slotsOf(1);
    const first = await slots.take(false, never);
    const order: number[] = [];
    const rest = [1, 2, 3].map((n) =>
      slots.take(false, never).then((slot) => {
        order.push(n);
        release(slot);
      }),
    );
    release(first);
    await Promise.all(rest);
    expect(order).toEqual([1, 2, 3]);
    expect(slots.taken).toBe(0);
  });

  it('refuse at once when too many wait', async () => {
    const { slots } = slotsOf(1, 2);
    await slots.take(false, never);
    void slots.take(false, never);
    void slots.take(false, never);
    expect(await slots.take(false, never)).toEqual({ ok: false, why: 'full' });
  });

  it('let no call wait longer than it may', async () => {
    const { slots, scheduler } = slotsOf(1);
    await slots.take(false, never);
    const late = slots.take(false, never);
    scheduler.pass(1000);
    expect(await late).toEqual({ ok: false, why: 'late' });
    expect(slots.waiting).toBe(0);
  });

  it('forget a call that is cancelled while it waits', async () => {
    const { slots } = slotsOf(1);
    const first = await slots.take(false, never);
    const cancel = new AbortController();
    const second = slots.take(false, cancel.signal);
    const third = watched(slots.take(false, never));
    cancel.abort();
    expect(await second).toEqual({ ok: false, why: 'cancelled' });
    release(first);
    await Promise.resolve();
    expect(third.outcome).toBe('runs');
  });

  it('keep the last one from calls that run on after their turn', async () => {
    const { slots } = slotsOf(2);
    const long = await slots.take(true, never);
    const secondLong = watched(slots.take(true, never));
    const short = await slots.take(false, never);
    await Promise.resolve();
    expect(secondLong.outcome).toBe('waits');
    release(short);
    await Promise.resolve();
    expect(secondLong.outcome).toBe('waits');
    release(long);
    await Promise.resolve();
    expect(secondLong.outcome).toBe('runs');
  });

  it('let short calls pass a long one that waits', async () => {
    const { slots } = slotsOf(2);
    await slots.take(true, never);
    const longer = watched(slots.take(true, never));
    expect(await slots.take(false, never)).toMatchObject({ ok: true });
    expect(longer.outcome).toBe('waits');
  });

  it('tell those that wait when they close', async () => {
    const { slots } = slotsOf(1);
    await slots.take(false, never);
    const waiting = slots.take(false, never);
    slots.close();
    expect(await waiting).toEqual({ ok: false, why: 'closed' });
    expect(await slots.take(false, never)).toEqual({ ok: false, why: 'closed' });
  });

  it('are never more than there are, and none is lost, whatever comes', async () => {
    const step = fc.record({ take: fc.boolean(), detached: fc.boolean(), which: fc.nat(20) });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { maxLength: 60 }),
        async (size, steps) => {
          const { slots } = slotsOf(size);
          const held: Slot[] = [];
          for (const { take, detached, which } of steps) {
            if (take) {
              void slots.take(detached, never).then((slot) => {
                if (slot.ok) held.push(slot);
              });
            } else for (const slot of held.splice(which, 1)) release(slot);
            await Promise.resolve();
            await Promise.resolve();
            expect(slots.taken).toBe(held.length);
            expect(slots.taken).toBeLessThanOrEqual(size);
          }
          while (held.length > 0) {
            for (const slot of held.splice(0)) release(slot);
            await Promise.resolve();
            await Promise.resolve();
          }
          expect([slots.taken, slots.waiting]).toEqual([0, 0]);
        },
      ),
    );
  });
});
