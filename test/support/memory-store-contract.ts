import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FoundEpisode, MemoryStore } from '../../src/app/ports/memory-store.ts';
import { asked, fact, indexed, MEMORY_START_MS } from './memory-site.ts';

/** What everything that calls itself a `MemoryStore` has to do. */
export function memoryStoreContract(
  open: () => Promise<{ readonly store: MemoryStore; close(): Promise<void> }>,
): void {
  let store: MemoryStore;
  let close: () => Promise<void>;

  beforeEach(async () => {
    const opened = await open();
    store = opened.store;
    close = () => opened.close();
  });
  afterEach(() => close());

  const idsOf = (found: readonly FoundEpisode[]) => found.map(({ episode }) => episode.id);
  const find = async (...terms: string[]) => idsOf(await store.search(asked({ terms })));
  const entry = (target: string) =>
    ({ action: 'capture', target, source: 'operator', atMs: 1, bytesBefore: 9, bytesAfter: 5 }) as const;

  describe('what is written', () => {
    it('comes back whole, and a repeat under the same id changes nothing', async () => {
      const one = indexed(1, { text: 'pump 7 runs hot after cleaning' });
      expect(await store.commit({ episodes: [one], facts: [fact(1)], log: [entry('episode-1')] })).toBe(
        'written',
      );
      expect(await store.episode('episode-1')).toEqual(one.episode);
      expect(await store.factsNow()).toEqual([fact(1)]);
      const before = await store.changesAfter(0, 10);
      const other = indexed(1, { text: 'something else' });
      expect(await store.commit({ episodes: [other], facts: [fact(2)], log: [entry('episode-1')] })).toBe(
        'repeated',
      );
      expect(await store.episode('episode-1')).toEqual(one.episode);
      expect(await find('else')).toEqual([]);
      expect(await store.factsNow()).toEqual([fact(1)]);
      expect(await store.log(10)).toEqual([entry('episode-1')]);
      expect(await store.changesAfter(0, 10)).toEqual(before);
    });

    it('is only what is new where some of it is there already', async () => {
      await store.commit({ episodes: [indexed(1, { text: 'first words' })], log: [] });
      const again = indexed(1, {
        text: 'second words',
        entities: [{ kind: 'machine', text: 'p', id: 'p', exact: true }],
      });
      expect(await store.commit({ episodes: [again, indexed(2, { text: 'third words' })], log: [] })).toBe(
        'written',
      );
      expect(await find('first', 'second', 'third')).toEqual(['episode-2', 'episode-1']);
      expect(await find('second')).toEqual([]);
      expect(await store.search(asked({ entities: ['machine:p'] }))).toEqual([]);
    });

    it('can be taken up where a sweep left off, also when that episode is gone', async () => {
      await store.commit({ episodes: [3, 1, 2, 4].map((n) => indexed(n)), log: [] });
      const first = await store.episodesAfter(undefined, 2);
      expect(first.map(({ id }) => id)).toEqual(['episode-3', 'episode-1']);
      await store.commit({ forgotten: { episodes: ['episode-3', 'episode-1'], facts: [] }, log: [] });
      const second = await store.episodesAfter('episode-1', 2);
      expect(second.map(({ id }) => id)).toEqual(['episode-2', 'episode-4']);
      expect(await store.episodesAfter('episode-4', 2)).toEqual([]);
    });

    it('keeps facts as they are now and as they were, and knows which wait', async () => {
      const old = fact(1, { supersededAtMs: MEMORY_START_MS + 5, supersededBy: 'fact-2' });
      const pending = fact(3, { subject: 'machine:pump-8', status: 'pending', disputes: 'fact-2' });
      await store.commit({ facts: [fact(1)], log: [] });
      await store.commit({ facts: [old, fact(2), pending], log: [] });
      expect(await store.factsNow()).toEqual([fact(2), pending]);
      expect(await store.factsOf('machine:pump-7', 10)).toEqual([old, fact(2)]);
      expect(await store.factsOf('machine:pump-7', 1)).toEqual([old]);
      expect(await store.pendingFacts(10)).toEqual([pending]);
      expect(await store.figures()).toMatchObject({
        factsNow: 2,
        factsPast: 1,
        factsPending: 1,
        factsDisputed: 1,
      });
    });

    it('is amended without becoming another episode', async () => {
      await store.commit({ episodes: [indexed(1), indexed(2)], log: [] });
      const amended = [
        { id: 'episode-1', class: 'project', confirmedAtMs: 7, closedAtMs: 8, candidateSinceMs: 9 },
        { id: 'nobody', closedAtMs: 1 },
      ] as const;
      await store.commit({ amended, log: [] });
      const { class: kept, confirmedAtMs, closedAtMs } = (await store.episode('episode-1')) ?? {};
      expect({ kept, confirmedAtMs, closedAtMs }).toEqual({
        kept: 'project',
        confirmedAtMs: 7,
        closedAtMs: 8,
      });
      expect((await store.candidates(10, 5)).map(({ id }) => id)).toEqual(['episode-1']);
      expect(await store.candidates(9, 5)).toEqual([]);
      expect(await find('note')).toEqual(['episode-2', 'episode-1']);
      expect((await store.figures()).episodesByClass).toEqual({ project: 1, episode: 1 });
      await store.commit({ amended: [{ id: 'episode-1', candidateSinceMs: null }], log: [] });
      expect(await store.candidates(10, 5)).toEqual([]);
      expect((await store.changesAfter(0, 10)).changes.map(({ id }) => id)).toEqual([
        'episode-1',
        'episode-2',
        'episode-1',
      ]);
    });
  });

  describe('a search', () => {
    it('finds Chinese words, codes and short names as they are', async () => {
      await store.commit({
        episodes: [
          indexed(1, { text: '清洗 后 水泵 发热 p7' }),
          indexed(2, { text: 'alarm e-203 on p7 sensor_2 10.5 m:pump-7' }),
          indexed(3, { text: 'e 203 p 7 清 洗 café' }),
        ],
        log: [],
      });
      expect(await find('清洗')).toEqual(['episode-1']);
      expect(await find('水泵', '没有')).toEqual(['episode-1']);
      expect(await find('e-203')).toEqual(['episode-2']);
      expect(await find('p7')).toEqual(['episode-1', 'episode-2']);
      expect(await find('sensor_2')).toEqual(['episode-2']);
      expect(await find('m:pump-7')).toEqual(['episode-2']);
      expect(await find('10.5')).toEqual(['episode-2']);
      expect(await find('cafe')).toEqual([]);
      expect(await find('E-203 ')).toEqual(['episode-2']);
      for (const hostile of ['"', 'a" OR "p7', 'NOT p7', '*', 'terms:p7', '(', '\0']) await find(hostile);
      expect(await find('"p7"', 'terms:p7')).toEqual([]);
    });

    it('puts rare terms before common ones, and what stands in an episode before what stands around it', async () => {
      const many = Array.from({ length: 30 }, (_, n) => indexed(n, { text: `pump checked ${n}` }));
      await store.commit({
        episodes: [
          indexed(100, { text: 'pump bearing noise' }),
          ...many,
          indexed(101, { text: 'valve stuck' }, 'bearing'),
        ],
        log: [],
      });
      expect((await find('pump', 'bearing')).slice(0, 2)).toEqual(['episode-100', 'episode-101']);
      const { episodes, holding } = await store.frequencies(['pump', 'bearing', 'nothing']);
      expect(episodes).toBe(32);
      expect(holding).toEqual(
        new Map([
          ['pump', 31],
          ['bearing', 1],
        ]),
      );
      await store.commit({ episodes: [indexed(102, { text: 'pump pump' })], log: [] });
      expect((await store.frequencies(['pump'])).holding.get('pump')).toBe(32);
      await store.commit({ forgotten: { episodes: ['episode-100'], facts: [] }, log: [] });
      expect(await store.frequencies(['pump', 'bearing'])).toEqual({
        episodes: 32,
        holding: new Map([['pump', 31]]),
      });
    });

    it('holds to entities, period and scope together', async () => {
      const about = (...ids: string[]) => ({
        entities: ids.map((id) => ({ kind: 'machine' as const, text: id, id, exact: true })),
      });
      await store.commit({
        episodes: [
          indexed(1, { text: 'leak', ...about('p7') }),
          indexed(2, { text: 'leak', ...about('p8', 'p7') }),
          indexed(3, { text: 'leak', ...about('p7'), scope: 'line-2' }),
          indexed(4, { text: 'noise', ...about('p7') }),
          indexed(5, { text: 'leak' }),
        ],
        log: [],
      });
      const search = async (changes: Parameters<typeof asked>[0]) =>
        idsOf(await store.search(asked(changes)));
      const minute = (n: number) => MEMORY_START_MS + n * 60_000;
      expect(await search({ entities: ['machine:p7'] })).toEqual(['episode-4', 'episode-2', 'episode-1']);
      expect(await search({ entities: ['machine:p8', 'machine:p7'], terms: ['leak'] })).toEqual([
        'episode-2',
        'episode-1',
      ]);
      expect(await search({ terms: ['leak'], fromMs: minute(2), toMs: minute(5) })).toEqual(['episode-2']);
      expect(await search({ fromMs: minute(1), toMs: minute(4), scopes: ['site', 'line-2'] })).toEqual([
        'episode-3',
        'episode-2',
        'episode-1',
      ]);
      expect(await search({ terms: ['leak'], toMs: minute(99) })).toEqual(await search({ terms: ['leak'] }));
      expect(await search({ scopes: [] })).toEqual([]);
      expect(await search({ limit: 2, terms: ['leak'], byTime: true })).toEqual(['episode-5', 'episode-2']);
      expect(await search({ limit: 0 })).toEqual([]);
    });
  });

  describe('what is forgotten', () => {
    it('is found by nothing, and leaves a tombstone without content', async () => {
      const machine = { kind: 'machine', text: 'p7', id: 'p7', exact: true } as const;
      await store.commit({
        episodes: [indexed(1, { text: 'leak', entities: [machine] })],
        facts: [fact(1)],
        log: [],
      });
      await store.commit({ forgotten: { episodes: ['episode-1', 'nobody'], facts: ['fact-1'] }, log: [] });
      expect(await store.episode('episode-1')).toBeUndefined();
      expect(await find('leak')).toEqual([]);
      expect(await store.search(asked({ entities: ['machine:p7'] }))).toEqual([]);
      expect(await store.factsNow()).toEqual([]);
      expect(await store.tombstones(10)).toMatchObject([{ reason: 'forget', episodes: 1, facts: 1 }]);
      const { changes, isGap } = await store.changesAfter(0, 10);
      expect(isGap).toBe(false);
      expect(changes.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
        'episode episode-1',
        'fact fact-1',
        'forget episode-1',
        'forget fact-1',
      ]);
      expect((await store.changesAfter(changes[1]?.seq ?? 0, 1)).changes).toEqual([changes[2]]);
      await store.commit({ forgotten: { episodes: ['episode-1'], facts: [] }, log: [] });
      expect(await store.tombstones(10)).toHaveLength(1);
    });
  });

  describe('a person who is erased', () => {
    it('is gone from episodes, facts and log, while what only sounds like it stays', async () => {
      const person = { kind: 'person', text: 'she', id: 'li@maintenance', exact: true } as const;
      await store.commit({
        episodes: [
          indexed(1, { text: 'Li replaced the seal' }),
          indexed(2, { text: 'she did it', entities: [person] }),
          indexed(3, { text: '李梅 换 了 密封' }),
          indexed(4, { text: 'my own note', userId: 'li@maintenance' }),
          indexed(5, { text: 'line 2 is listed' }, 'li replaced the seal'),
        ],
        facts: [
          fact(1, { text: 'Li looks after pump 7', predicate: 'responsible' }),
          fact(2, { userId: 'li@maintenance', episodeId: 'episode-4' }),
          fact(3, { subject: 'person:li@maintenance', text: 'she is on leave', supersededAtMs: 5 }),
        ],
        log: [entry('episode-1'), entry('episode-5'), entry('fact-3')],
      });
      const counts = await store.erase({
        personIds: ['li@maintenance'],
        forms: ['Li', '李梅'],
        pseudonym: 'someone-1',
      });
      expect(counts).toMatchObject({ episodes: 4, facts: 2, pseudonymised: 1, logEntries: 2, cleared: true });
      expect((await store.episodesAfter(undefined, 10)).map(({ id }) => id)).toEqual(['episode-5']);
      const { episodeId: _, ...told } = fact(2, { userId: 'someone-1' });
      expect(await store.factsOf('machine:pump-7', 10)).toEqual([told]);
      expect(await find('li', '李梅', 'replaced', 'seal')).toEqual([]);
      expect(await find('line')).toEqual(['episode-5']);
      expect((await store.log(10)).map(({ target }) => target)).toEqual([
        counts.id,
        'someone-1',
        'episode-5',
        'someone-1',
      ]);
      expect(await store.tombstones(5)).toMatchObject([
        { id: counts.id, reason: 'erase', episodes: 4, facts: 2 },
      ]);
      const { changes } = await store.changesAfter(0, 20);
      expect(changes.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
        'episode episode-5',
        'fact fact-2',
        `erase ${counts.id}`,
      ]);
    });
  });
}
