import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SqliteMemoryStore } from '../../../src/adapters/sqlite/sqlite-memory-store.ts';
import { FactCache } from '../../../src/app/memory/fact-cache.ts';
import { FactSweep } from '../../../src/app/memory/fact-sweep.ts';
import { FactVerifier } from '../../../src/app/memory/fact-verifier.ts';
import { FactWriter } from '../../../src/app/memory/fact-writer.ts';
import { Forgetter } from '../../../src/app/memory/forgetter.ts';
import type { FactChecker } from '../../../src/app/ports/fact-checker.ts';
import type { ArchiveLine, MemoryArchive } from '../../../src/app/ports/memory-archive.ts';
import type { Fact } from '../../../src/domain/memory/fact.ts';
import type { CheckAnswer } from '../../../src/domain/memory/verification.ts';
import { EdgeError } from '../../../src/runtime/edge-error.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { claimOf } from '../../support/claims.ts';
import { eventually } from '../../support/eventually.ts';
import { HandTime, settled } from '../../support/hand-time.ts';
import { fact, indexed, MemorySite } from '../../support/memory-site.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WHERE = { subject: 'pump-7', attribute: 'location' };

let site: MemorySite;
let store: SqliteMemoryStore;
let time: HandTime;
let isClockSet: boolean;
let cache: FactCache;
let writer: FactWriter;

beforeEach(async () => {
  site = new MemorySite();
  store = await site.open();
  time = new HandTime();
  isClockSet = true;
  const parts = { clocks: time, scheduler: time, logger: silentLogger(), isClockSet: () => isClockSet };
  cache = new FactCache({ store, ...parts });
  await cache.start();
  await eventually('facts are read', () => cache.health().status === 'ok');
  let ids = 0;
  writer = new FactWriter({
    store,
    cache,
    clocks: time,
    newId: () => {
      ids += 1;
      return `f${ids}`;
    },
  });
});
afterEach(async () => {
  await cache.stop();
  await site.remove();
});

describe('writing facts', () => {
  it('judges each claim by what the one before it left, and knows it as soon as it is on disk', async () => {
    const told = await Promise.all([
      writer.tell(claimOf()),
      writer.tell(claimOf({ id: '2', value: 'hall 3', validFromMs: 500 })),
      writer.tell(claimOf({ id: '2', value: 'hall 3', validFromMs: 500 })),
    ]);
    expect(told.map(({ what }) => what)).toEqual(['new', 'superseded', 'unchanged']);
    expect(cache.look(WHERE)).toEqual({ kind: 'known', value: 'hall 3' });
    const rows = await store.factsOf('machine:pump-7', 10);
    expect(rows.map(({ value, supersededBy }) => [value, supersededBy])).toEqual([
      ['hall 2', 'f2'],
      ['hall 3', undefined],
      ['hall 2', undefined],
    ]);
    expect((await store.log(10)).map(({ action }) => action).toSorted()).toEqual(['capture', 'supersede']);
    const again = new FactCache({
      store,
      clocks: time,
      scheduler: time,
      logger: silentLogger(),
      isClockSet: () => true,
    });
    await again.reload();
    expect(again.look(WHERE)).toEqual({ kind: 'known', value: 'hall 3' });
  });

  it('knows nothing of a claim that the disk did not take', async () => {
    const full = new FactWriter({
      store: {
        factsOf: (subject, limit) => store.factsOf(subject, limit),
        commit: async () => {
          throw new EdgeError('MEMORY_DB_FAILED', 'database or disk is full');
        },
      },
      cache,
      clocks: time,
      newId: () => 'lost',
    });
    await expect(full.tell(claimOf())).rejects.toMatchObject({ code: 'MEMORY_DB_FAILED' });
    expect(cache.look(WHERE)).toEqual({ kind: 'none' });
    expect(await store.factsNow()).toEqual([]);
  });
});

