import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FetchHttpClient } from '../../../src/adapters/http-client/fetch-http-client.ts';
import { SqliteWorkOrderStore } from '../../../src/adapters/sqlite/sqlite-work-order-store.ts';
import { OutboxDelivery } from '../../../src/app/outbox-delivery.ts';
import { WorkOrderDeliverer } from '../../../src/app/work-order-delivery.ts';
import { WorkOrderDesk } from '../../../src/app/work-orders.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { ORDER_TOKEN, OrderSystem } from '../../support/order-system.ts';
import { openState, scratchDirectory } from '../../support/state-site.ts';

let system: OrderSystem;
let port: number;
let scratch: ReturnType<typeof scratchDirectory>;

beforeEach(async () => {
  system = new OrderSystem();
  port = await freePort();
  scratch = scratchDirectory();
});
afterEach(async () => {
  await system.stop();
  scratch.remove();
});

async function node() {
  const state = await openState(scratch.path);
  const store = new SqliteWorkOrderStore(state.database);
  const http = new FetchHttpClient({ allowedHosts: [`127.0.0.1:${port}`] });
  const clocks = systemClocks();
  const delivery = new OutboxDelivery(
    [new WorkOrderDeliverer({ url: `http://127.0.0.1:${port}/orders`, token: ORDER_TOKEN }, http, store)],
    {
      outbox: state.outbox,
      clocks,
      clockState: () => 'synced',
      scheduler: systemScheduler,
      logger: silentLogger(),
    },
    { baseMs: 30, maxMs: 60 },
  );
  const desk = new WorkOrderDesk({
    store,
    outbox: state.outbox,
    delivery,
    clocks,
    clockState: () => 'synced',
    keepMs: 60_000,
  });
  delivery.onEnd((ended) => void desk.ended(ended));
  await delivery.start();
  return {
    store,
    state,
    desk,
    create: (key: string) =>
      desk.create({ key, machine: 'pump-3', title: 'Bearing is loud', priority: 'high', createdBy: 'Wang' }),
    stop: async () => {
      await delivery.stop(1000);
      await state.database.close();
    },
  };
}

describe('a work order', () => {
  it('gets a number here and one of the far side, which learns all that is known', async () => {
    await system.start(port);
    const { create, stop } = await node();
    expect(await create('k-1')).toMatchObject({ number: 1, state: 'open', remote: 'WO-900' });
    expect(system.bodies).toMatchObject([
      {
        path: '/orders',
        number: 1,
        machine: 'pump-3',
        title: 'Bearing is loud',
        priority: 'high',
        created_by: 'Wang',
      },
    ]);
    await stop();
  });

  it('is kept with its number while the far side is away, and goes out when it is back, after a restart too', async () => {
    const before = await node();
    expect(await before.create('k-1')).toMatchObject({ number: 1, state: 'waiting', remote: undefined });
    expect(await before.create('k-2')).toMatchObject({ number: 2, state: 'waiting' });
    await before.stop();

    const after = await node();
    await system.start(port);
    await eventually('both are open', async () => (await after.store.inState('open', 10)).length === 2);
    expect(system.bodies).toMatchObject([{ number: 1 }, { number: 2 }]);
    await after.stop();
  });

  it('is made once, however often it is asked for with one key and however often the answer is lost', async () => {
    system.breaks = true;
    await system.start(port);
    const { create, store, stop } = await node();
    await create('k-1');
    await eventually('tried again', () => system.keys.length >= 3);
    system.breaks = false;
    await eventually('open', async () => (await store.inState('open', 10)).length === 1);
    expect(await create('k-1')).toMatchObject({ number: 1, state: 'open', remote: 'WO-900' });
    expect(system.bodies).toHaveLength(1);
    await stop();
  });

  it('that got no further than its number before a crash is taken up again at the start', async () => {
    const before = await node();
    await before.store.add({
      key: 'k-1',
      machine: undefined,
      title: 'Clean the hall',
      priority: 'normal',
      createdAt: '2026-03-05T08:00:00.000Z',
      createdBy: 'Wang',
    });
    await before.stop();
    await system.start(port);
    const after = await node();
    await after.desk.recover();
    await eventually('open', async () => (await after.store.inState('open', 10)).length === 1);
    expect(system.bodies).toMatchObject([{ title: 'Clean the hall', machine: null }]);
    await after.stop();
  });

  it('that the far side refuses is refused', async () => {
    system.status = 422;
    await system.start(port);
    const { create, store, stop } = await node();
    expect(await create('k-1')).toMatchObject({
      state: 'refused',
      why: 'the work order system answers 422',
    });
    await eventually('on record', async () => (await store.find(1))?.state === 'refused');
    await stop();
  });

  it.each([401, 404, 429, 500, 503])(
    'waits while the far side answers %i, which somebody can mend',
    async (status) => {
      system.status = status;
      await system.start(port);
      const { create, store, stop } = await node();
      expect(await create('k-1')).toMatchObject({ state: 'waiting' });
      system.status = undefined;
      await eventually('open', async () => (await store.find(1))?.state === 'open');
      await stop();
    },
  );

  it('is closed by its number, at the number of the far side', async () => {
    await system.start(port);
    const { create, desk, stop } = await node();
    await create('k-1');
    expect(await desk.close(1, 'new bearing', 'Li Na')).toMatchObject({ number: 1, state: 'closed' });
    expect(await desk.close(1, 'again', 'Li Na')).toMatchObject({ state: 'closed' });
    expect(system.bodies.slice(1)).toMatchObject([
      { path: '/orders/WO-900/close', note: 'new bearing', closed_by: 'Li Na' },
    ]);
    await stop();
  });

  it('that the far side has not heard of is closed after it was opened there', async () => {
    const { create, desk, store, stop } = await node();
    await create('k-1');
    expect(await desk.close(1, 'done', 'Li Na')).toMatchObject({ number: 1, state: 'closing' });
    await system.start(port);
    await eventually('closed', async () => (await store.find(1))?.state === 'closed');
    expect(system.bodies).toMatchObject([{ path: '/orders' }, { path: '/orders/WO-900/close' }]);
    await stop();
  });

  it('that there is not is named beside those that are open', async () => {
    await system.start(port);
    const { create, desk, stop } = await node();
    await create('k-1');
    await expect(desk.close(7, '', 'Li Na')).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: 'there is no work order 7. Open: 1.',
    });
    await stop();
  });
});
