import { afterEach, beforeEach, expect, it } from 'vitest';
import { SqliteCaptureInbox } from '../../../src/adapters/sqlite/sqlite-capture-inbox.ts';
import type { SqliteMemoryStore } from '../../../src/adapters/sqlite/sqlite-memory-store.ts';
import { CaptureDating } from '../../../src/app/memory/capture-dating.ts';
import { FactCache } from '../../../src/app/memory/fact-cache.ts';
import { FactWriter } from '../../../src/app/memory/fact-writer.ts';
import { MemoryDesk } from '../../../src/app/memory/memory-desk.ts';
import { MemoryFeed } from '../../../src/app/memory/memory-feed.ts';
import { MemoryWriter } from '../../../src/app/memory/memory-writer.ts';
import { Recaller } from '../../../src/app/memory/recaller.ts';
import { MentionFinder } from '../../../src/domain/memory/anchors/mention-finder.ts';
import { compileNames } from '../../../src/domain/memory/anchors/name-index.ts';
import type { FindMentions } from '../../../src/domain/memory/mention.ts';
import { WorkingMemory } from '../../../src/domain/memory/working-memory.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { demoNames } from '../../support/anchor-site.ts';
import { eventually } from '../../support/eventually.ts';
import { JumpingTime } from '../../support/jumping-time.ts';
import { CALLER } from '../../support/ledger.ts';
import { MemorySite } from '../../support/memory-site.ts';
import { shippedTerms } from '../../support/shipped-glossary.ts';
import { openState, scratchDirectory } from '../../support/state-site.ts';

const YEAR_MS = 365 * 86_400_000;
const WISH = { text: 'pump three is in hall two', language: 'en', caller: CALLER } as const;

let scratch: ReturnType<typeof scratchDirectory>;
let state: Awaited<ReturnType<typeof openState>>;
let site: MemorySite;
let store: SqliteMemoryStore;
let time: JumpingTime;

beforeEach(async () => {
  scratch = scratchDirectory();
  state = await openState(scratch.path);
  site = new MemorySite();
  store = await site.open();
  time = new JumpingTime();
});
afterEach(async () => {
  await state.database.close();
  await site.remove();
  scratch.remove();
});

/** One life of the program; the clock is set from 2000 on. */
function life(bootId: string) {
  const clocks = {
    bootId,
    wall: () => time.wall(),
    monotonicMs: () => time.monotonicMs(),
    nextSeq: () => time.nextSeq(),
  };
  const logger = silentLogger();
  const isClockSet = (): boolean => time.wall().getTime() > 30 * YEAR_MS;
  const finder = new MentionFinder(compileNames(demoNames()));
  const find: FindMentions = (text, language) =>
    finder.find(text, language).map((mention) => ({
      ...mention,
      candidates: mention.candidates.map((id) => id.slice(id.indexOf(':') + 1)),
    }));
  const terms = shippedTerms();
  const cache = new FactCache({ store, clocks, scheduler: time, logger, isClockSet });
  let ids = 0;
  const newId = (): string => {
    ids += 1;
    return `f${ids}`;
  };
  const facts = new FactWriter({ store, cache, clocks, newId });
  const timeZone = 'UTC';
  const hash = (): string => '0'.repeat(16);
  const writer = new MemoryWriter({ store, facts, find, terms, hash, clocks, timeZone, isClockSet });
  const dating = new CaptureDating({ clocks, isClockSet });
  const inbox = new SqliteCaptureInbox({ database: state.database, clocks, logger });
  const audit = { append: async () => undefined };
  const feed = new MemoryFeed({
    audit,
    inbox,
    remember: async (capture) => {
      const { kind } = await writer.write(dating.dated(capture));
      return kind === 'refreshed' ? 'repeated' : kind;
    },
    scheduler: time,
    logger,
  });
  const recaller = new Recaller({
    store,
    factsAbout: (subjects) => cache.about(subjects),
    find,
    terms,
    clocks,
    setting: { timeZone, shifts: { shifts: [], holidays: new Set() } },
  });
  const working = new WorkingMemory();
  const desk = new MemoryDesk({
    hash: () => '0123456789abcdef',
    store,
    writer,
    facts,
    cache,
    recaller,
    working,
    find,
    audit,
    clocks,
    inbox,
    dating,
  });
  return { desk, feed, inbox };
}

it('a wish while the clock is not set waits on disk, and is dated right after a jump of 50 years', async () => {
  const { desk, feed, inbox } = life('b-1');
  const saidAtMs = time.monotonicMs();
  expect(await desk.remember({ id: 'w-1', ...WISH })).toMatchObject({ kind: 'waiting' });
  await feed.start();
  await eventually('it was tried', () => feed.health().status === 'degraded');
  expect(await store.factsNow()).toEqual([]);
  expect(await inbox.count()).toBe(1);

  const setAtMs = time.monotonicMs();
  const rightMs = time.wall().getTime() + 50 * YEAR_MS;
  time.setWall(rightMs);
  await eventually('it is remembered', async () => (await inbox.count()) === 0);
  await feed.stop();
  const happenedAtMs = rightMs - (setAtMs - saidAtMs);
  const episode = await store.episode('w-1');
  expect(episode?.text).toBe(WISH.text);
  // Timers are due between two milliseconds.
  expect(Math.abs((episode?.atMs ?? 0) - happenedAtMs)).toBeLessThan(2);
  const [known] = await store.factsNow();
  expect(known).toMatchObject({
    subject: 'machine:pump-3',
    predicate: 'location',
    validFromMs: episode?.atMs,
  });
  expect(known?.recordedAtMs).toBeGreaterThanOrEqual(rightMs);
});

it('a wish from before a restart is dated to the restart at the latest, and is not lost', async () => {
  await life('b-1').desk.remember({ id: 'w-1', ...WISH });
  time.pass(60_000);
  const startedAtMs = time.monotonicMs();
  const { feed, inbox } = life('b-2');
  time.pass(5_000);
  const rightMs = time.wall().getTime() + 50 * YEAR_MS;
  const setAtMs = time.monotonicMs();
  time.setWall(rightMs);
  await feed.start();
  await eventually('it is remembered', async () => (await inbox.count()) === 0);
  await feed.stop();
  expect(await store.episode('w-1')).toMatchObject({ atMs: rightMs - (setAtMs - startedAtMs) });
});
