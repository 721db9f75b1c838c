import { afterEach, describe, expect, it } from 'vitest';
import { OutboxDelivery, type OutboxEnd } from '../../../src/app/outbox-delivery.ts';
import { expiryOf } from '../../../src/app/outbox-expiry.ts';
import type { Delivery, OutboxDeliverer } from '../../../src/app/ports/outbox-deliverer.ts';
import type { OutboxMessage } from '../../../src/app/ports/session-store.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { JumpingTime } from '../../support/jumping-time.ts';
import { MemoryOutbox } from '../../support/memory-outbox.ts';

const message = (id: string, more: Partial<OutboxMessage> = {}): OutboxMessage => ({
  id,
  channel: 'mail',
  body: {},
  ...more,
});

const running: OutboxDelivery[] = [];
afterEach(async () => {
  for (const delivery of running.splice(0)) await delivery.stop(100);
});

function deliverer(answers: (message: OutboxMessage, signal: AbortSignal) => Delivery | Promise<Delivery>) {
  const seen: string[] = [];
  const made: OutboxDeliverer = {
    channel: 'mail',
    deliver: async (each, signal) => {
      seen.push(each.id);
      return answers(each, signal);
    },
  };
  return { made, seen };
}

async function started(made: OutboxDeliverer, given: { readonly clock?: 'synced' | 'unsynced' } = {}) {
  const time = new JumpingTime();
  const outbox = new MemoryOutbox();
  const ends: OutboxEnd[] = [];
  const delivery = new OutboxDelivery([made], {
    outbox,
    clocks: time,
    clockState: () => given.clock ?? 'synced',
    scheduler: time,
    logger: silentLogger(),
  });
  delivery.onEnd((ended) => ends.push(ended));
  running.push(delivery);
  return { time, outbox, delivery, ends };
}

const start = (delivery: OutboxDelivery): Promise<void> => delivery.start();

