import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteCaptureInbox } from '../../../src/adapters/sqlite/sqlite-capture-inbox.ts';
import type { SqliteMemoryStore } from '../../../src/adapters/sqlite/sqlite-memory-store.ts';
import { FactCache } from '../../../src/app/memory/fact-cache.ts';
import { FactWriter } from '../../../src/app/memory/fact-writer.ts';
import { MemoryFeed } from '../../../src/app/memory/memory-feed.ts';
import { MemoryWriter } from '../../../src/app/memory/memory-writer.ts';
import { MentionFinder } from '../../../src/domain/memory/anchors/mention-finder.ts';
import { compileNames } from '../../../src/domain/memory/anchors/name-index.ts';
import type { Capture } from '../../../src/domain/memory/capture.ts';
import { EdgeError } from '../../../src/runtime/edge-error.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { HandTime } from '../../support/hand-time.ts';
import { asked, MemorySite } from '../../support/memory-site.ts';
import { shippedTerms } from '../../support/shipped-glossary.ts';
import { openState, scratchDirectory } from '../../support/state-site.ts';

const DAY_MS = 86_400_000;
const TERMS = shippedTerms();
const FINDER = new MentionFinder(
  compileNames([
    { id: 'machine:pump-7', kind: 'machine', names: { en: ['pump seven'], zh: ['七号泵'] } },
    { id: 'machine:pump-2', kind: 'machine', names: { en: ['pump two'], zh: ['二号泵'] } },
  ]),
);

let site: MemorySite;
let store: SqliteMemoryStore;
let time: HandTime;
let cache: FactCache;
let writer: MemoryWriter;
let isClockSet: boolean;

beforeEach(async () => {
  site = new MemorySite();
  store = await site.open();
  time = new HandTime();
  isClockSet = true;
  cache = new FactCache({
    store,
    clocks: time,
    scheduler: time,
    logger: silentLogger(),
    isClockSet: () => true,
  });
  await cache.start();
  await eventually('facts are read', () => cache.health().status === 'ok');
  let ids = 0;
  const facts = new FactWriter({
    store,
    cache,
    clocks: time,
    newId: () => {
      ids += 1;
      return `f${ids}`;
    },
  });
  writer = new MemoryWriter({
    store,
    facts,
    find: (text, language) =>
      FINDER.find(text, language).map((mention) => ({
        ...mention,
        candidates: mention.candidates.map((id) => id.slice(id.indexOf(':') + 1)),
      })),
    terms: TERMS,
    hash: () => '0123456789abcdef',
    clocks: time,
    timeZone: 'UTC',
    isClockSet: () => isClockSet,
  });
});
afterEach(async () => {
  await cache.stop();
  await site.remove();
});

function said(id: string, text: string, changes: Partial<Capture> = {}): Capture {
  return {
    id,
    atMs: time.wall().getTime(),
    kind: 'note',
    source: 'operator',
    origin: { kind: 'turn', id, sessionId: 's1' },
    scope: 'site',
    userId: 'li-na@production',
    language: /\p{Script=Han}/u.test(text) ? 'zh' : 'en',
    text,
    about: [],
    isWish: true,
    ...changes,
  };
}

