import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AlarmDesk } from '../../../src/app/alarm-desk.ts';
import type { Announcement, SpokenOutcome } from '../../../src/app/announcer.ts';
import { loadSite } from '../../../src/composition/site.ts';
import { openStorage, type Storage } from '../../../src/composition/storage.ts';
import { configSchema } from '../../../src/config/config-schema.ts';
import type { AlarmMessage } from '../../../src/domain/alarm/alarm-event.ts';
import { systemClocks } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';

interface Line extends Announcement {
  settle(outcome: 'played' | 'failed' | { readonly heardMs: number }): void;
}

const message = (id: string, more: Partial<AlarmMessage> = {}): AlarmMessage => ({
  id,
  state: 'raised',
  priority: 'high',
  text: `alarm ${id}`,
  ...more,
});

describe('the alarm desk', () => {
  let directory: string;
  let storage: Storage;
  let desk: AlarmDesk;
  /** Lines that wait to be spoken, as an announcer would hold them. */
  let lines: Line[];
  let timers: (() => void)[];
  let nowMs: number;
  let heard: string[];
  const { phrases } = loadSite(configSchema.parse({}));

  const open = (): AlarmDesk =>
    new AlarmDesk({
      store: storage.alarms,
      phrases,
      language: 'en',
      onHeard: (text) => heard.push(text),
      clocks: { ...systemClocks(), monotonicMs: () => nowMs },
      logger: silentLogger(),
      scheduler: {
        after: (_delayMs, run) => {
          timers.push(run);
          return () => timers.splice(timers.indexOf(run), 1);
        },
      },
      announcer: {
        announce: (announcement) =>
          new Promise<SpokenOutcome>((resolve) => {
            const { text } = announcement;
            lines.push({
              ...announcement,
              settle(outcome) {
                lines.splice(lines.indexOf(this), 1);
                if (outcome === 'played') resolve({ kind: 'played', text });
                else if (outcome === 'failed') resolve({ kind: 'failed', text, reason: 'no speaker' });
                else resolve({ kind: 'stopped', ...outcome, text });
              },
            });
          }),
      },
    });

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hermes-alarms-'));
    storage = await openStorage({ state_dir: directory }, { clocks: systemClocks(), logger: silentLogger() });
    lines = [];
    nowMs = 1000;
    heard = [];
    timers = [];
    desk = open();
    await desk.start();
  });
  afterEach(async () => {
    await desk.stop();
    await storage.service.stop(1000);
    rmSync(directory, { recursive: true });
  });

  const unheard = async () => (await storage.alarms.unannounced(100)).map(({ id }) => id);
  const said = () => lines.map(({ text }) => text);

  it('records an event before anything is said, and says it once', async () => {
    await desk.receive('oven', 'overheat', message('1'));
    await desk.receive('oven', 'overheat', message('1'));
    expect(await unheard()).toEqual(['1']);
    expect(said()).toEqual(['High alarm from oven: alarm 1.']);
    lines[0]?.settle('played');
    await eventually('it counts as heard', async () => (await unheard()).length === 0);
    expect(desk.health().figures).toMatchObject({ received: 1, duplicates: 1 });
    await eventually('its words are told', () => heard.length > 0);
    expect(heard).toEqual(['High alarm from oven: alarm 1.']);
  });

  it('says after a restart what nobody had heard', async () => {
    await desk.receive('oven', 'overheat', message('1'));
    await desk.stop();
    lines = [];
    desk = open();
    await desk.start();
    expect(said()).toEqual(['High alarm from oven: alarm 1.']);
  });

  it('says an event once that the broker delivers before the start has read the disk', async () => {
    await desk.stop();
    desk = open();
    await desk.receive('oven', 'overheat', message('1'));
    await desk.start();
    expect(said()).toEqual(['High alarm from oven: alarm 1.']);
  });

  /** Lets the time pass after which an alarm may be tried again. */
  async function later(): Promise<void> {
    nowMs += 60_000;
    for (const run of timers.splice(0)) run();
    await eventually('something is said', () => lines.length > 0);
  }

  it('does not take an alarm for heard that was silenced before it made a sound', async () => {
    await desk.receive('oven', 'overheat', message('1', { priority: 'critical' }));
    await desk.receive('pump', 'jam', message('2', { priority: 'low' }));
    for (const line of [...lines]) line.settle({ heardMs: 0 });
    expect(heard).toEqual([]);
    await eventually('both wait', () => desk.health().figures?.['in_flight'] === 0);
    await later();
    expect(said().sort()).toEqual(['Critical alarm from oven: alarm 1.', 'Low alarm from pump: alarm 2.']);
  });

  it('takes a medium alarm for heard that was silenced in the middle, and says a high one once more', async () => {
    await desk.receive('oven', 'overheat', message('1', { priority: 'medium' }));
    await desk.receive('pump', 'jam', message('2', { priority: 'high' }));
    for (const line of [...lines]) line.settle({ heardMs: 2000 });
    await eventually('the first is heard', async () => (await unheard()).length === 1);
    await later();
    expect(said()).toEqual(['High alarm from pump: alarm 2.']);
    lines[0]?.settle({ heardMs: 2000 });
    await eventually('the second time is enough', async () => (await unheard()).length === 0);
  });

  it('says "over" only after "raised", whatever their priorities', async () => {
    await desk.receive('press', 'guard', message('1', { priority: 'low' }));
    await desk.receive('press', 'guard', message('1', { priority: 'high', state: 'cleared' }));
    expect(said()).toEqual(['Low alarm from press: alarm 1.']);
    lines[0]?.settle('played');
    await eventually('then it is over', () => said().includes('Alarm from press is over: alarm 1.'));
  });

  it('takes a number that a sender uses again for a new event when anything else of it is new', async () => {
    for (const more of [
      {},
      { state: 'cleared' as const },
      { ts: '2026-01-02T03:04:05Z' },
      { boot_id: 'b' },
    ]) {
      await desk.receive('oven', 'overheat', message('7', more));
    }
    expect(desk.health().figures).toMatchObject({ received: 4, duplicates: 0 });
  });

  it('says an old alarm with its time', async () => {
    const happened = new Date(Date.now() - 3_600_000);
    await desk.receive('oven', 'overheat', message('1', { ts: happened.toISOString() }));
    expect(said()[0]).toMatch(/^At [a-z ]+: High alarm from oven: alarm 1\.$/u);
  });

  it('speaks an alarm that it cannot record, once, and reports that', async () => {
    await storage.service.stop(1000);
    await expect(desk.receive('oven', 'overheat', message('1', { priority: 'critical' }))).rejects.toThrow();
    await expect(desk.receive('oven', 'overheat', message('1', { priority: 'critical' }))).rejects.toThrow();
    expect(said()).toEqual(['Critical alarm from oven: alarm 1.']);
    expect(desk.health()).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('cannot be recorded'),
    });
  });

  it('keeps alarms that cannot be spoken, says so in its health, and tries again', async () => {
    await desk.receive('oven', 'overheat', message('1'));
    lines[0]?.settle('failed');
    await eventually('it is reported', () => desk.health().status === 'degraded');
    expect(desk.health().detail).toContain('no speaker');
    await later();
    lines[0]?.settle('played');
    await eventually('all is well', () => desk.health().status === 'ok');
    expect(await unheard()).toEqual([]);
  });

  it('loses none of a hundred that come at once, and lets a critical one past', async () => {
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => desk.receive('line', 'fault', message(String(n)))),
    );
    expect(lines.length).toBeLessThan(20);
    await desk.receive('line', 'fire', message('fire', { priority: 'critical' }));
    expect(lines.at(-1)).toMatchObject({ priority: 'critical' });
    const heard: string[] = [];
    while (heard.length < 101) {
      const line = await eventually('the next line', () => lines[0]);
      heard.push(line.text);
      line.settle('played');
    }
    expect(new Set(heard).size).toBe(101);
    await eventually('all are heard', async () => (await unheard()).length === 0);
  });

  it('speaks the language that the sender gave', async () => {
    await desk.receive('oven', 'a', message('1', { text: '温度偏高' }));
    await desk.receive('oven', 'b', message('2', { text: { zh: '温度偏高', en: 'too hot' } }));
    await desk.receive('oven', 'c', message('3', { text: { zh: '温度偏高' }, state: 'cleared' }));
    expect(lines.map(({ text, language }) => [language, text])).toEqual([
      ['zh', 'oven高级报警，温度偏高。'],
      ['en', 'High alarm from oven: too hot.'],
      ['zh', 'oven报警解除，温度偏高。'],
    ]);
  });
});