describe('the second signature', () => {
  let answer: CheckAnswer | 'throws' | 'silent';
  let asked: string[];
  let told: Fact[];
  let audited: unknown[];
  let verifier: FactVerifier;

  beforeEach(async () => {
    answer = 'unknown';
    asked = [];
    told = [];
    audited = [];
    const checker: FactChecker = {
      check: async ({ id }) => {
        asked.push(id);
        if (answer === 'throws') throw new EdgeError('MODBUS_TIMEOUT', 'no answer');
        return answer === 'silent' ? new Promise(() => undefined) : answer;
      },
    };
    verifier = new FactVerifier({
      store,
      writer,
      checker,
      audit: { append: async (kind, detail) => void audited.push([kind, detail]) },
      telling: { rejected: (fact) => told.push(fact) },
      clocks: time,
      scheduler: time,
      logger: silentLogger(),
    });
    await verifier.start();
    await writer.tell(limit('1', 80));
  });
  afterEach(() => verifier.stop());

  function limit(id: string, value: number): ReturnType<typeof claimOf> {
    return claimOf({
      id,
      source: 'report',
      subject: `machine:pump-${id}`,
      predicate: 'limit.temperature',
      value,
      unit: 'degC',
    });
  }

  async function scanned(times: number): Promise<void> {
    time.pass(300_000);
    await eventually(`${times} facts are asked about`, () => asked.length >= times);
  }

  it('is given by the system that the fact is about, after five minutes', async () => {
    time.pass(299_999);
    expect(asked).toEqual([]);
    answer = 'agrees';
    time.pass(1);
    await eventually(
      'it is known',
      () => cache.look({ subject: 'pump-1', attribute: 'limit.temperature' }).kind === 'known',
    );
    expect(await store.pendingFacts(10)).toEqual([]);
    expect(told).toEqual([]);
    expect((await store.factsNow())[0]).toMatchObject({ status: 'verified', source: 'plc', value: 80 });
  });

  it('is refused aloud, in the audit and in the log of memory', async () => {
    answer = 'differs';
    await scanned(1);
    await eventually('it is audited', () => audited.length === 1);
    expect(told).toMatchObject([{ predicate: 'limit.temperature', value: 80 }]);
    expect(audited).toMatchObject([['memory.rejected', { predicate: 'limit.temperature', by: 'plc' }]]);
    expect(JSON.stringify(audited)).not.toContain('hall');
    expect((await store.log(1))[0]).toMatchObject({ action: 'reject', source: 'plc' });
    expect((await store.factsNow())[0]).toMatchObject({ status: 'rejected' });
    expect(cache.look({ subject: 'pump-1', attribute: 'limit.temperature' })).toEqual({ kind: 'unknown' });
  });

  it.each(['unknown', 'throws', 'silent'] as const)(
    'stays out while its system is %s, and is asked for again',
    async (how) => {
      answer = how;
      await scanned(1);
      time.pass(10_000);
      await settled();
      await scanned(2);
      expect(await store.pendingFacts(10)).toHaveLength(1);
      expect(told).toEqual([]);
    },
  );

  it('is not asked of a system for what only a person knows', async () => {
    await writer.tell(claimOf({ id: '9', source: 'model' }));
    await scanned(1);
    await scanned(2);
    expect(new Set(asked)).toEqual(new Set(['f1']));
  });

  it('is asked for twenty at a time, and each comes to its turn', async () => {
    for (let n = 2; n <= 30; n += 1) await writer.tell(limit(`${n}`, 80));
    await scanned(20);
    await eventually('the scan is over', () => verifier.health().figures?.['pending'] === 30);
    await scanned(40);
    expect(new Set(asked).size).toBe(30);
  });
});

