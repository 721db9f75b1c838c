import { mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PolledFile } from '../../../src/adapters/files/polled-file.ts';
import { RuleBook, type RulesEvent } from '../../../src/app/planning/rule-book.ts';
import { MAX_RULE_FILE_CHARACTERS, parseRules } from '../../../src/domain/planning/parse-rules.ts';
import { systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { ruleScope, SHIPPED_RULES, shippedRules } from '../../support/rule-scope.ts';

/** N-02 gives a change three seconds. */
const WITHIN = { timeout: 3000, interval: 20 };

const ruled = (phrase: string): string =>
  `{ "version": 1, "rules": [{ "id": "r", "when": { "intent": "help" }, "then": { "say": "${phrase}" } }] }`;

let directory: string;
let file: string;
let events: RulesEvent[];
let book: RuleBook;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rules-'));
  file = join(directory, 'rules.json');
  events = [];
});

afterEach(async () => {
  await book.stop();
  await rm(directory, { recursive: true });
});

async function openBook(text: string | undefined): Promise<void> {
  if (text !== undefined) await writeFile(file, text);
  book = new RuleBook({
    source: new PolledFile(file, { maxBytes: MAX_RULE_FILE_CHARACTERS }, systemScheduler),
    parse: (content) => parseRules(content, file, ruleScope),
    preset: shippedRules(),
    logger: silentLogger(),
    scheduler: systemScheduler,
    onEvent: (event) => events.push(event),
  });
  await book.start();
}

function said(): unknown {
  return book.rules.rules[0]?.then;
}

describe('the rules in force', () => {
  it('are those of the file as soon as the daemon has started', async () => {
    await openBook(ruled('busy'));
    expect(said()).toEqual({ say: 'busy' });
    expect(book.health()).toMatchObject({ status: 'ok', detail: '1 rules' });
  });

  it('follow the file within three seconds, whether it is written over or replaced', async () => {
    await openBook(ruled('busy'));
    await writeFile(file, ruled('writes_unavailable'));
    await vi.waitFor(() => expect(said()).toEqual({ say: 'writes_unavailable' }), WITHIN);
    await writeFile(join(directory, 'new'), ruled('busy'));
    await rename(join(directory, 'new'), file);
    await vi.waitFor(() => expect(said()).toEqual({ say: 'busy' }), WITHIN);
    expect(events.map(({ kind }) => kind)).toEqual(['loaded', 'loaded', 'loaded']);
  });

  it('stay those from before while the file is invalid, and it is reported', async () => {
    await openBook(ruled('busy'));
    await writeFile(file, ruled('bussy'));
    await vi.waitFor(() => expect(book.health().status).toBe('degraded'), WITHIN);
    expect(said()).toEqual({ say: 'busy' });
    expect(book.health().detail).toContain('there is no phrase "bussy". Did you mean "busy"?');
    expect(events.at(-1)).toMatchObject({
      kind: 'rejected',
      faults: expect.stringContaining('rule "r": then.say'),
    });
    await writeFile(file, ruled('writes_unavailable'));
    await vi.waitFor(() => expect(book.health().status).toBe('ok'), WITHIN);
    expect(said()).toEqual({ say: 'writes_unavailable' });
  });

  it('wait for a file that is still being written, without a word', async () => {
    await openBook(ruled('busy'));
    const text = await readFile(SHIPPED_RULES, 'utf8');
    const handle = await open(file, 'w');
    const third = Math.ceil(text.length / 3);
    for (const from of [0, third, 2 * third]) {
      await handle.write(text.slice(from, from + third));
      await new Promise((resolve) => setTimeout(resolve, 700));
      if (from < 2 * third) expect(said()).toEqual({ say: 'busy' });
    }
    await handle.close();
    await vi.waitFor(() => expect(book.rules.rules.length).toBe(shippedRules().rules.length), WITHIN);
    expect(events.map(({ kind }) => kind)).toEqual(['loaded', 'loaded']);
  });

  it('that stay half written are reported', async () => {
    await openBook(ruled('busy'));
    await writeFile(file, ruled('busy').slice(0, 40));
    await vi.waitFor(() => expect(book.health().status).toBe('degraded'), WITHIN);
    expect(book.health().detail).toMatch(/rules\.json:1:\d+ this is no JSON/u);
    expect(said()).toEqual({ say: 'busy' });
  });

  it('are those that came with the program while the file has never been valid', async () => {
    await openBook('{');
    expect(book.rules).toEqual(shippedRules());
    expect(book.health().status).toBe('degraded');
  });

  it('stay when the file is removed, and come back with it', async () => {
    await openBook(ruled('busy'));
    await rm(file);
    await vi.waitFor(() => expect(book.health().detail).toContain('there is no such file'), WITHIN);
    expect(said()).toEqual({ say: 'busy' });
    await writeFile(file, ruled('busy'));
    await vi.waitFor(() => expect(book.health().status).toBe('ok'), WITHIN);
  });

  it.each([
    ['is too long', Buffer.alloc(MAX_RULE_FILE_CHARACTERS + 1, ' '), 'longer than'],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'not UTF-8'],
  ])('stay when the file %s', async (_what, bytes, told) => {
    await openBook(ruled('busy'));
    await writeFile(file, bytes);
    await vi.waitFor(() => expect(book.health().detail).toContain(told), WITHIN);
    expect(said()).toEqual({ say: 'busy' });
  });

  it('do not change once the book is closed', async () => {
    await openBook(ruled('busy'));
    await book.stop();
    await writeFile(file, ruled('writes_unavailable'));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(said()).toEqual({ say: 'busy' });
  });
});
