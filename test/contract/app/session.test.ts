import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Session } from '../../../src/app/session.ts';
import { openStorage, type Storage } from '../../../src/composition/storage.ts';
import { systemClocks } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';

interface Timer {
  readonly delayMs: number;
  readonly run: () => void;
}

describe('a session', () => {
  let directory: string;
  let storage: Storage;
  let session: Session;
  /** The timers that run; time passes only when a test fires one. */
  let timers: Set<Timer>;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hermes-session-'));
    storage = await openStorage({ state_dir: directory }, { clocks: systemClocks(), logger: silentLogger() });
    timers = new Set();
    session = new Session('a', {
      audit: storage.audit,
      logger: silentLogger(),
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

  const expire = (): void => {
    const [timer] = timers;
    if (timer === undefined) throw new Error('no timer runs');
    timers.delete(timer);
    timer.run();
  };

  it('refuses an illegal event, writes it into the audit, and stays as it was', async () => {
    expect(session.apply('confirmed')).toBeUndefined();
    expect(session.state.name).toBe('IDLE');
    await storage.checkWrite();
    expect(await storage.audit.entries('session.violation', 10)).toMatchObject([
      { detail: { station: 'a', state: 'IDLE', event: 'confirmed' } },
    ]);
  });

  it('runs one timer for the state it is in, and none at rest', () => {
    session.apply('speech_started');
    expect([...timers].map(({ delayMs }) => delayMs)).toEqual([30_000]);
    session.begin('tr_1');
    expect([...timers].map(({ delayMs }) => delayMs)).toEqual([500]);
    session.apply('understood');
    session.apply('planned');
    session.apply('completed');
    expect(timers.size).toBe(0);
  });

  it('ends a turn that hangs: its signal fires', () => {
    const signal = session.begin('tr_1');
    session.apply('understood');
    session.apply('planned');
    expire();
    expect(signal.aborted).toBe(true);
    expect(session.state).toMatchObject({ name: 'ERROR_HANDLING', failures: 1 });
  });

  it('forgets its open question when nobody answers it', () => {
    session.begin('tr_1');
    session.apply('understood');
    session.apply('question_asked');
    session.question = { named: true, machines: ['a', 'b'], intent: 'read_point', quantity: 'pressure' };
    expire();
    expect(session.state.name).toBe('IDLE');
    expect(session.question).toBeUndefined();
  });
});
