import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkToolPack } from '../../../src/composition/tool-check.ts';
import { readPack, toolPacks } from '../../../src/composition/tool-packs.ts';
import { shipped } from '../../../src/config/shipped.ts';
import { writeSitePack } from '../../support/site-packs.ts';

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

describe('the example of docs/tool-packs.md', () => {
  it('is a valid pack that passes its tests', async () => {
    const guide = readFileSync(shipped('docs/tool-packs.md'), 'utf8');
    const block = (kind: string) =>
      new RegExp(`\`\`\`${kind}\\n(.*?)\`\`\``, 'su').exec(guide)?.[1] ?? `no block of ${kind}`;
    const folder = join(directory, 'oven-report');
    mkdirSync(folder);
    writeFileSync(join(folder, 'tool.yaml'), block('yaml'));
    writeFileSync(join(folder, 'handler.mjs'), block('js'));
    writeFileSync(join(folder, 'test-cases.json'), block('json'));
    const { tests } = await checkToolPack(folder);
    expect(tests).toEqual([
      { name: 'tells the highest value', failure: undefined },
      { name: 'says that the history is away', failure: undefined },
    ]);
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
