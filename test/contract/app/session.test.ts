import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Session } from '../../../src/app/session.ts';
import { openStorage, type Storage } from '../../../src/composition/storage.ts';
import type { ExecutionCheck } from '../../../src/domain/session/session-event.ts';
import { systemClocks } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';

interface Timer {
  readonly delayMs: number;
  readonly run: () => void;
}

const NO_TOOLS: ExecutionCheck = { schemaValid: true, tools: [], estimateMs: 0, pendingConfirmations: 0 };

describe('a session', () => {
  let directory: string;
  let storage: Storage;
  let session: Session;
  /** The timers that run; time passes only when a test fires one. */
  let timers: Set<Timer>;
  let nowMs: number;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hermes-session-'));
    storage = await openStorage({ state_dir: directory }, { clocks: systemClocks(), logger: silentLogger() });
    timers = new Set();
    nowMs = 0;
    session = new Session('a', {
      audit: storage.audit,
      logger: silentLogger(),
      clocks: { ...systemClocks(), monotonicMs: () => nowMs },
      scheduler: {
        after(delayMs, run) {
          const timer = { delayMs, run };
          timers.add(timer);
          return () => timers.delete(timer);
        },
      },
    });
  });
  afterEach(async () => {
    session.close();
    await storage.service.stop(1000);
    rmSync(directory, { recursive: true });
  });

  const expire = (delayMs: number): void => {
    const timer = [...timers].find((each) => each.delayMs === delayMs);
    if (timer === undefined) throw new Error(`no timer of ${delayMs} ms runs`);
    timers.delete(timer);
    nowMs += delayMs;
    timer.run();
  };
  const delays = (): readonly number[] => [...timers].map(({ delayMs }) => delayMs).sort((a, b) => a - b);

  it('refuses an illegal event, writes it into the audit, and stays as it was', async () => {
    expect(session.apply({ type: 'confirmed', confirmationId: 'c', check: NO_TOOLS })).toBeUndefined();
    expect(session.state.name).toBe('IDLE');
    await storage.checkWrite();
    expect(await storage.audit.entries('session.violation', 10)).toMatchObject([
      { detail: { station: 'a', state: 'IDLE', event: 'confirmed' } },
    ]);
  });

  it('runs the timers of the state it is in, and none at rest', () => {
    session.apply({ type: 'speech_started' });
    expect(delays()).toEqual([3000, 15_000, 30_000]);
    session.begin('tr_1');
    expect(delays()).toEqual([500, 45_000, 300_000]);
    session.apply({ type: 'understood', answers: false });
    session.apply({ type: 'planned', check: NO_TOOLS });
    session.apply({ type: 'completed' });
    expect(timers.size).toBe(0);
  });

  it('ends a turn that hangs: its signal fires', () => {
    const signal = session.begin('tr_1');
    session.apply({ type: 'understood', answers: false });
    session.apply({ type: 'planned', check: NO_TOOLS });
    expire(30_000);
    expect(signal.aborted).toBe(true);
    expect(session.state).toMatchObject({ name: 'ERROR_HANDLING', turn: { failures: 1 } });
  });

  it('forgets its open question when nobody answers it', () => {
    session.begin('tr_1');
    session.apply({ type: 'understood', answers: false });
    session.apply({ type: 'question_asked' });
    session.question = { named: true, machines: ['a', 'b'], intent: 'read_point', quantity: 'pressure' };
    expire(30_000);
    expect(session.state.name).toBe('IDLE');
    expect(session.question).toBeUndefined();
  });
});
