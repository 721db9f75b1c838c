import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { historyOver } from '../../../src/app/capabilities/history-over.ts';
import { HistoryAnswers } from '../../../src/app/history/history-answers.ts';
import { sayResult } from '../../../src/app/say-result.ts';
import { checkToolPack } from '../../../src/composition/tool-check.ts';
import { readPack, toolPacks } from '../../../src/composition/tool-packs.ts';
import { shipped } from '../../../src/config/shipped.ts';
import { NO_SHIFTS } from '../../../src/domain/history/shift-calendar.ts';
import { INTENT_SLOTS } from '../../../src/domain/planning/intents.ts';
import { parseRules } from '../../../src/domain/planning/parse-rules.ts';
import { CAPABILITIES, DATA_SCOPES } from '../../../src/domain/tool/tool-contract.ts';
import { systemClocks } from '../../../src/runtime/clocks.ts';
import { createCapabilityHost } from '../../../src/tooling/capability-host.ts';
import type { Handle } from '../../../src/tooling/handler-api.ts';
import { HistorySite } from '../../support/history-site.ts';
import { demoPlant } from '../../support/plant-file.ts';
import { shippedPhrases } from '../../support/shipped-phrases.ts';
import { writeSitePack } from '../../support/site-packs.ts';
import { callOf } from '../../support/tool-pack.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-packs-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const faultsOf = (folder: string): readonly string[] => {
  const { content } = readPack(folder, 'site');
  return content.ok ? [] : content.faults;
};

describe('the files of a tool pack', () => {
  it('that fit are read, with the place of every key', () => {
    const folder = writeSitePack(directory, 'tool', { handle: 'return { result: {} };' });
    const { content } = readPack(folder, 'site');
    if (!content.ok) throw new Error(content.faults.join());
    expect(content.pack.handler).toBe(join(folder, 'handler.mjs'));
    expect(content.placeOf(['version'])).toBe(`${folder}/tool.yaml:2:10`);
  });

  it('with a wrong key are named with file, line and the nearest key', () => {
    const folder = writeSitePack(directory, 'tool', { contract: { captabilities: [] }, handle: '' });
    expect(faultsOf(folder)).toEqual([
      expect.stringMatching(/tool\.yaml:\d+:1 captabilities: unknown key\. Did you mean "capabilities"\?$/u),
    ]);
  });

  it('that are missing are all named', () => {
    const folder = join(directory, 'empty');
    mkdirSync(folder);
    expect(faultsOf(folder)).toEqual([
      `${folder}/tool.yaml: there is no such file`,
      `${folder}/test-cases.json: there is no such file`,
      `${folder}: there is no handler.mjs or handler.js or handler.ts`,
    ]);
  });

  it('need at least one test', () => {
    const folder = writeSitePack(directory, 'tool', { handle: '', cases: [] });
    expect(faultsOf(folder)).toEqual([`${folder}/test-cases.json : a tool without test cases is not used`]);
    writeFileSync(join(folder, 'test-cases.json'), '[{');
    expect(faultsOf(folder)[0]).toMatch(/test-cases\.json: .*JSON/u);
  });

  it('of the program come before those of the site', () => {
    writeSitePack(directory, 'zz-tool', { handle: '' });
    const found = toolPacks(directory).read();
    expect(found[0]?.origin).toBe('shipped');
    expect(found.at(-1)).toMatchObject({ name: 'zz-tool', origin: 'site' });
  });

  it('are not looked for where nothing is', () => {
    expect(() => toolPacks(join(directory, 'none')).read()).toThrow(/there is no such file/u);
  });
});

