import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openState, scratchDirectory } from '../../support/state-site.ts';

let directory: ReturnType<typeof scratchDirectory>;
let state: Awaited<ReturnType<typeof openState>>;

beforeEach(async () => {
  directory = scratchDirectory();
  state = await openState(directory.path);
});
afterEach(async () => {
  await state.database.close();
  directory.remove();
});

const idsOf = async (channel: string) => (await state.outbox.waiting(channel, 100)).map(({ id }) => id);

describe('the outbox', () => {
  it('hands out what waits for a channel, oldest first, until it is delivered, also after a restart', async () => {
    for (const id of ['1', '2', '3']) await state.outbox.add({ id, channel: 'work_order', body: { id } });
    await state.outbox.add({ id: '4', channel: 'mail', body: {} });
    await state.outbox.delivered('2');
    await state.database.close();
    state = await openState(directory.path);
    expect(await idsOf('work_order')).toEqual(['1', '3']);
    expect(await state.outbox.waiting('work_order', 1)).toMatchObject([
      { id: '1', body: { id: '1' }, attempts: 0 },
    ]);
    expect(await state.outbox.backlog()).toEqual({ work_order: 2, mail: 1 });
  });

  it('takes the same id for the same message: newer words replace those that wait, in their place', async () => {
    await state.outbox.add({ id: '1', channel: 'mail', body: { text: 'old' } });
    await state.outbox.add({ id: '2', channel: 'mail', body: {} });
    await state.outbox.add({ id: '1', channel: 'mail', body: { text: 'new' } });
    expect(await state.outbox.waiting('mail', 10)).toMatchObject([
      { id: '1', body: { text: 'new' } },
      { id: '2' },
    ]);
  });

  it('does not send again what was delivered, however often it is added', async () => {
    await state.outbox.add({ id: '1', channel: 'mail', body: {} });
    await state.outbox.delivered('1');
    await state.outbox.add({ id: '1', channel: 'mail', body: {} });
    expect(await idsOf('mail')).toEqual([]);
  });

  it('says of what is added whether it waits, or how it ended before', async () => {
    const add = () => state.outbox.add({ id: '1', channel: 'mail', body: {} });
    expect(await add()).toEqual({ state: 'waiting' });
    expect(await add()).toEqual({ state: 'waiting' });
    await state.outbox.failed('1', 'nobody lives there', true);
    expect(await add()).toEqual({ state: 'set aside', why: 'nobody lives there' });
    await state.outbox.add({ id: '2', channel: 'mail', body: {} });
    await state.outbox.delivered('2');
    expect(await state.outbox.add({ id: '2', channel: 'mail', body: {} })).toEqual({ state: 'delivered' });
  });

  it('counts what failed and sets it aside when that is final', async () => {
    await state.outbox.add({ id: '1', channel: 'mail', body: {} });
    await state.outbox.failed('1', 'no route', false);
    expect(await state.outbox.waiting('mail', 10)).toMatchObject([{ id: '1', attempts: 1 }]);
    await state.outbox.failed('1', 'expired', true);
    expect(await idsOf('mail')).toEqual([]);
    expect(await state.outbox.backlog()).toEqual({});
  });

  it('keeps a message that has expired in the row, with its expiry, for it is to be told', async () => {
    const expiresAt = '2020-01-01T00:00:00.000Z';
    await state.outbox.add({ id: '1', channel: 'mail', body: {}, expiresAt });
    expect(await state.outbox.waiting('mail', 10)).toMatchObject([{ id: '1', expiresAt }]);
  });

  it('sets aside a message that cannot be read, and hands out those behind it', async () => {
    await state.outbox.add({ id: '1', channel: 'mail', body: {} });
    await state.outbox.add({ id: '2', channel: 'mail', body: {} });
    await state.database.write((writer) => writer.run("UPDATE outbox SET body = '{' WHERE id = '1'"));
    expect(await idsOf('mail')).toEqual(['2']);
    expect(await state.outbox.backlog()).toEqual({ mail: 1 });
  });

  it('forgets what ended before a time and leaves what waits', async () => {
    for (const id of ['1', '2']) await state.outbox.add({ id, channel: 'mail', body: {} });
    await state.outbox.delivered('1');
    expect(await state.outbox.prune('2020-01-01T00:00:00.000Z')).toBe(0);
    expect(await state.outbox.prune('9999-01-01T00:00:00.000Z')).toBe(1);
    expect(await idsOf('mail')).toEqual(['2']);
  });
});
