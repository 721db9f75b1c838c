import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SqliteMemoryStore } from '../../../src/adapters/sqlite/sqlite-memory-store.ts';
import { asked, fact, indexed, MemorySite } from '../../support/memory-site.ts';
import { memoryStoreContract } from '../../support/memory-store-contract.ts';
import { SeededRandom } from '../../support/random.ts';

memoryStoreContract(async () => {
  const site = new MemorySite();
  return { store: await site.open(), close: () => site.remove() };
});

describe('memory.db', () => {
  let site: MemorySite;
  let store: SqliteMemoryStore;

  beforeEach(async () => {
    site = new MemorySite();
    store = await site.open();
  });
  afterEach(() => site.remove());

  it('is there again after a restart', async () => {
    await store.commit({ episodes: [indexed(1, { text: 'pump e-203' })], facts: [fact(1)], log: [] });
    const { feed } = await store.changesAfter(0, 1);
    store = await site.open();
    expect(await store.search(asked({ terms: ['e-203'] }))).toHaveLength(1);
    expect(await store.factsNow()).toEqual([fact(1)]);
    expect((await store.changesAfter(0, 1)).feed).toBe(feed);
    expect(store.health()).toMatchObject({ status: 'ok' });
    expect(await store.check()).toBe(true);
  });

  it('keeps no byte of an erased person, and every other episode findable', async () => {
    const random = new SeededRandom(5);
    const words = [
      'pump',
      'valve',
      'oil',
      'belt',
      '水泵',
      '阀门',
      '换油',
      'e-203',
      'noise',
      'shift',
    ] as const;
    const others = Array.from({ length: 1500 }, (_, n) =>
      indexed(n, { text: `own${n} ${Array.from({ length: 12 }, () => random.pick(words)).join(' ')}` }),
    );
    const planted = ['zoltanka', '欧阳锋', 'quixplant', 'zoltanka@maintenance', '蛤蟆功', 'xylograph-77'];
    const episodes = others.flatMap((other, n) => {
      if (n % 50 !== 25) return [other];
      const secret = indexed(10_000 + n, {
        text: `zoltanka 欧阳锋 said quixplant ${'蛤蟆功 xylograph-77 '.repeat(n % 100)}`.trimEnd(),
        userId: 'zoltanka@maintenance',
        entities: [{ kind: 'person', text: '欧阳锋', id: 'zoltanka@maintenance', exact: true }],
      });
      return [secret, { ...other, around: secret.terms }];
    });
    for (let at = 0; at < episodes.length; at += 100)
      await store.commit({ episodes: episodes.slice(at, at + 100), log: [] });
    await store.commit({
      facts: [fact(1, { text: 'zoltanka knows 蛤蟆功', value: 'quixplant' })],
      log: [
        {
          action: 'capture',
          target: 'zoltanka@maintenance',
          source: '欧阳锋',
          atMs: 1,
          bytesBefore: 1,
          bytesAfter: 1,
        },
      ],
    });
    const raw = () =>
      ['', '-wal', '-shm']
        .map((ending) => readFileSync(site.file + ending))
        .reduce((all, one) => Buffer.concat([all, one]));
    expect(planted.filter((word) => !raw().includes(word))).toEqual([]);

    const counts = await store.erase({
      personIds: ['zoltanka@maintenance'],
      forms: ['Zoltanka', '欧阳锋'],
      pseudonym: 'p-1',
    });
    expect(counts).toMatchObject({ episodes: 30, facts: 1, logEntries: 1, cleared: true });
    expect(planted.filter((word) => raw().includes(word))).toEqual([]);
    const own = others.map(({ episode }) => `own${episode.id.slice('episode-'.length)}`);
    expect((await store.frequencies(own)).holding).toEqual(new Map(own.map((term) => [term, 1])));
    for (const [n, { episode }] of others.entries()) {
      if (n % 10 !== 5) continue;
      const [found] = await store.search(asked({ terms: [own[n] ?? ''], limit: 1 }));
      expect(found?.episode.id).toBe(episode.id);
    }
    expect(await store.check()).toBe(true);
  });

  it('clears what was erased later where the disk was too full for it', async () => {
    await store.commit({ episodes: Array.from({ length: 200 }, (_, n) => indexed(n)), log: [] });
    await store.commit({
      episodes: [indexed(999, { text: 'quixplant '.repeat(300).trimEnd(), userId: 'gone' })],
      log: [],
    });
    const erasing = store.erase({ personIds: ['gone'], forms: [], pseudonym: 'p-1' });
    site.database.rebuild = () => Promise.reject(new Error('SQLITE_FULL: database or disk is full'));
    expect(await erasing).toMatchObject({ episodes: 1, cleared: false });
    expect(store.health()).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('SQLITE_FULL'),
    });
    store = await site.open();
    expect(store.health().status).toBe('degraded');
    site.scheduler.pass(30_000);
    await store.check();
    expect(store.health()).toMatchObject({ status: 'ok' });
    expect(readFileSync(site.file).includes('quixplant')).toBe(false);
  });
});
