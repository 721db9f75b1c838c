import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteMemoryStore } from '../../../src/adapters/sqlite/sqlite-memory-store.ts';
import { AnchorPool } from '../../../src/app/memory/anchor-pool.ts';
import { FactCache } from '../../../src/app/memory/fact-cache.ts';
import { FactWriter } from '../../../src/app/memory/fact-writer.ts';
import { MemoryWriter } from '../../../src/app/memory/memory-writer.ts';
import { Recaller } from '../../../src/app/memory/recaller.ts';
import { SiteDirectory } from '../../../src/app/memory/site-directory.ts';
import { shiftCalendarOf } from '../../../src/domain/history/shift-calendar.ts';
import { MentionFinder } from '../../../src/domain/memory/anchors/mention-finder.ts';
import { compileNames, type SiteName } from '../../../src/domain/memory/anchors/name-index.ts';
import { toldAliases } from '../../../src/domain/memory/anchors/told-aliases.ts';
import type { FindMentions } from '../../../src/domain/memory/mention.ts';
import { PeopleDirectory } from '../../../src/domain/people/directory.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { shippedTerms } from '../../support/shipped-glossary.ts';
import type { RecallCorpus, RecallEpisode } from './corpus.ts';

/** A memory of its own, with the clock in hand. */
export interface ToldMemory {
  readonly recaller: Recaller;
  readonly store: SqliteMemoryStore;
  /** Tells what happened at its time, by the way that everything goes into memory. */
  tell(episode: RecallEpisode): Promise<void>;
  close(): Promise<void>;
}

/** The memory of the corpus' site, empty, in a directory of its own. */
export async function openToldMemory({
  site,
  people,
}: Pick<RecallCorpus, 'site' | 'people'>): Promise<ToldMemory> {
  const directory = mkdtempSync(join(tmpdir(), 'recall-'));
  let nowMs = 0;
  const clocks = { ...systemClocks(), wall: () => new Date(nowMs) };
  const runtime = { clocks, scheduler: systemScheduler, logger: silentLogger() };
  const store = new SqliteMemoryStore({ file: join(directory, 'memory.db') }, runtime);
  await store.start();
  const cache = new FactCache({ ...runtime, store, isClockSet: () => true });
  await cache.start();
  const names = namesOf(site, new PeopleDirectory(people));
  const index = compileNames(names);
  const anchors = new AnchorPool({
    ...runtime,
    names,
    directory: new SiteDirectory(() => new MentionFinder(index)),
  });
  const find: FindMentions = (text, language) =>
    anchors.find(text, language).map((mention) => ({
      ...mention,
      candidates: mention.candidates.map((id) => id.slice(id.indexOf(':') + 1)),
    }));
  let facts = 0;
  const factWriter = new FactWriter({
    store,
    cache,
    clocks,
    newId: () => {
      facts += 1;
      return `f${facts}`;
    },
  });
  const terms = shippedTerms();
  const writer = new MemoryWriter({
    store,
    facts: {
      tell: async (claim) => {
        const change = await factWriter.tell(claim);
        anchors.addAliases(toldAliases(change.changes, nowMs));
        return change;
      },
    },
    find,
    terms,
    hash: () => '0000000000000000',
    clocks,
    timeZone: site.timeZone,
    isClockSet: () => true,
  });
  const recaller = new Recaller({
    store,
    factsAbout: (subjects) => cache.about(subjects),
    find,
    terms,
    clocks,
    setting: {
      timeZone: site.timeZone,
      shifts: shiftCalendarOf({
        times: site.shifts.map(({ names: { en, zh }, starts, ends }) => ({
          names: { en, zh },
          starts,
          ends,
          days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        })),
        holidays: [],
      }),
    },
  });
  return {
    recaller,
    store,
    tell: async ({ id, at, kind, source, speaker, station, language, text, machine }) => {
      nowMs = Date.parse(at);
      await writer.write({
        id,
        atMs: nowMs,
        kind,
        source,
        origin: { kind: 'import', id },
        scope: 'site',
        userId: speaker ?? station ?? 'box',
        language,
        text,
        about: machine === undefined ? [] : [{ kind: 'machine', id: machine }],
        isWish: false,
      });
    },
    close: async () => {
      await cache.stop();
      await store.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function namesOf(site: RecallCorpus['site'], people: PeopleDirectory): readonly SiteName[] {
  return [
    ...site.machines.map(({ id, names }) => {
      const also = site.aliases.filter(({ machine }) => machine === id);
      return {
        id: `machine:${id}`,
        kind: 'machine' as const,
        names: {
          en: [...names.en, ...also.flatMap((alias) => alias.names.en)],
          zh: [...names.zh, ...also.flatMap((alias) => alias.names.zh)],
        },
      };
    }),
    ...site.lines.map(({ id, names }) => ({ id: `line:${id}`, kind: 'line' as const, names })),
    ...people.spokenList().map(({ value, spoken }) => ({
      id: `person:${value}`,
      kind: 'person' as const,
      names: spoken,
    })),
  ];
}