describe('forgetting', () => {
  let archived: Map<string, Map<string, string>>;
  let archive: Pick<MemoryArchive, 'append'>;
  let forgetter: Forgetter;
  let rechecks: string[];

  beforeEach(async () => {
    archived = new Map();
    rechecks = [];
    archive = {
      append: async (day: string, lines: readonly ArchiveLine[]) => {
        const known = archived.get(day) ?? new Map<string, string>();
        for (const { id, text } of lines) known.set(id, text);
        archived.set(day, known);
      },
    };
    forgetter = forgetterOf(store);
    await forgetter.start();
  });
  afterEach(() => forgetter.stop());

  function forgetterOf(to: Pick<SqliteMemoryStore, 'commit' | 'candidates' | 'episodesAfter'>): Forgetter {
    const later: Pick<MemoryArchive, 'append'> = { append: (day, lines) => archive.append(day, lines) };
    return new Forgetter({
      store: to,
      facts: new FactSweep({
        store,
        writer,
        archive: later,
        recheck: (facts) => {
          rechecks = facts.map(({ id }) => id);
        },
      }),
      archive: later,
      clocks: time,
      scheduler: time,
      logger: silentLogger(),
      isClockSet: () => isClockSet,
    });
  }

  /** Lets time pass to the next sweep, and waits until it is through. */
  async function swept(afterMs: number): Promise<void> {
    time.pass(afterMs);
    await eventually('the sweep is through', () => {
      if (forgetter.silentForMs < 5_000 || forgetter.health().status === 'degraded') return true;
      time.pass(10);
      return false;
    });
  }

  /** Lets time pass in which the program does not run, up to the first sweep of its next life. */
  async function aged(ageMs: number): Promise<void> {
    await forgetter.stop();
    time.pass(ageMs);
    await forgetter.start();
    await swept(600_000);
  }

  const of = (n: number, changes: Parameters<typeof indexed>[1] = {}): ReturnType<typeof indexed> =>
    indexed(n, { atMs: 1_000, ...changes });

  it('takes out what has had its time an hour after it became a candidate, archived first', async () => {
    await store.commit({
      episodes: [
        of(1),
        of(2, { class: 'summary' }),
        of(3, { class: 'incident' }),
        of(4, { class: 'safety' }),
        of(5, { class: 'project', project: '12' }),
      ],
      log: [],
    });
    await swept(600_000);
    expect(await store.candidates(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);

    await aged(31 * DAY);
    const ids = async (): Promise<string[]> =>
      (await store.episodesAfter(undefined, 10)).map(({ id }) => id).toSorted();
    expect(await ids()).toEqual(['episode-1', 'episode-2', 'episode-3', 'episode-4', 'episode-5']);
    expect(await store.candidates(Number.MAX_SAFE_INTEGER, 10)).toHaveLength(2);

    await swept(HOUR);
    expect(await ids()).toEqual(['episode-3', 'episode-4', 'episode-5']);
    expect([...(archived.get('1970-01-01')?.keys() ?? [])]).toEqual(['episode-1']);
    expect(JSON.parse(archived.get('1970-01-01')?.get('episode-1') ?? '')).toMatchObject({ text: 'note 1' });
    const log = await store.log(20);
    expect(log.map(({ action, target }) => `${action} ${target}`).toSorted()).toEqual([
      'archive episode-1',
      'candidate episode-1',
      'candidate episode-2',
      'forget episode-2',
    ]);
    expect(log.find(({ action }) => action === 'archive')).toMatchObject({ bytesAfter: 0 });
  });

  it('leaves a candidate that was told again', async () => {
    await store.commit({ episodes: [of(1)], log: [] });
    await aged(31 * DAY);
    expect(await store.candidates(Number.MAX_SAFE_INTEGER, 10)).toHaveLength(1);
    const confirmedAtMs = time.wall().getTime();
    await store.commit({ amended: [{ id: 'episode-1', confirmedAtMs }], log: [] });
    await swept(HOUR);
    expect(await store.candidates(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    expect(await store.episode('episode-1')).toBeDefined();
    expect(archived.size).toBe(0);
  });

  it('loses nothing and archives nothing twice when it ends between the two', async () => {
    await store.commit({ episodes: [of(1)], log: [] });
    await aged(31 * DAY);
    await forgetter.stop();
    time.pass(HOUR);
    forgetter = forgetterOf({
      candidates: (beforeMs, limit) => store.candidates(beforeMs, limit),
      episodesAfter: (after, limit) => store.episodesAfter(after, limit),
      commit: async () => {
        throw new EdgeError('MEMORY_DB_FAILED', 'disk I/O error');
      },
    });
    await forgetter.start();
    await swept(600_000);
    expect(forgetter.health().status).toBe('degraded');
    expect(archived.get('1970-01-01')?.size).toBe(1);
    expect(await store.episode('episode-1')).toBeDefined();
    await forgetter.stop();

    forgetter = forgetterOf(store);
    await forgetter.start();
    await swept(600_000);
    expect(archived.get('1970-01-01')?.size).toBe(1);
    expect(await store.episode('episode-1')).toBeUndefined();
  });

  it('takes nothing out that the archive did not take, and says how long it has been silent', async () => {
    await store.commit({ episodes: [of(1)], log: [] });
    await aged(31 * DAY);
    archive = {
      append: async () => {
        throw new EdgeError('ARCHIVE_FAILED', 'no space left on device');
      },
    };
    const silentMs = forgetter.silentForMs;
    await swept(HOUR);
    expect(await store.episode('episode-1')).toBeDefined();
    expect(forgetter.health()).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('no space left'),
    });
    expect(forgetter.silentForMs).toBeGreaterThanOrEqual(silentMs + HOUR);
  });

  it('forgets nothing by a clock that nobody has set', async () => {
    isClockSet = false;
    await store.commit({
      episodes: [of(1)],
      facts: [fact(1, { class: 'transient', recordedAtMs: 0, confirmedAtMs: 0 })],
      log: [],
    });
    await aged(400 * DAY);
    await swept(HOUR);
    expect(await store.episode('episode-1')).toBeDefined();
    expect(await store.factsNow()).toHaveLength(1);
  });

  it('goes through more than one batch', async () => {
    const episodes = Array.from({ length: 250 }, (_, n) => of(n));
    await store.commit({ episodes, log: [] });
    await aged(31 * DAY);
    expect(await store.candidates(Number.MAX_SAFE_INTEGER, 1000)).toHaveLength(250);
    await swept(HOUR);
    expect((await store.figures()).episodes).toBe(0);
    expect(archived.get('1970-01-01')?.size).toBe(250);
  });

  it('takes out facts of the day with what their key held before, and asks about machines', async () => {
    const day = { predicate: 'delivery', class: 'logistics' } as const;
    await writer.tell(claimOf({ ...day, value: 'at ten' }));
    await writer.tell(claimOf({ ...day, id: '2', value: 'at noon' }));
    await writer.tell(claimOf({ id: '3' }));
    expect(await store.factsOf('machine:pump-7', 10)).toHaveLength(3);
    await aged(49 * HOUR);
    expect(await store.factsOf('machine:pump-7', 10)).toHaveLength(3);
    await swept(HOUR);
    expect((await store.factsOf('machine:pump-7', 10)).map(({ predicate }) => predicate)).toEqual([
      'location',
    ]);
    expect(cache.look({ ...WHERE, attribute: 'delivery' })).toEqual({ kind: 'none' });
    expect(cache.look(WHERE).kind).toBe('known');
    expect(rechecks).toEqual([]);
    await aged(90 * DAY);
    expect(rechecks).toHaveLength(1);
    expect(archived.size).toBe(0);
  });
});
