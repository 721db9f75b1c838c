import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AlarmDesk } from '../../../src/app/alarm-desk.ts';
import { Announcer } from '../../../src/app/announcer.ts';
import { demoSite } from '../../../src/composition/demo.ts';
import { openStorage, type Storage } from '../../../src/composition/storage.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';

let directory: string;
let storage: Storage;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-desk-'));
  storage = await openStorage({ state_dir: directory }, systemClocks());
});
afterEach(async () => {
  await storage.service.stop(1000);
  rmSync(directory, { recursive: true });
});

describe('alarms at the start', () => {
  it('are spoken once when the broker delivers them before the catch-up', async () => {
    const lines: string[] = [];
    const parts = { clocks: systemClocks(), scheduler: systemScheduler, logger: silentLogger() };
    const announcer = new Announcer(
      {
        name: 'list',
        async speak({ text }) {
          lines.push(text);
          return { kind: 'played' };
        },
      },
      { ...parts, floor: { busy: () => false } },
    );
    const { phrases } = demoSite('en');
    const desk = new AlarmDesk({ ...parts, store: storage.alarms, announcer, phrases, language: 'en' });
    const event = { id: 'e1', state: 'raised', priority: 'high', text: 'too hot' } as const;
    await desk.receive('oven', 'overheat', event);
    await desk.start();
    await eventually('it is marked', async () => (await storage.alarms.unannounced(1)).length === 0);
    expect(lines).toEqual(['High alarm from oven: too hot.']);
  });
});
