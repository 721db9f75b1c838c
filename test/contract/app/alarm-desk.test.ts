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
  settle(outcome: 'played' | 'begun' | 'not begun' | 'failed'): void;
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
  const { phrases } = loadSite(configSchema.parse({}));

  const open = (): AlarmDesk =>
    new AlarmDesk({
      store: storage.alarms,
      phrases,
      language: 'en',
      clocks: systemClocks(),
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
                else resolve({ kind: 'stopped', begun: outcome === 'begun', text });
              },
            });
          }),
      },
    });

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hermes-alarms-'));
    storage = await openStorage({ state_dir: directory }, systemClocks());
    lines = [];
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

  it('takes an alarm that was silenced while it was spoken for heard, and says the others all the same', async () => {
    await desk.receive('oven', 'overheat', message('1'));
    await desk.receive('pump', 'jam', message('2'));
    const [first, second] = [...lines];
    first?.settle('begun');
    second?.settle('not begun');
    await eventually('the second is said again', () => said().includes('High alarm from pump: alarm 2.'));
    expect(await unheard()).toEqual(['2']);
  });

  it('keeps alarms that cannot be spoken, says so in its health, and tries again', async () => {
    await desk.receive('oven', 'overheat', message('1'));
    lines[0]?.settle('failed');
    await eventually('it is reported', () => desk.health().status === 'degraded');
    expect(desk.health().detail).toContain('no speaker');
    for (const run of timers.splice(0)) run();
    await eventually('it is tried again', () => lines.length === 1);
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
