import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeBroker, composeControlledLine } from '../../../src/composition/line.ts';
import { createRuntime } from '../../../src/composition/runtime.ts';
import { loadSite } from '../../../src/composition/site.ts';
import { demoConfig } from '../../../src/config/demo-config.ts';
import { composeDaemon } from '../../../src/daemon.ts';
import { LANGUAGES } from '../../../src/domain/language/language.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-parts-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('a part of the daemon in trouble', () => {
  it('has a name that can be said, in every language', async () => {
    const site = loadSite(demoConfig({ language: 'en', stateDir: directory, mqttPort: 1883, httpPort: 0 }));
    const runtime = createRuntime('silent');
    const daemon = await composeDaemon(site, {
      runtime,
      before: [composeBroker(1883), ...composeControlledLine(site.plant, { port: 0 }, runtime)],
    });
    expect(daemon.parts).toEqual(
      expect.arrayContaining(['plc logs', 'history recorder', 'line control', 'voice']),
    );
    for (const language of LANGUAGES) {
      const unnamed = daemon.parts.filter((part) => site.phrases.part(language, part) === part);
      expect(unnamed).toEqual([]);
    }
    await daemon.stop();
  });
});