describe('what waits in the outbox', () => {
  it('goes out in order, each once, and its end is told', async () => {
    const { made, seen } = deliverer(() => ({ kind: 'delivered' }));
    const { outbox, delivery, ends } = await started(made);
    for (const id of ['a', 'b', 'c']) await outbox.add(message(id));
    await start(delivery);
    await eventually('all delivered', () => ends.length === 3);
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(ends.map(({ end }) => end)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(await outbox.backlog()).toEqual({});
  });

  it('is tried again with growing delays until the far side is back, and nothing overtakes it', async () => {
    let tries = 0;
    const at: number[] = [];
    const { made, seen } = deliverer((each) => {
      if (each.id !== 'a' || tries >= 4) return { kind: 'delivered' };
      tries += 1;
      at.push(time.monotonicMs());
      return { kind: 'later', why: 'no route', scope: 'channel' };
    });
    const { time, outbox, delivery, ends } = await started(made);
    await outbox.add(message('a'));
    await outbox.add(message('b'));
    await start(delivery);
    await eventually('delivered', () => ends.length === 2);
    expect(seen).toEqual(['a', 'a', 'a', 'a', 'a', 'b']);
    const delays = at.slice(1).map((each, index) => each - (at[index] ?? 0));
    // Equal jitter: between half of the full delay and all of it.
    for (const [index, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual(1000 * 2 ** index);
      expect(delay).toBeLessThanOrEqual(2000 * 2 ** index);
    }
  });

  it('does not wait for a message that only itself is in trouble', async () => {
    const { made } = deliverer((each) =>
      each.id === 'a' ? { kind: 'later', why: 'mailbox busy', scope: 'message' } : { kind: 'delivered' },
    );
    const { outbox, delivery, ends } = await started(made);
    await outbox.add(message('a'));
    await outbox.add(message('b'));
    await start(delivery);
    await eventually('b is delivered', () => ends.length === 1);
    expect(ends[0]?.message.id).toBe('b');
  });

  it('is set aside when the far side will never take it, and that is told with the reason', async () => {
    const { made, seen } = deliverer(() => ({ kind: 'never', why: '550 no such mailbox' }));
    const { outbox, delivery, ends } = await started(made);
    await outbox.add(message('a'));
    await start(delivery);
    await eventually('told', () => ends.length === 1);
    expect(ends[0]).toMatchObject({ end: 'refused', why: '550 no such mailbox' });
    expect(outbox.held.get('a')?.state).toBe('set aside');
    expect(seen).toEqual(['a']);
  });

  it('expires, is not delivered then, and that is told', async () => {
    const { made, seen } = deliverer(() => ({ kind: 'delivered' }));
    const { time, outbox, delivery, ends } = await started(made);
    await outbox.add(message('old', { expiresAt: new Date(time.monotonicMs() - 1).toISOString() }));
    await outbox.add(message('new', { expiresAt: new Date(time.monotonicMs() + 60_000).toISOString() }));
    await start(delivery);
    await eventually('both ended', () => ends.length === 2);
    expect(ends.map(({ message: { id }, end }) => [id, end])).toEqual([
      ['old', 'expired'],
      ['new', 'delivered'],
    ]);
    expect(seen).toEqual(['new']);
  });

  it('does not expire by a clock that is not known to be right', async () => {
    const { made } = deliverer(() => ({ kind: 'delivered' }));
    const { outbox, delivery, ends } = await started(made, { clock: 'unsynced' });
    await outbox.add(message('a', { expiresAt: '1970-01-01T00:00:00.000Z' }));
    await start(delivery);
    await eventually('ended', () => ends.length === 1);
    expect(ends[0]?.end).toBe('delivered');
  });

  it('gets no expiry from a clock that is not known to be right', () => {
    const clocks = { wall: () => new Date('2026-03-05T08:00:00Z') };
    expect(expiryOf(3_600_000, { clocks, clockState: () => 'synced' })).toEqual({
      expiresAt: '2026-03-05T09:00:00.000Z',
    });
    expect(expiryOf(3_600_000, { clocks, clockState: () => 'unsynced' })).toEqual({});
  });

  it('is cut off at the limit of an attempt, and tried again', async () => {
    let tries = 0;
    const { made } = deliverer((_each, signal) => {
      tries += 1;
      if (tries > 1) return { kind: 'delivered' };
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    });
    const { outbox, delivery, ends } = await started(made);
    await outbox.add(message('a'));
    await start(delivery);
    await eventually('delivered at last', () => ends.length === 1);
    expect(tries).toBe(2);
    expect(outbox.held.get('a')?.why).toBe('no answer within 20000 ms');
  });

  it('goes out at once when it is sent, and whoever sent it hears so', async () => {
    const { made } = deliverer(() => ({ kind: 'delivered', detail: { remote: 'WO-7' } }));
    const { delivery } = await started(made);
    await start(delivery);
    expect(await delivery.send(message('a'), 1000)).toEqual({
      state: 'delivered',
      detail: { remote: 'WO-7' },
    });
  });

  it('that had its end before a restart has it at once when it is sent again, and goes out no second time', async () => {
    const { made, seen } = deliverer(() => ({ kind: 'delivered' }));
    const { outbox, delivery } = await started(made);
    for (const id of ['a', 'b', 'c']) await outbox.add(message(id));
    await outbox.delivered('a');
    await outbox.failed('b', 'nobody lives there', true);
    await outbox.failed('c', 'expired', true);
    await start(delivery);
    const sent = await Promise.all(['a', 'b', 'c'].map((id) => delivery.send(message(id), 1_000_000)));
    expect(sent).toEqual([
      { state: 'delivered' },
      { state: 'refused', why: 'nobody lives there' },
      { state: 'expired' },
    ]);
    expect(seen).toEqual([]);
  });

  it('keeps nobody waiting for a far side that is away', async () => {
    const { made } = deliverer(() => ({ kind: 'later', why: 'no route', scope: 'channel' }));
    const { outbox, delivery } = await started(made);
    await start(delivery);
    expect(await delivery.send(message('a'), 1000)).toEqual({ state: 'waiting' });
    expect(outbox.held.get('a')?.state).toBe('waiting');
    expect(delivery.health()).toMatchObject({ status: 'degraded', detail: 'mail: no route' });
  });

  it('that a session put there is found without being told of', async () => {
    const { made } = deliverer(() => ({ kind: 'delivered' }));
    const { outbox, delivery, ends } = await started(made);
    await start(delivery);
    await outbox.add(message('a'));
    await eventually('found', () => ends.length === 1);
  });

  it('stays there when the program stops in the middle of an attempt', async () => {
    const { made, seen } = deliverer(
      (_each, signal) =>
        new Promise((resolve) => {
          signal.addEventListener(
            'abort',
            () => resolve({ kind: 'later', why: 'stopping', scope: 'channel' }),
            { once: true },
          );
        }),
    );
    const { outbox, delivery } = await started(made);
    await outbox.add(message('a'));
    await start(delivery);
    await eventually('begun', () => seen.length === 1);
    await delivery.stop(1000);
    expect(outbox.held.get('a')).toMatchObject({ state: 'waiting', attempts: 0 });
  });
});
