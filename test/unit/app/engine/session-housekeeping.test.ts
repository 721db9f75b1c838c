import { describe, expect, it } from 'vitest';
import { SessionHousekeeping } from '../../../../src/app/engine/session-housekeeping.ts';
import { EdgeError } from '../../../../src/runtime/edge-error.ts';
import { silentLogger } from '../../../../src/runtime/logger.ts';
import { HandTime, settled } from '../../../support/hand-time.ts';

const HOUR_MS = 3_600_000;
const KEEP_MS = 30 * 24 * HOUR_MS;

function keeper(given: { isClockSet?: () => boolean; prune?: () => Promise<number> } = {}) {
  const time = new HandTime();
  const asked: string[] = [];
  const note = (what: string) => async (before: string) => {
    asked.push(`${what} ${time.wall().getTime() - Date.parse(before)}`);
    return given.prune?.() ?? 2;
  };
  const housekeeping = new SessionHousekeeping({
    stores: [{ prune: note('sessions') }, { prune: note('outbox') }],
    clocks: time,
    scheduler: time,
    logger: silentLogger(),
    isClockSet: given.isClockSet ?? (() => true),
    keepMs: KEEP_MS,
  });
  return { time, asked, housekeeping };
}

describe('the housekeeping of sessions', () => {
  it('removes once an hour what was archived or delivered 30 days ago', async () => {
    const { time, asked, housekeeping } = keeper();
    await housekeeping.start();
    time.pass(60_000);
    await settled();
    time.pass(HOUR_MS - 1);
    await settled();
    expect(asked).toEqual([`sessions ${KEEP_MS}`, `outbox ${KEEP_MS}`]);
    time.pass(1);
    await settled();
    expect(asked).toHaveLength(4);
    expect(housekeeping.health()).toMatchObject({ status: 'ok', figures: { removed: 8 } });
    await housekeeping.stop();
    expect(time.timers).toBe(0);
  });

  it('removes nothing while nobody has set the clock', async () => {
    const { time, asked, housekeeping } = keeper({ isClockSet: () => false });
    await housekeeping.start();
    time.pass(5 * HOUR_MS);
    await settled();
    expect(asked).toEqual([]);
    await housekeeping.stop();
  });

  it('says when it cannot, and goes on', async () => {
    let isFull = true;
    const { time, housekeeping } = keeper({
      prune: async () => {
        if (isFull) throw new EdgeError('STATE_DB_FAILED', 'the disk is full');
        return 1;
      },
    });
    await housekeeping.start();
    time.pass(HOUR_MS);
    await settled();
    expect(housekeeping.health()).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('full'),
    });
    isFull = false;
    time.pass(HOUR_MS);
    await settled();
    expect(housekeeping.health()).toMatchObject({ status: 'ok' });
    await housekeeping.stop();
  });
});