describe('what is told', () => {
  it('is kept with its text, what it names and the fact that it states, and the log says how much of it', async () => {
    const { kind, facts } = await writer.write(said('1', 'the seal kits of pump seven are in cabinet four'));
    expect(kind).toBe('written');
    expect(await store.episode('1')).toMatchObject({
      text: 'the seal kits of pump seven are in cabinet four',
      entities: expect.arrayContaining([expect.objectContaining({ kind: 'machine', id: 'pump-7' })]),
      origin: { kind: 'turn', id: '1', sessionId: 's1' },
    });
    expect(facts).toEqual([
      {
        what: 'new',
        fact: expect.objectContaining({ predicate: 'location', episodeId: '1', source: 'operator' }),
      },
    ]);
    expect((await store.log(10)).map(({ action, target }) => [action, target])).toEqual(
      expect.arrayContaining([
        ['capture', '1'],
        ['compress', '1'],
      ]),
    );
    const terms = TERMS.terms('密封');
    const [found] = await store.search(asked({ terms, entities: ['machine:pump-7'] }));
    expect(found?.episode.id).toBe('1');
  });

  it('taken twice under one id changes nothing the second time', async () => {
    await writer.write(said('1', 'the seal kits of pump seven are in cabinet four'));
    const before = await store.figures();
    expect((await writer.write(said('1', 'the seal kits of pump seven are in cabinet four'))).kind).toBe(
      'repeated',
    );
    const after = await store.figures();
    expect([after.episodes, after.factsNow, after.factsPast]).toEqual([
      before.episodes,
      before.factsNow,
      before.factsPast,
    ]);
  });

  it('said again by the same person within the shift refreshes what is there', async () => {
    await writer.write(said('1', 'pump seven runs hot after cleaning'));
    time.pass(600_000);
    const again = await writer.write(said('2', 'pump seven runs hot after cleaning!'));
    expect(again).toMatchObject({ kind: 'refreshed', episode: { id: '1' } });
    expect(await store.episode('2')).toBeUndefined();
    expect((await store.episode('1'))?.confirmedAtMs).toBe(time.wall().getTime());
  });

  it.each([
    ['another number', 'pump seven is set to 4.2 bar', 'pump seven is set to 4.5 bar'],
    ['another machine', 'pump seven runs hot after cleaning', 'pump two runs hot after cleaning'],
    ['its denial', 'pump seven runs hot after cleaning', 'pump seven does not run hot after cleaning'],
  ])('is news with %s', async (_, first, second) => {
    await writer.write(said('1', first));
    expect((await writer.write(said('2', second))).kind).toBe('written');
  });

  it('holds no telephone number, in no byte of what is kept', async () => {
    await writer.write(said('1', 'call the fitter on 13800138000 when pump seven leaks'));
    expect((await store.episode('1'))?.text).toContain('[phone:');
    await site.open();
    const bytes = [site.file, `${site.file}-wal`]
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file));
    expect(Buffer.concat(bytes).includes('13800138000')).toBe(false);
  });

  it('of small talk is not kept', async () => {
    expect(await writer.write(said('1', 'good morning', { isWish: false }))).toEqual({
      kind: 'not_worth_it',
      episode: undefined,
      facts: [],
    });
    expect((await store.figures()).episodes).toBe(0);
  });

  it.each([
    ['older than thirty days', -31 * DAY_MS],
    ['from tomorrow', DAY_MS],
  ])('is refused when it is %s', async (_, offMs) => {
    const atMs = time.wall().getTime() + offMs;
    await expect(writer.write(said('1', 'pump seven leaks at 4 bar', { atMs }))).rejects.toMatchObject({
      code: 'MEMORY_WRITE_REJECTED',
    });
    expect((await store.figures()).episodes).toBe(0);
  });

  it('of a work order has its end from when that was closed', async () => {
    const order = { kind: 'work_order', source: 'tool', project: '12', isWish: false } as const;
    await writer.write(said('1', 'work order 12: replace the seal of pump seven', order));
    await writer.write(said('2', 'pump two leaks at 3 bar'));
    expect((await store.episode('1'))?.closedAtMs).toBeUndefined();
    time.pass(DAY_MS);
    await writer.write(said('3', 'work order 12 is closed', { ...order, closesProject: true }));
    const closedAtMs = time.wall().getTime();
    expect((await store.episode('1'))?.closedAtMs).toBe(closedAtMs);
    expect((await store.episode('3'))?.closedAtMs).toBe(closedAtMs);
    expect((await store.episode('2'))?.closedAtMs).toBeUndefined();
    time.pass(DAY_MS);
    await writer.write(said('4', 'work order 12 is closed again', { ...order, closesProject: true }));
    expect((await store.episode('1'))?.closedAtMs).toBe(closedAtMs);
  });

  it('waits while the clock is not set', async () => {
    isClockSet = false;
    await expect(writer.write(said('1', 'pump seven leaks at 4 bar'))).rejects.toMatchObject({
      code: 'CLOCK_NOT_SET',
      retry: 'safe',
    });
  });
});

describe('what happened', () => {
  it('goes from the inbox into memory, what cannot be written now stays, and what never can leaves', async () => {
    const directory = scratchDirectory();
    const state = await openState(directory.path);
    const inbox = new SqliteCaptureInbox({ ...state, clocks: time, logger: silentLogger() });
    let failing = true;
    const audited: string[] = [];
    const feed = new MemoryFeed({
      inbox,
      remember: async (capture) => {
        if (failing && capture.id === '2') throw new EdgeError('MEMORY_DB_FAILED', 'the disk is full');
        const { kind } = await writer.write(capture);
        return kind === 'refreshed' ? 'repeated' : kind;
      },
      audit: { append: async (kind, { id }) => void audited.push(`${kind} ${String(id)}`) },
      scheduler: time,
      logger: silentLogger(),
    });
    try {
      await inbox.add(said('1', 'pump seven leaks at 4 bar'));
      await inbox.add(said('old', 'pump two leaks at 3 bar', { atMs: time.wall().getTime() - 40 * DAY_MS }));
      await inbox.add(said('2', 'pump two was greased at 9'));
      await inbox.add(said('3', 'pump two has 3 new bolts'));
      await feed.start();
      await eventually('the disk is seen to be full', () => feed.health().status === 'degraded');
      expect((await inbox.waiting(9)).map(({ capture }) => capture.id)).toEqual(['2', '3']);
      expect(await store.episode('1')).toBeDefined();
      expect(await store.episode('2')).toBeUndefined();
      failing = false;
      time.pass(600_000);
      await eventually('the rest is remembered', async () => (await inbox.count()) === 0);
      expect(await store.episode('2')).toBeDefined();
      expect(await store.episode('3')).toBeDefined();
      expect(await store.episode('old')).toBeUndefined();
      expect(audited).toEqual(['memory.write_rejected old']);
    } finally {
      await feed.stop();
      await state.database.close();
      directory.remove();
    }
  });
});