describe('the guide docs/tool-packs.md', () => {
  const guide = readFileSync(shipped('docs/tool-packs.md'), 'utf8');
  const writeExample = (): string => {
    const block = (kind: string) =>
      new RegExp(`\`\`\`${kind}\\n(.*?)\`\`\``, 'su').exec(guide)?.[1] ?? `no block of ${kind}`;
    const folder = join(directory, 'oven-report');
    mkdirSync(folder);
    writeFileSync(join(folder, 'tool.yaml'), block('yaml'));
    writeFileSync(join(folder, 'handler.mjs'), block('js'));
    writeFileSync(join(folder, 'test-cases.json'), block('json'));
    return folder;
  };

  it('has an example that is a valid pack and passes its tests', async () => {
    const { tests } = await checkToolPack(writeExample());
    expect(tests).toEqual([
      { name: 'tells the highest value', failure: undefined },
      { name: 'says that nothing is recorded', failure: undefined },
      { name: 'says that the history is away', failure: undefined },
    ]);
  });

  it('has an example that tells what the history really holds, with its unit', async () => {
    const folder = writeExample();
    const { content } = readPack(folder, 'site');
    if (!content.ok) throw new Error(content.faults.join());
    const { handle }: { readonly handle: Handle } = await import(join(folder, 'handler.mjs'));
    const plant = demoPlant();
    const site = new HistorySite();
    const store = await site.open();
    try {
      const ref = { machine: 'oven-1', point: 'temperature' };
      store.append([site.sample(212.5, { ref }), site.sample(30, { ref: { ...ref, point: 'power' } })]);
      site.advance(60_000);
      const clocks = { ...systemClocks(), wall: () => new Date(site.nowMs) };
      const timeZone = 'Asia/Shanghai';
      const answers = new HistoryAnswers({
        plant,
        store,
        clocks,
        timeZone,
        shifts: NO_SHIFTS,
        clockState: () => 'synced',
      });
      const host = createCapabilityHost([historyOver({ answers })]);
      const { signal } = new AbortController();
      const { result, say } = await handle(
        { machine: 'oven-1' },
        {
          use: (capability, args) => host(capability, args, { call: callOf('oven-report'), signal }),
          signal,
          idempotencyKey: 'key-1',
        },
      );
      expect(result).toEqual({ maximum: 212.5 });
      const parts = { phrases: shippedPhrases(), plant, clocks, timeZone };
      expect(sayResult(say ?? [], content.pack.contract.phrases, parts, 'en')).toBe(
        'oven one was at most at two hundred twelve point five degrees.',
      );
    } finally {
      await store.stop();
      site.remove();
    }
  });

  it('has a rule that the daemon takes', () => {
    const rule = [...guide.matchAll(/```json\n(.*?)```/gsu)].find(([, text]) =>
      text?.includes('"rules"'),
    )?.[1];
    const tools = new Map([['oven-report', ['machine']]]);
    const scope = { intents: INTENT_SLOTS, tools, phrases: new Set<string>() };
    expect(parseRules(rule ?? '', 'guide', scope).rules).toMatchObject([{ id: 'oven_report' }]);
  });

  it('names every capability and every data scope', () => {
    const rows = [...guide.matchAll(/^\| `([a-z_]+\.[a-z]+)` .*\| ([a-z]*) *\|$/gmu)];
    expect(rows.map(([, name]) => name).sort()).toEqual([...CAPABILITIES].sort());
    expect(new Set(rows.flatMap(([, , scope]) => (scope ? [scope] : [])))).toEqual(new Set(DATA_SCOPES));
  });
});

describe('hermes-edge tools check', () => {
  const check = (folder: string, ...more: string[]) =>
    new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((resolve) => {
      const args = ['--import', 'tsx', 'src/main.ts', 'tools', 'check', folder, ...more];
      execFile(process.execPath, args, (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
      );
    });

  it('runs the tests of a pack without a daemon', async () => {
    const folder = writeSitePack(directory, 'tool', {
      handle: 'return { result: {} };',
      cases: [
        { name: 'does it', expect: { ok: {} } },
        { name: 'does more', expect: { ok: { more: 1 } } },
      ],
    });
    const { code, out } = await check(folder, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      ok: false,
      name: 'tool',
      tests: [
        { name: 'does it', ok: true },
        { name: 'does more', ok: false, failure: 'came to {}, not to {"more":1}' },
      ],
    });
  });

  it('names everything that is wrong, with exit status 2', async () => {
    const folder = writeSitePack(directory, 'tool', {
      contract: { observability: { redact: ['secret'] }, depends_on: ['other'] },
      handle: '',
    });
    const { code, err } = await check(folder);
    expect(code).toBe(2);
    expect(err).toMatch(/tool\.yaml:\d+:\d+ observability\.redact\.0: "secret" is no parameter/u);
    expect(err).toMatch(/depends_on: a tool calls others by the capability tools\.call: add it/u);
  });
});
